"""The embedded word lists against their hashes and the published figures."""

import hashlib

import pytest

from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.lists import CATALOGUE
from wordpack.lexicon.reading import read_embedded
from wordpack.lexicon.signature import group


def hash_of(words: list[str]) -> str:
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(words)).encode()).hexdigest()


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_list_has_its_words_once_and_its_hash(name: str) -> None:
    lexicon = read_embedded(name, Alphabet())
    words = list(lexicon)
    assert len(words) == len(set(words)) == lexicon.lines == CATALOGUE[name].words
    assert hash_of(words) == CATALOGUE[name].sha256
    assert not any(lexicon.dropped.counts().values())


@pytest.mark.parametrize(
    ("name", "words", "prefix"),
    [
        ("words_alpha", 370_105, "aa6ba888c558"),
        ("wordle", 12_972, "feacc549249b"),
        ("wordle-answers", 2_315, "f40e47975cf3"),
        ("wordle-guesses", 10_657, "f012ef5ecdbe"),
        ("answers-2331", 2_331, "7c4d1df9045c"),
        ("wordle-12974", 12_974, "dfcc8b7d253a"),
        ("wordle-12947", 12_947, "48f16611619a"),
    ],
)
def test_the_catalogue_has_the_published_figures(name: str, words: int, prefix: str) -> None:
    assert CATALOGUE[name].words == words
    assert CATALOGUE[name].sha256.startswith(prefix)


@pytest.mark.parametrize(
    ("name", "repeats", "words", "signatures"),
    [
        ("words_alpha", False, 10_175, 5_977),
        ("wordle", False, 8_322, 5_182),
        ("wordle-12974", False, 8_324, 5_183),
        ("wordle-12947", False, 8_310, 5_176),
        ("wordle-guesses", True, 10_657, 6_655),
        ("answers-2331", True, 2_331, 2_050),
        ("toy", False, 50, 46),
    ],
)
def test_words_and_signatures_of_five_letters(
    name: str, repeats: bool, words: int, signatures: int
) -> None:
    """The numbers match the published ones, and a count with Python sets."""
    lexicon = read_embedded(name, Alphabet(), 5).select(5, repeats=repeats)
    assert (len(lexicon), len(group(lexicon))) == (words, signatures)
    whole = [word for word in read_embedded(name, Alphabet()) if len(word) == 5]
    chosen = [word for word in whole if repeats or len(set(word)) == 5]
    assert list(lexicon) == chosen
    assert len({frozenset(word) for word in chosen}) == signatures


def test_five_letter_words_of_words_alpha_have_their_published_hash() -> None:
    words = [word for word in read_embedded("words_alpha", Alphabet(), 5) if len(word) == 5]
    assert len(words) == 15_920
    assert hash_of(words).startswith("d73203de94ff")


@pytest.mark.parametrize("length", [1, 5, 26, 31, 32])
@pytest.mark.parametrize("letters", ["abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyzæøå"])
def test_reading_one_length_equals_reading_all_and_selecting(length: int, letters: str) -> None:
    """Words, order, lines and counts of each dropped kind agree, even if no word has the length."""
    alphabet = Alphabet(letters)
    short = read_embedded("words_alpha", alphabet, length).select(length)
    whole = read_embedded("words_alpha", alphabet).select(length)
    assert list(short) == list(whole)
    assert (short.lines, short.dropped) == (whole.lines, whole.dropped)


def test_an_alphabet_that_lacks_letters_still_counts_under_the_first_rule() -> None:
    """A word with a foreign letter and another length counts as 'alphabet'."""
    found = read_embedded("words_alpha", Alphabet("abcdefghij"), 5).select(5)
    every = list(read_embedded("words_alpha", Alphabet()))
    ours = [word for word in every if set(word) <= set("abcdefghij")]
    five = [word for word in ours if len(word) == 5]
    assert list(found) == [word for word in five if len(set(word)) == 5]
    assert found.dropped.alphabet == 370_105 - len(ours)
    assert found.dropped.length == len(ours) - len(five)
    assert found.dropped.repeated_letter == len(five) - len(found)


def test_stored_orders() -> None:
    """Published counters depend on them: answers, then guesses; other lists are alphabetical."""
    wordle, answers, guesses, more, alpha = (
        list(read_embedded(name, Alphabet()))
        for name in ("wordle", "wordle-answers", "wordle-guesses", "wordle-12974", "words_alpha")
    )
    assert wordle == answers + guesses
    assert answers == sorted(answers)
    assert guesses == sorted(guesses)
    assert alpha == sorted(alpha)
    assert more == answers + sorted([*guesses, "koran", "quran"])


def test_answers_2331_are_the_answers_and_sixteen_guesses() -> None:
    """The added answers are also among the guesses."""
    extra = "balsa beaut gofer guano indie kazoo kefir knell laser matte mommy pious snafu taupe"
    added = {*extra.split(), "tizzy", "uvula"}
    found = set(read_embedded("answers-2331", Alphabet()))
    assert found == set(read_embedded("wordle-answers", Alphabet())) | added
    assert added <= set(read_embedded("wordle-guesses", Alphabet()))
