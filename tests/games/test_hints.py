"""Check the hint solver against its author's lists, and its filters by a slow definition."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from published_hints import COMPUTED, TABLE
from wordpack.errors import InputError
from wordpack.games.hints import PUBLISHED, Filters, Ranked, computed, ranked, rows_of
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.lexicon import Lexicon
from wordpack.lexicon.reading import read_embedded, read_text

LETTERS = "abcde"


def answers() -> Lexicon:
    return read_embedded("wordle-answers", Alphabet())


def words_of(text: str, letters: str = LETTERS) -> Lexicon:
    return read_text(text.replace(" ", "\n"), "drawn", Alphabet(letters))


def left(filters: Filters, words: Ranked) -> list[str]:
    return [words.words[place] for place in np.flatnonzero(filters.fit(words.rows))]


def test_the_strings_are_computed_from_the_list() -> None:
    """Letters are sorted by frequency, rarest first; two of the five published strings differ."""
    words = answers()
    assert computed(rows_of(words), words.alphabet) == COMPUTED
    assert [one == other for one, other in zip(COMPUTED, PUBLISHED, strict=True)] == [
        *(True, False, True, True, False)
    ]


@pytest.mark.parametrize("strings", [COMPUTED, PUBLISHED], ids=["computed", "published"])
@pytest.mark.parametrize(("pattern", "misplaced", "absent", "n", "first", "last"), TABLE)
def test_the_published_lists(
    pattern: str,
    misplaced: list[str],
    absent: str,
    n: int,
    first: str,
    last: str,
    strings: tuple[str, ...],
) -> None:
    """Each published call gives the same words in the same order with both sets of strings."""
    filters = Filters.of(pattern, misplaced, absent, Alphabet())
    found = left(filters, ranked(answers(), strings))
    assert len(found) == n
    assert found[: len(first.split())] == first.split()
    assert found[-len(last.split()) :] == last.split()


def test_a_score_by_hand() -> None:
    """Add the positions of s, a, i, n, t in the five strings, and 100 for distinct letters."""
    best = ranked(answers())
    assert best.words[0] == "saint"
    assert best.scores[0] == 26 + 26 + 25 + 25 + 24 + 100
    fuzzy = best.words.index("fuzzy")
    assert best.scores[fuzzy] == 20 + 20 + 4 + 5 + 25


def test_equal_scores_stand_in_reverse_order() -> None:
    """In all six orders of three letters, each letter is equally frequent at every position."""
    found = ranked(words_of("abc bca cab acb bac cba"))
    assert set(found.scores.tolist()) == {3 + 4 + 5 + 100}
    assert found.words == ("cba", "cab", "bca", "bac", "acb", "abc")


def test_the_order_is_that_of_the_alphabet() -> None:
    """In Norwegian å comes last, though its code point is the lowest of the three."""
    found = ranked(words_of("æå åæ", "abcdefghijklmnopqrstuvwxyzæøå"))
    assert found.scores[0] == found.scores[1]
    assert found.words == ("åæ", "æå")


word = st.text(LETTERS, min_size=3, max_size=3)
cell = st.sampled_from([".", *LETTERS]) | st.text(LETTERS, min_size=1, max_size=4).flatmap(
    lambda letters: st.sampled_from([f"[{letters}]", f"[^{letters}]"])
)


@settings(max_examples=300, deadline=None)
@given(
    listed=st.lists(word, min_size=1, max_size=20, unique=True),
    pattern=st.lists(cell, min_size=3, max_size=3).map("".join),
    misplaced=st.lists(st.text(LETTERS, max_size=2), min_size=3, max_size=3),
    absent=st.text(LETTERS, max_size=2),
)
def test_filters_are_what_their_definition_says(
    listed: list[str], pattern: str, misplaced: list[str], absent: str
) -> None:
    """Cover a regular expression, misplaced letters and absent letters."""
    words = ranked(words_of(" ".join(listed)))
    due = [
        each
        for each in words.words
        if re.fullmatch(pattern, each)
        and all(
            letter in each and each[place] != letter
            for place, letters in enumerate(misplaced)
            for letter in letters
        )
        and not set(absent) & set(each)
    ]
    assert left(Filters.of(pattern, misplaced, absent, Alphabet(LETTERS)), words) == due


def test_words_of_another_length_do_not_fit() -> None:
    words = ranked(words_of("abc bca"))
    assert left(Filters.of("....", [], "", Alphabet(LETTERS)), words) == []


@pytest.mark.parametrize(
    ("pattern", "misplaced", "absent", "message"),
    [
        ("..x", [], "", "'x' among the pattern letters"),
        ("[ab", [], "", "unmatched bracket"),
        ("...", ["", "", "", "a"], "", "4 cells of misplaced letters for a pattern of 3"),
        ("...", [], "xyz", "'x' among the absent letters"),
        ("...", ["?"], "", "among the misplaced letters"),
        ("", [], "", "pattern is empty"),
    ],
)
def test_what_is_no_filter_is_refused(
    pattern: str, misplaced: list[str], absent: str, message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        Filters.of(pattern, misplaced, absent, Alphabet(LETTERS))


def test_published_strings_are_for_five_latin_letters() -> None:
    with pytest.raises(InputError, match="`table` computed"):
        ranked(words_of("abc", "abc"), PUBLISHED)
    with pytest.raises(InputError, match="`table` computed"):
        ranked(words_of("abcde", "abcde"), PUBLISHED)
