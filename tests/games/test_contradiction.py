"""Feedback that no word can give: a line says why, and only if no word at all fits."""

from itertools import product

import numpy as np
import pytest
from conftest import Command
from hypothesis import given
from hypothesis import strategies as st

from wordpack.games.contradiction import impossible
from wordpack.games.feedback import Clue, marks
from wordpack.games.hints import Filters
from wordpack.lexicon.alphabet import Alphabet

SAID = [
    ("tacit=G.... arise=G....", ["position 1", "'t' and 'a'", "tacit=G....", "arise=G...."]),
    ("tacit=.G... bacon=.Y...", ["'a'", "in place and not in place at position 2"]),
    ("geese=.Y..G geese=..Y.G", ["'e'", "absent at position 2", "misplaced at position 3"]),
    ("geese=.GG.G crane=....Y", ["'e'", "in place and not in place at position 5"]),
    # speed has e twice or more, eerie has it once
    ("speed=..YY. eerie=Y....", ["'e'", "2 times or more, and 1 at most"]),
    ("tacit=YYYY. rumen=YYYY.", ["need 8 positions", "has 5"]),
    ("abcde=GGGGY", ["'e' is in the word", "no position is left for it"]),
    # e may be at position 1 only, which a has
    ("xeeee=.Y... aquas=G....", ["'e' is in the word", "no position is left for it"]),
    ("crane=G.... tacit=..... crown=.....", ["'c'", "crane=G....", "crown=....."]),
    (".r... --absent r", ["the pattern and its letters contradict each other", "position 2"]),
    ("a.... bacon=G....", ["--guess bacon=G....", "the pattern and its letters"]),
]


@pytest.mark.parametrize(("question", "fragments"), SAID)
def test_the_line_says_why(wordpack: Command, question: str, fragments: list[str]) -> None:
    """One line names the letter, the position, and the guesses in conflict."""
    arguments: list[str] = []
    for each in question.split():
        arguments += ["--guess", each] if "=" in each else [each]
    outcome = wordpack("hints", *arguments)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (0, "", 1)
    assert outcome.err.startswith("no word can fit: ")
    for fragment in fragments:
        assert fragment in outcome.err


def test_guesses_that_agree_are_not_named(wordpack: Command) -> None:
    """Of three guesses, only the two in conflict are named."""
    outcome = wordpack("hints", *("--guess", "shout=....."), *("--guess", "crane=G...."), "b....")
    assert "shout" not in outcome.err
    assert "crane=G...." in outcome.err


def test_a_list_may_lack_what_a_word_could_be(wordpack: Command) -> None:
    """If words are possible but the list has none, no contradiction is claimed."""
    outcome = wordpack("hints", "zzz..")
    assert outcome.err == "no word of wordle-answers fits all of this\n"


LETTERS = Alphabet("abc")
WORDS = np.array(list(product(range(3), repeat=3)), np.uint8)


@given(
    st.lists(
        st.tuples(
            st.tuples(*[st.integers(0, 2)] * 3),
            st.tuples(*[st.integers(0, 2)] * 3),
        ),
        max_size=3,
    ),
    st.tuples(*[st.integers(0, 7)] * 3),
    st.integers(0, 7),
)
def test_it_is_said_of_what_no_word_fits_and_of_nothing_else(
    pairs: list[tuple[tuple[int, ...], tuple[int, ...]]],
    allowed: tuple[int, ...],
    needed: int,
) -> None:
    """Try all 27 three-letter words over abc, by the definition of marks."""
    clues = [Clue(guess, given) for guess, given in pairs]
    filters = Filters(allowed, needed)
    fits = filters.fit(WORDS)
    for guess, seen in pairs:
        fits &= (marks(np.array(guess, np.uint8), WORDS) == np.array(seen)).all(axis=1)
    why = impossible(filters, clues, [str(each) for each in range(len(pairs))], LETTERS)
    assert (why is None) == bool(fits.any())
