"""Which characters are one letter: case forms, marks and jamo, against independent pairs."""

import sys
import unicodedata
from collections.abc import Iterator

import pytest

from wordpack.errors import InputError
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_text
from wordpack.solving.sweep import Pool

SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN")

DOTLESS = "\u0131"

NO_PAIR = {"\u0258"}
"""Small reversed e, excluded: the capital of that name belongs to the turned e."""


def pairs(script: str) -> Iterator[tuple[str, str]]:
    """Yield the small letters of a script with their capitals, as Unicode names them."""
    for code in range(sys.maxunicode + 1):
        small = chr(code)
        name = unicodedata.name(small, "")
        if name.startswith(f"{script} SMALL LETTER "):
            other = name.replace("SMALL LETTER", "CAPITAL LETTER", 1)
        elif name.startswith("GEORGIAN LETTER ") and script == "GEORGIAN":
            other = name.replace("LETTER", "MTAVRULI CAPITAL LETTER", 1)
        else:
            continue
        try:
            capital = unicodedata.lookup(other)
        except KeyError:
            continue
        composed = unicodedata.normalize("NFC", small) == small
        if composed and small not in NO_PAIR:
            yield small, capital


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_pair_of_cases_is_one_letter_in_every_position(script: str) -> None:
    """A pair is one letter in lists and in alphabets, beside two other letters of the script."""
    found = list(pairs(script))
    assert len(found) > 35
    for small, capital in found:
        one, two = [each for each, _ in found if each not in (small, "i")][:2]
        for letters in (small + one + two, capital + one + two):
            alphabet = Alphabet(letters)
            assert alphabet.letters == small + one + two
            for word in (small + one + two, one + small + two, one + two + small):
                upper = word.replace(small, capital)
                read = read_text(f"{upper}\n{word}\n", "a test", alphabet)
                assert (list(read), read.dropped.duplicate) == ([word], 1)
                assert alphabet.spelt(upper) == word


def test_digraphs_in_title_case_and_letters_with_a_subscript_iota() -> None:
    """Their title forms, found by Unicode name, are the same letter as their capitals."""
    for name in ("DZ WITH CARON", "LJ", "NJ", "DZ"):
        three = [unicodedata.lookup(f"LATIN {case} LETTER {name}") for case in ("SMALL", "CAPITAL")]
        # the third is named CAPITAL LETTER L WITH SMALL LETTER J and lies between the two
        three.append(chr(ord(three[0]) - 1))
        assert {Alphabet(letter + "a").letters for letter in three} == {three[0] + "a"}
        assert list(read_text("\n".join(three), "a test", Alphabet(three[0]))) == [three[0]]
    assert Alphabet("\u1fbc").letters == "\u1fb3"


def test_a_capital_that_only_two_characters_spell_is_one_letter() -> None:
    """Capital J with a caron has no code point of its own; the small letter has one."""
    small, capital = "\u01f0", "J\u030c"
    assert Alphabet(capital + "a").letters == small + "a"
    read = read_text(
        f"A{capital}\nj\u030ca\nJa\n{capital}\u0323a\n", "a test", Alphabet(small + "a")
    )
    assert list(read) == ["a" + small, small + "a"]
    assert read.dropped.alphabet == 2


def test_no_word_gets_longer_or_shorter() -> None:
    """Sharp s is not two letters, a ligature is not, and the dotted capital I is one."""
    read = read_text("stra\u1e9ee\nSTRASSE\n\ufb01sh\nİris\n", "a test", Alphabet("straße\ufb01h"))
    assert list(read) == ["straße", "strasse", "\ufb01sh"]
    assert read.dropped.alphabet == 1
    assert read.examples["alphabet"] == "İris"


def test_forms_are_not_chained() -> None:
    """Long s has the capital S but is not s; the micro sign is not mu; the kelvin sign is K."""
    for word, letters in (("\u017f", "s"), ("\u00b5", "\u03bc"), ("\u03d1", "\u03b8")):
        assert read_text(word, "a test", Alphabet(letters)).dropped.alphabet == 1
    assert list(read_text("\u212a\u212b", "a test", Alphabet("kå"))) == ["kå"]


@pytest.mark.parametrize("letters", [f"i{DOTLESS}", "iI\u0130"[1:], f"\u0130{DOTLESS}"])
def test_two_letters_i_make_an_alphabet_turkic(letters: str) -> None:
    """The pairs are those of the Turkish alphabet."""
    alphabet = Alphabet(letters)
    assert set(alphabet.letters) == {"i", DOTLESS}
    assert alphabet.spelt(f"Ii\u0130{DOTLESS}") == f"{DOTLESS}ii{DOTLESS}"
    assert alphabet.unusual == [
        (DOTLESS, "I") if letter == DOTLESS else ("i", "\u0130") for letter in alphabet.letters
    ]


