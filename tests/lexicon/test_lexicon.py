"""The reader of word lists against a slow reader written from the rules, line by line."""

import unicodedata
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wordpack.errors import InputError
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.lexicon import Lexicon
from wordpack.lexicon.reading import read_file, read_text
from wordpack.lexicon.rules import Dropped
from wordpack.lexicon.signature import group

DANISH = LATIN + "æøå"
RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
NASTY = [
    *"abeioyABIZ",
    "é",
    "e\u0301",
    "\u0301",
    "İ",
    "\u0131",
    "ß",
    "ẞ",
    "Σ",
    "ς",
    "'",
    "\t",
    "\r",
]
NASTY += [
    "\n",
    "\r\n",
    " ",
    "\u00a0",
    "\u2028",
    "\u0085",
    "\x0b",
    "\x1c",
    "\ufeff",
    "7",
    "ё",
    "\u0435",
]
NASTY += [
    "\u200b",
    "\u2060",
    "\u3000",
    "Ё",
    "\u0435\u0308",
    "æ",
    "Å",
    "A\u030a",
    "\u212b",
    "\u212a",
    "\ufb01",
    "\u00aa",
    "😀",
]


def reference(
    text: str, letters: str, length: int, *, repeats: bool, max_vowels: int | None
) -> tuple[list[str], dict[str, int]]:
    """Read a list as the RULES say, one line and one word at a time."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if "\n" not in text[:-1]:
        text = text.replace("\r", "\n")
    *lines, last = text.split("\n")
    lines += [last] if last else []
    special = {"Σ": "\u03c3", "ς": "\u03c3"} if "\u03c3" in letters else {}
    special |= {"I": "\u0131", "İ": "i"} if "\u0131" in letters else {}
    counts = dict.fromkeys(
        ["blank", "duplicate", "alphabet", "length", "repeated_letter", "vowels", "not_shared"], 0
    )
    seen, kept = set(), []
    for line in lines:
        small = [special.get(each, each.lower()) for each in unicodedata.normalize("NFC", line)]
        word = trimmed("".join(each if len(each) == 1 else "İ" for each in small))
        if not word:
            counts["blank"] += 1
        elif word in seen:
            counts["duplicate"] += 1
        elif not set(word) <= set(letters):
            counts["alphabet"] += 1
        elif len(word) != length:
            counts["length"] += 1
        elif not repeats and len(set(word)) < len(word):
            counts["repeated_letter"] += 1
        elif max_vowels is not None and len(set(word) & set("aeiouy")) > max_vowels:
            counts["vowels"] += 1
        else:
            kept.append(word)
        seen.add(word)
    return kept, counts


def trimmed(word: str) -> str:
    """Strip white space and zero-width characters, one at a time."""
    while word and (word[0].isspace() or word[0] in "\u200b\u2060\ufeff"):
        word = word[1:]
    while word and (word[-1].isspace() or word[-1] in "\u200b\u2060\ufeff"):
        word = word[:-1]
    return word


def on_disk(folder: Path, content: bytes) -> str:
    path = folder / "words.txt"
    path.write_bytes(content)
    return str(path)


def read(text: str, letters: str = LATIN) -> Lexicon:
    return read_text(text, "a test", Alphabet(letters))


@pytest.mark.parametrize("mix", list(product([False, True], repeat=6)), ids=str)
def test_every_mix_of_what_files_have(mix: tuple[bool, ...], tmp_path: Path) -> None:
    """No mix of byte order mark, line endings, case, repeats and blanks changes the words."""
    bom, crlf, upper, duplicates, blanks, unended = mix
    lines = ["fjord", "benz's", "gucks", "hello", "nymph", "benzs", "abc", "waltz"]
    if duplicates:
        lines[4:4] = ["gucks", "hello", "fJoRd"]
    if blanks:
        lines = ["", *lines[:2], " \t", "", *lines[2:]]
    if upper:
        lines = [line.upper() for line in lines]
    end = "\r\n" if crlf else "\n"
    text = "\ufeff" * bom + end.join(lines) + end * (not unended)

    lexicon = read_file(on_disk(tmp_path, text.encode()), Alphabet())
    chosen = lexicon.select(5)
    assert list(chosen) == ["fjord", "gucks", "nymph", "benzs", "waltz"]
    assert chosen.dropped == Dropped(
        blank=3 * blanks, duplicate=3 * duplicates, alphabet=1, length=1, repeated_letter=1
    )
    assert lexicon.lines == 8 + 3 * duplicates + 3 * blanks
    words, counts = reference(text, LATIN, 5, repeats=False, max_vowels=None)
    assert (list(chosen), chosen.dropped.counts()) == (words, counts)


@settings(max_examples=500, deadline=None)
@given(
    text=st.lists(st.sampled_from(NASTY), max_size=30).map("".join),
    letters=st.sampled_from([LATIN, DANISH, RUSSIAN + "abe", "abeéß\u03c3i\u0131", "ab'7yke"]),
    length=st.integers(1, 3),
    repeats=st.booleans(),
    max_vowels=st.none() | st.integers(0, 2),
)
@example(text="a\ra\n", letters=LATIN, length=1, repeats=False, max_vowels=None)
def test_reader_agrees_with_the_reference_on_nasty_text(
    text: str, letters: str, length: int, repeats: bool, max_vowels: int | None
) -> None:
    """For any characters, the words, their order and every count follow the rules."""
    found = read(text, letters).select(length, repeats=repeats, max_vowels=max_vowels)
    words, counts = reference(text, letters, length, repeats=repeats, max_vowels=max_vowels)
    assert list(found) == words
    assert found.dropped.counts() == counts
    assert found.lines == len(words) + sum(counts.values())
    masks = [sum(1 << letters.index(letter) for letter in set(word)) for word in words]
    assert found.masks.tolist() == masks


def test_shared_words_are_those_that_stand_in_both_lists() -> None:
    """Words are compared by spelling, not by signature; order and earlier counts are kept."""
    mine = read("fjord\ngucks\n\nnymph\nvibex").select(5)
    found = mine.shared_with(read("xebiv\nVIBEX\nnymph\nfjord\nabc"))
    assert list(found) == ["fjord", "nymph", "vibex"]
    assert found.dropped == Dropped(blank=1, not_shared=1)
    assert found.examples["not_shared"] == "gucks"
    assert list(mine.shared_with(read(""))) == []


def test_each_line_counts_under_the_first_rule_that_drops_it() -> None:
    """Each line breaks its own rule and, where it can, every later one."""
    lines = ["  ", "aeee'", "aeee'", "éaeiiou", "aeiouaa", "aeioo", "aeiou", "fjord"]
    found = read("\n".join(lines)).select(5, max_vowels=2)
    assert list(found) == ["fjord"]
    assert found.dropped == Dropped(
        blank=1, duplicate=1, alphabet=2, length=1, repeated_letter=1, vowels=1
    )
    assert found.examples == {
        "blank": "  ",
        "duplicate": "aeee'",
        "alphabet": "aeee'",
        "length": "aeiouaa",
        "repeated_letter": "aeioo",
        "vowels": "aeiou",
    }


def test_a_word_is_never_repaired() -> None:
    """A foreign character drops its whole word, even if the rest of it is a word."""
    found = read("benz's\nbenzs\nnaïve\nf e\nfe\u200bd\nfjo\rrd\n").select(repeats=True)
    assert list(found) == ["benzs"]
    assert found.dropped.alphabet == 5


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("\n", 1), ("\ufeff", 0), ("\r\n\n", 2)])
def test_nothing_to_read_is_no_word(text: str, lines: int) -> None:
    found = read(text).select(5)
    assert (list(found), found.lines, found.dropped) == ([], lines, Dropped(blank=lines))


def test_max_vowels_counts_different_letters_of_aeiouy() -> None:
    """A repeated vowel counts once, and y is a vowel."""
    found = read("eerie\nmayor\nfjord\ngypsy\n").select(5, repeats=True, max_vowels=2)
    assert list(found) == ["eerie", "fjord", "gypsy"]
    with pytest.raises(InputError, match="`max_vowels`"):
        read("абв\n", RUSSIAN).select(3, max_vowels=2)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_what_is_not_utf8_is_an_error_that_says_where(mark: bytes, tmp_path: Path) -> None:
    """The error gives the byte offset in the file and names the option that helps."""
    path = on_disk(tmp_path, mark + b"fjord\ncaf\xe9\nnymph\n")
    with pytest.raises(InputError) as caught:
        read_file(path, Alphabet())
    assert f"byte offset {len(mark) + 9}:" in str(caught.value)
    assert "`encoding`" in str(caught.value)
    assert path in str(caught.value)


def test_other_encodings_are_read_when_named(tmp_path: Path) -> None:
    """The same words are read from latin-1 and every kind of utf-16."""
    for encoding in ("latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-8"):
        path = on_disk(tmp_path, "ÆBLE\r\nøl\r\n".encode(encoding))
        assert list(read_file(path, Alphabet(DANISH), encoding)) == ["æble", "øl"]
    marked = on_disk(tmp_path, "\ufefføl\n".encode("utf-16-le"))
    assert list(read_file(marked, Alphabet(DANISH), "utf-16-le")) == ["øl"]


def test_what_is_no_text_is_an_error(tmp_path: Path) -> None:
    """A NUL, an unknown encoding, a folder, a missing file: each says what to do."""
    path = on_disk(tmp_path, "øl\n".encode("utf-16-le").replace(b"\xf8", b"o"))
    with pytest.raises(InputError, match=r"it has a NUL at character 1.*`encoding` utf-16"):
        read_file(path, Alphabet())
    with pytest.raises(InputError, match="`encoding` klingon"):
        read_file(path, Alphabet(), "klingon")
    with pytest.raises(InputError, match="`encoding`"):
        read_file(path, Alphabet(), "a\0b")
    for wrong in (tmp_path, tmp_path / "missing.txt"):
        with pytest.raises(InputError, match="cannot read"):
            read_file(str(wrong), Alphabet())


def test_danish_and_russian_letters_have_their_places() -> None:
    """29 letters fit in 32 bits and 33 do not; ё and ye are two letters, composed or not."""
    danish, russian = Alphabet(DANISH.upper()), Alphabet(RUSSIAN)
    assert (len(danish), danish.dtype) == (29, "uint32")
    assert (len(russian), russian.dtype) == (33, "uint64")
    assert read("ÆØÅ\n", DANISH).masks.tolist() == [0b111 << 26]
    words = read("ель\nёль\n\u0415\u0308ль\nяё\n", RUSSIAN)
    assert list(words) == ["ель", "ёль", "яё"]
    assert words.dropped == Dropped(duplicate=1)
    assert words.masks[2] == 1 << 32 | 1 << 6
    assert group(words).masks.dtype == "uint64"
    assert len(group(words)) == 3


def test_alphabets_of_64_letters() -> None:
    """The 64th letter is bit 63; a 65th is refused."""
    letters = LATIN + RUSSIAN + "æøåßþ"
    assert len(letters) == 64
    assert read("þa\n", letters).masks.tolist() == [1 << 63 | 1]
    assert Alphabet(letters).letters_of(1 << 63 | 1) == "aþ"
    with pytest.raises(InputError, match="65 letters"):
        Alphabet(letters + "ð")


@pytest.mark.parametrize("letters", ["", "abca", "abcA", "åa\u030a", "ab c", "a\tb", "\u0301a"])
def test_what_cannot_be_an_alphabet_is_refused(letters: str) -> None:
    """A letter may not be repeated, even in another case or another normal form."""
    with pytest.raises(InputError):
        Alphabet(letters)


def test_signatures_stand_in_the_order_of_their_first_words() -> None:
    """Anagrams share a mask, in list order; kept apart, each has its own mask."""
    words = ["stale", "fjord", "least", "slate", "waltz"]
    filed = group(read("\n".join(words)))
    letters = [Alphabet().letters_of(int(mask)) for mask in filed.masks]
    assert letters == ["aelst", "dfjor", "altwz"]
    assert filed.weights.tolist() == [3, 1, 1]
    listed = tuple(filed.lexicon)
    assert [listed[member] for member in filed.members] == [
        *("stale", "least", "slate", "fjord", "waltz")
    ]
    apart = group(read("\n".join(words)), keep_anagrams=True)
    assert [Alphabet().letters_of(int(mask)) for mask in apart.masks] == [
        "".join(sorted(word)) for word in words
    ]
    assert apart.weights.tolist() == [1] * 5
