"""Reading only the lines of one length against reading them all and selecting."""

from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordpack.errors import InputError, Unavailable
from wordpack.lexicon import reading, scan
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.lexicon import Lexicon
from wordpack.lexicon.reading import read_file, read_text

pytestmark = pytest.mark.slow

BLOCK = 64
"""Bytes that the scan compares at a time."""

ALPHABETS = [LATIN, "ecab", "ab'7yke", LATIN + "æøå", "абв", "ba" + LATIN[2:] + "'-_0123456789" * 1]
HOSTILE = [*"aaabbbcyABZ", "'", "7", "-", "\t", " ", "\r", "\x0b", "\x1c", "\n", "\n", "\n", "\r\n"]
HOSTILE += ["\na\rb", "\ncb\r", "\r\r\n"]
HOSTILE += ["ab\n", "BA\r\n", "abc\n" * 3, "a" * 70]


def whole(raw: bytes, alphabet: Alphabet, length: int) -> Lexicon:
    return read_text(raw.decode(), "a test", alphabet).select(length, repeats=True)


def same(found: Lexicon, expected: Lexicon) -> None:
    """Assert that two lexicons agree in everything that can be asked of them."""
    assert list(found) == list(expected)
    assert found.masks.tolist() == expected.masks.tolist()
    assert found.masks.dtype == np.uint64
    assert found.lengths.tolist() == expected.lengths.tolist()
    assert found.order.tolist() == expected.order.tolist()
    assert found.account() == expected.account()


def fast(raw: bytes, alphabet: Alphabet, length: int) -> Lexicon:
    found = reading._read_length(raw, "a test", alphabet, length)
    assert (found is None) == to_be_trimmed(raw)
    return whole(raw, alphabet, length) if found is None else found


def to_be_trimmed(raw: bytes) -> bool:
    """Return whether a line begins or ends with white space, or has a CR that may end a line."""
    text = raw.removeprefix(BOM_UTF8).decode().replace("\r\n", "\n")
    return "\r" in text or any(line != line.strip() for line in text.split("\n"))


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw hostile ASCII, some of it across the edge between two blocks of the scan."""
    before = draw(st.sampled_from([0, 0, 1, 2]))
    line = "z" * (before * BLOCK - draw(st.integers(0, 12)) - 1) + "\n" if before else ""
    return line + draw(st.lists(st.sampled_from(HOSTILE), max_size=40).map("".join))


@settings(max_examples=1000, deadline=None)
@given(
    text=texts(),
    letters=st.sampled_from(ALPHABETS),
    length=st.integers(1, 5) | st.just(70),
    mark=st.sampled_from([b"", BOM_UTF8]),
)
def test_reading_one_length_equals_reading_all_and_selecting(
    text: str, letters: str, length: int, mark: bytes
) -> None:
    """Words, order, signatures, lines, and the count and first line of each dropped kind agree."""
    raw, alphabet = mark + text.encode(), Alphabet(letters)
    found, expected = fast(raw, alphabet, length), whole(raw, alphabet, length)
    same(found, expected)
    same(found.select(repeats=False), expected.select(repeats=False))
    assert found.select(repeats=False).examples == expected.select(repeats=False).examples


@settings(max_examples=300, deadline=None)
@given(text=texts(), data=st.data())
def test_files_of_all_kinds_are_read_alike(
    text: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A byte order mark, or a last word that is not ASCII, changes nothing."""
    mark, more = data.draw(st.sampled_from(["", "\ufeff"])), data.draw(st.sampled_from(["", "æb"]))
    raw = (mark + text + more).encode()
    path = tmp_path_factory.getbasetemp() / "words"
    path.write_bytes(raw)
    alphabet = Alphabet(LATIN + "æøå")
    same(read_file(str(path), alphabet, length=2), whole(raw, alphabet, 2))


def test_every_way_to_end_a_short_text() -> None:
    """The edges of the text, outside any block, are read correctly."""
    alphabet = Alphabet()
    pieces = ["", "\n", "\r", "\r\n", "a", "ab", "ab\n", "ab\r\n", "abc", "AB"]
    for first in pieces:
        for second in pieces:
            for third in pieces:
                raw = (first + second + third).encode()
                for length in (1, 2, 3, 4, 9):
                    same(fast(raw, alphabet, length), whole(raw, alphabet, length))