def test_an_alphabet_can_be_written_down() -> None:
    """Cover a Turkic alphabet without the dotless i, and what a sweep leaves of one."""
    for letters in ("ab", f"i{DOTLESS}a", "\u0130ab", f"{DOTLESS}ab", "ΣΑΒ", "\u1e9ea"):
        alphabet = Alphabet(letters)
        assert Alphabet(alphabet.spelled) == alphabet
        assert Alphabet(alphabet.letters).letters == alphabet.letters
    words = read_text("IA\niA\n", "a test", Alphabet(f"ai{DOTLESS}")).select(2)
    left = Pool.of("a test", words, 2).without(2)
    assert (left.letters, left.masks.tolist()) == ("a\u0130", [0b11])
    assert Alphabet(left.letters).turkic


@pytest.mark.parametrize(
    ("letters", "said"),
    [
        ("a b ng wh", ["'ng', 'wh'", "single characters"]),
        ("a, b, ng", ["'ng'", "single characters"]),
        ("ng,wh", ["'ng', 'wh'", "single characters"]),
        ("a b c", ["a space (character 2)", "single characters"]),
        ("abc\n", ["'\\n'", "single characters"]),
        ("a,b", ["','", "single characters"]),
        ("aehikmnoprtuwngwh", ["the letter 'n' twice", "'ng'", "single characters"]),
        ("abA", ["'a' and 'A'", "the same letter twice"]),
        ("\u03c3β\u03c2", ["'\u03c3' and '\u03c2'", "the same letter twice"]),
        ("ßa\u1e9e", ["'ß' and '\u1e9e'", "the same letter twice"]),
        ("s\u017f", ["'s' and '\u017f'", "the same letter twice", "'S'"]),
        (f"{DOTLESS}I", [f"'{DOTLESS}' and 'I'", "the same letter twice"]),
        ("åa\u030a", ["the same letter twice"]),
        ("ad\u0302", ["'d\u0302' (letter 2 of `letters`) is 2 characters", "single characters"]),
        ("\u0301a", ["letter 1 of `letters`", "cannot be a letter"]),
        ("\u1100\uac00", ["jamo", "'\uac00'"]),
    ],
)
def test_what_is_no_letter_is_named(letters: str, said: list[str]) -> None:
    """One line names the character and says what a letter is."""
    with pytest.raises(InputError) as caught:
        Alphabet(letters)
    for words in said:
        assert words in str(caught.value)
    assert "\n" not in str(caught.value)


LEADS = [chr(0x1100 + place) for place in range(19)]
VOWELS = [chr(0x1161 + place) for place in range(21)]
TAILS = [chr(0x11A8 + place) for place in range(27)]


def test_jamo_stay_letters_of_their_own() -> None:
    """Sixty-four jamo are an alphabet and sixty-five too many, whichever are adjacent."""
    jamo = [each for pair in zip(LEADS, VOWELS, strict=False) for each in pair] + TAILS
    assert len(Alphabet("".join(jamo[:64]))) == 64
    assert Alphabet("".join(jamo[:64])).letters == "".join(jamo[:64])
    with pytest.raises(InputError, match="65 letters"):
        Alphabet("".join(jamo[:65]))


def test_words_of_jamo_are_compared_decomposed() -> None:
    """It does not matter how they are typed; Unicode's formula gives syllables from three jamo."""
    syllables = {(9, 0, 0): "사", (5, 0, 21): "랑", (18, 0, 4): "한", (0, 18, 8): "글"}
    for (lead, vowel, tail), syllable in syllables.items():
        assert ord(syllable) == 0xAC00 + (lead * 21 + vowel) * 28 + tail
        spelt = LEADS[lead] + VOWELS[vowel] + (TAILS[tail - 1] if tail else "")
        alphabet = Alphabet("".join(LEADS + VOWELS + TAILS[:20] + TAILS[20:24]))
        read = read_text(f"{syllable}\n{spelt}\n", "a test", alphabet)
        assert (list(read), read.dropped.duplicate) == ([spelt], 1)
    # without jamo among the letters a syllable is one letter, and compatibility jamo stay as typed
    assert list(read_text("사랑\n", "a test", Alphabet("사랑"))) == ["사랑"]
    assert list(read_text("ㄱㅏ\n\uac00\n", "a test", Alphabet("ㄱㅏ"))) == ["ㄱㅏ"]


@pytest.mark.parametrize("letters", ["abcdefghijklmnopqrstuvwxyzæøåéü", "αβγδεηικλμνοπρστυωάέ"])
def test_both_normal_forms_of_a_list_are_the_same_words(letters: str) -> None:
    """Composed and decomposed, in small letters and in capitals."""
    words = [letters[at : at + 4] for at in range(len(letters) - 3)]
    text = "\n".join(words)
    for form in ("NFC", "NFD"):
        for given in (text, text.upper()):
            typed = unicodedata.normalize(form, given)
            for name in (letters, letters.upper()):
                assert list(read_text(typed, "a test", Alphabet(name))) == words
