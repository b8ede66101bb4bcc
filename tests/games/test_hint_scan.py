"""Hints from one compiled pass equal those of filters and feedback applied one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plain_hints import crossed_out
from published_hints import TABLE
from wordpack.games.feedback import Clue, consistent
from wordpack.games.hint_scan import HintScan, known
from wordpack.games.hints import Filters, ranked
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_embedded, read_text

pytestmark = pytest.mark.slow

MANY = "".join(chr(0x430 + place) for place in range(32)) + "".join(
    chr(0x561 + place) for place in range(32)
)
"""Cyrillic and Armenian: 64 letters."""


@st.composite
def cases(draw: st.DrawFn) -> tuple[HintScan, Filters, list[Clue]]:
    """Draw a few words of few letters, filters, and marks, some of which no word gives."""
    letters = draw(st.sampled_from(["abc", MANY[:2] + MANY[-2:]]))
    alphabet = Alphabet(letters if letters == "abc" else MANY)
    length = draw(st.integers(1, 5))
    word = st.text(letters, min_size=length, max_size=length)
    listed = draw(st.lists(word, min_size=1, max_size=15, unique=True))
    cell = st.sampled_from([".", f"[^{letters[0]}]", *letters])
    pattern = "".join(draw(st.lists(cell, min_size=length, max_size=length)))
    misplaced = draw(st.lists(st.text(letters, max_size=1), min_size=length, max_size=length))
    filters = Filters.of(pattern, misplaced, draw(st.text(letters[1:], max_size=1)), alphabet)
    if draw(st.booleans()):
        filters = Filters.of("." * length, [], "", alphabet)
    clues = []
    for guess in draw(st.lists(word, max_size=3)):
        marks = draw(
            st.sampled_from([crossed_out(guess, answer) for answer in listed])
            | st.text("GY.", min_size=length, max_size=length)
        )
        clues.append(Clue.of(f"{guess}={marks}", alphabet))
    return HintScan(ranked(read_text("\n".join(listed), "drawn", alphabet))), filters, clues


@settings(max_examples=500, deadline=None)
@given(cases())
def test_the_pass_finds_what_each_says(case: tuple[HintScan, Filters, list[Clue]]) -> None:
    """Cover marks that no word gives, and letters beyond the first 32."""
    scan, filters, clues = case
    rows = scan.words.rows
    due = np.flatnonzero(filters.fit(rows) & consistent(clues, rows))
    assert scan.fitting(filters, clues).tolist() == due.tolist()


@pytest.mark.parametrize("row", TABLE)
def test_the_published_lists(row: tuple[str, list[str], str, int, str, str]) -> None:
    """One prepared scan, asked repeatedly, gives the published lists in order."""
    pattern, misplaced, absent, n, first, last = row
    scan = HintScan(ranked(read_embedded("wordle-answers", Alphabet())))
    for _ in range(2):
        places = scan.fitting(Filters.of(pattern, misplaced, absent, Alphabet()))
        found = [scan.words.words[place] for place in places]
        assert len(found) == n
        assert found[: len(first.split())] == first.split()
        assert found[-len(last.split()) :] == last.split()


def test_words_of_another_length_fit_nothing() -> None:
    scan = HintScan(ranked(read_text("abc", "one", Alphabet("abc"))))
    two, three = (Filters.of("." * length, [], "", Alphabet("abc")) for length in (2, 3))
    assert scan.fitting(two).tolist() == []
    assert scan.fitting(three, [Clue.of("ab=GG", Alphabet("abc"))]).tolist() == []
    assert scan.fitting(three).tolist() == [0]


def test_what_is_known_in_masks_and_bounds() -> None:
    """Work out eerie=Y.Y.G by hand: two e, one of them last; an r, not third; no i."""
    alphabet = Alphabet()
    what = known(Filters.of(".....", [], "", alphabet), [Clue.of("eerie=Y.Y.G", alphabet)])
    letters = [set(alphabet.letters) - set(alphabet.letters_of(mask)) for mask in what.allowed]
    assert letters == [{"e"}, {"e"}, {"r"}, {"i"}, set(alphabet.letters) - {"e"}]
    bounds = {alphabet.letters[letter]: (least, most) for letter, least, most in what.bounds}
    assert bounds == {"e": (2, 2), "r": (1, 5), "i": (0, 0)}