@pytest.mark.parametrize("length", [1, 2, 5])
def test_marks_of_one_block_are_not_those_of_the_next(length: int) -> None:
    """A full block of lines is followed by a shorter one with lines of another length."""
    for more in range(24):
        raw = b"a" * length + (b"\n" + b"a" * length) * (BLOCK // (length + 1))
        raw += b"\n" * more + b"bcbcbcbcbcbcbc"
        same(fast(raw, Alphabet(), length), whole(raw, Alphabet(), length))


def test_long_lists_in_every_order() -> None:
    """Thousands of lines, sorted or not, some repeated, of an ordinary and an odd alphabet."""
    generator = np.random.default_rng(5)
    words = [
        "".join(generator.choice(list("abcdeF"), generator.integers(1, 8))) for _ in range(9000)
    ]
    for lines in (words, sorted(words), sorted(set(words)), words[::-1]):
        for end in ("\n", "\r\n"):
            raw = end.join(lines).encode()
            for letters in (LATIN, "fedcb"):
                same(fast(raw, Alphabet(letters), 5), whole(raw, Alphabet(letters), 5))


@pytest.mark.parametrize("room", [0, 1, 1000])
def test_a_list_of_more_words_than_there_is_room_for(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scan continues correctly from where its buffer was full."""
    monkeypatch.setattr(scan, "ROOM", room)
    words = [f"{a}{b}" for a in "abcdefgh" for b in LATIN] * 9
    for lines in (words, [word + "x" * (i % 5 == 0) for i, word in enumerate(words)]):
        for end in ("\n", "\r\n"):
            raw = end.join(lines).encode()
            same(fast(raw, Alphabet(), 2), whole(raw, Alphabet(), 2))


def test_lines_are_accounted_for_when_someone_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole list is read once, however many words were dropped since."""
    calls = []
    read_all = reading.read_text

    def counting(*arguments: object, **more: object) -> Lexicon:
        calls.append(arguments)
        return read_all(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "read_text", counting)
    (tmp_path / "words").write_text("fjord\ngucks\nabc\nhello\nfjord\n")
    found = read_file(str(tmp_path / "words"), Alphabet(), length=5).select(5)
    assert list(found) == ["fjord", "gucks"]
    assert not calls
    assert (found.lines, found.dropped.duplicate, found.dropped.length) == (5, 1, 1)
    assert found.dropped.repeated_letter == 1
    assert found.examples == {"duplicate": "fjord", "length": "abc", "repeated_letter": "hello"}
    assert len(calls) == 1


def test_errors_come_at_once(tmp_path: Path) -> None:
    """A NUL or invalid UTF-8 is an error when the file is read, for every length."""
    for raw, said in (
        (b"abc\nde\0f\n", "it has a NUL at character 6"),
        (b"abc\nd\xff\n", "offset 5"),
    ):
        (tmp_path / "words").write_bytes(raw)
        with pytest.raises(InputError, match=said):
            read_file(str(tmp_path / "words"), Alphabet(), length=3)


@pytest.mark.parametrize("why", ["no compiler", "another encoding"])
def test_the_other_way_gives_the_same(
    why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slow reader serves when nothing can be compiled, and for other encodings."""

    def refuse(_function: Callable[..., int]) -> None:
        raise Unavailable("there is no compiler")

    text = "fjord\r\nFJORD\n\nabc\nhello\nben's\ngucks"
    (tmp_path / "words").write_bytes(
        text.encode("utf-16" if why == "another encoding" else "ascii")
    )
    if why == "no compiler":
        monkeypatch.setattr(scan, "kernel", refuse)
    encoding = "utf-16" if why == "another encoding" else "utf-8"
    found = read_file(str(tmp_path / "words"), Alphabet(), encoding, length=5)
    same(found, whole(text.encode(), Alphabet(), 5))


def test_the_order_of_words_is_the_alphabet_s() -> None:
    """Radix sort of words of one length agrees with sorting by comparison."""
    generator = np.random.default_rng(3)
    for letters in (
        "ba",
        "zyxabc",
        LATIN,
        LATIN + "æøå" + "абвгдежзийклмнопрстуфхцчшщъыьэюяё"[:30],
    ):
        for length in (1, 2, 3, 4, 7):
            words = ["".join(generator.choice(list(letters), length)) for _ in range(300)]
            found = read_text("\n".join(words), "a test", Alphabet(letters))
            kept = list(found)
            key = [[letters.index(letter) for letter in word] for word in kept]
            assert found.order.tolist() == sorted(range(len(kept)), key=key.__getitem__)
