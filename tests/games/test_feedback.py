"""Exact feedback: repeated letters by hand, every way to write it, and what it leaves."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plain_hints import crossed_out
from wordpack.errors import InputError
from wordpack.games.feedback import Clue, consistent, marks
from wordpack.games.hints import Letters
from wordpack.lexicon.alphabet import Alphabet

LETTERS = "abcd"

BY_HAND = [
    ("allow", "label", "YYY.."),  # label has two l, at 1 and 5; a is at 2
    ("label", "allow", "YY..Y"),  # each l of the guess matches an l of allow at another place
    ("speed", "abide", "..Y.Y"),  # one e in abide, which the first e of the guess takes
    ("speed", "erase", "Y.YY."),  # two e in erase, none at 3 or 4
    ("speed", "steal", "G.G.."),  # its e is at 3: in place, so none is left for the second
    ("speed", "crepe", ".YGY."),  # e at 3 in place, and the other one is at 5
    (
        "eerie",
        "there",
        "Y.Y.G",
    ),  # e at 5 in place; only one of the first two e can match the e at 3
    ("llama", "small", "YYGY."),  # a at 3 in place, so none for the last; l at 4 and 5, m at 2
    ("geese", "those", "...GG"),  # e at 5 in place counts first, though two e come before it
    ("abbey", "babel", "YYGG."),  # the third letter and e in place; the other b is at 1
    ("tacit", "robot", "....G"),  # the last t in place: the first one is absent
    ("tacit", "trout", "G...G"),
]
"""Guess, answer, marks, each worked out from the rule."""


def row(word: str, alphabet: Alphabet) -> Letters:
    return np.array([alphabet.letters.index(letter) for letter in word], np.uint8)


def rows(words: list[str], alphabet: Alphabet) -> Letters:
    return np.array([row(word, alphabet) for word in words], np.uint8)


@pytest.mark.parametrize(("guess", "answer", "due"), BY_HAND)
def test_repeated_letters(guess: str, answer: str, due: str) -> None:
    found = marks(row(guess, Alphabet()), rows([answer], Alphabet()))
    assert "".join(".YG"[mark] for mark in found[0]) == due


words = st.integers(1, 6).flatmap(
    lambda length: st.lists(
        st.text(LETTERS, min_size=length, max_size=length), min_size=2, max_size=12
    )
)


@given(words)
def test_feedback_is_what_crossing_out_finds(drawn: list[str]) -> None:
    """Words of 1 to 6 letters use only four letters, so that most repeat."""
    alphabet = Alphabet(LETTERS)
    guess, table = row(drawn[0], alphabet), rows(drawn, alphabet)
    due = [crossed_out(drawn[0], answer) for answer in drawn]
    found = marks(guess, table)
    assert ["".join(".YG"[mark] for mark in each) for each in found] == due


@given(words, st.data())
def test_the_answer_survives_its_own_feedback(drawn: list[str], data: st.DataObject) -> None:
    """The answer is kept for every guess, and so are the words that a slow definition keeps."""
    alphabet = Alphabet(LETTERS)
    answer = data.draw(st.sampled_from(drawn))
    guesses = data.draw(st.lists(st.sampled_from(drawn), max_size=4))
    clues = [Clue.of(f"{guess}={crossed_out(guess, answer)}", alphabet) for guess in guesses]
    left = consistent(clues, rows(drawn, alphabet)).tolist()
    assert left[drawn.index(answer)]
    assert left == [
        all(crossed_out(guess, word) == crossed_out(guess, answer) for guess in guesses)
        for word in drawn
    ]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("tacit=Y....", "Y...."),
        ("TACIT=y....", "Y...."),
        ("tacit=gY.gG", "GY.GG"),
        ("tacit=\U0001f7e8\u2b1b\u2b1c\U0001f7e9\u2b1b", "Y..G."),
        ("tacit=\U0001f7e6\u2b1c\ufe0f\u2b1c\ufe0f\U0001f7e7\u2b1c", "Y..G."),
        ("ARISE=.r.se", ".G.GG"),
        ("ARISE=.R.SE", ".G.GG"),
        ("arise=.r.se+a", "YG.GG"),
        ("arise=.....+esi", "..YYY"),
        ("eerie=....e+e", "Y...G"),  # by the rule, the first of the two is misplaced
        ("geese=.....+ee", ".YY.."),
        ("gypsy=.y...", ".Y..."),  # all cells are marks, so they are read as marks
        ("gypsy=.....+y", ".Y..."),
    ],
)
def test_every_way_to_write_it(text: str, due: str) -> None:
    assert Clue.of(text, Alphabet()).marks == tuple(".YG".index(sign) for sign in due)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tacit", "write WORD=MARKS"),
        ("=Y....", "write WORD=MARKS"),
        ("tacit=Y...", "4 marks for a word of 5 letters"),
        ("tacit=Y...?", "cell 1 is 'y', neither 't' nor a dot"),
        ("tacit=....x", "cell 5 is 'x', neither 't' nor a dot"),
        ("tac1t=.....", "'1' is no letter of the alphabet"),
        ("arise=.R.se", "every letter shown is in place, capital or small"),
        ("arise=.r.se+q", "'q' after the + is no letter of arise"),
        ("arise=.r.se+r", "'r' after the + is no letter of arise that is not in place"),
        ("arise=.r.se+aa", "as often as it is misplaced"),
    ],
)
def test_what_says_nothing_is_refused(text: str, message: str) -> None:
    """One line shows the accepted forms."""
    with pytest.raises(InputError, match=re.escape(message)) as refused:
        Clue.of(text, Alphabet())
    assert "\n" not in str(refused.value)


def test_marks_that_no_word_gives_leave_none() -> None:
    """Cover a letter absent before it is misplaced, and one misplaced with the rest in place."""
    table = rows(["abca", "bacd", "aabb", "dcba", "cadb"], Alphabet(LETTERS))
    for text in ("aabb=.Y..", "abcd=GGGY", "aaaa=Y..."):
        assert not Clue.of(text, Alphabet(LETTERS)).fit(table).any()


def test_a_letter_absent_beside_the_same_one_present_is_not_absent() -> None:
    """The published absent filter would drop the answer here."""
    table = rows(["robot", "trout", "sport", "total"], Alphabet())
    clue = Clue.of("tacit=....G", Alphabet())
    assert clue.fit(table).tolist() == [True, False, True, False]
