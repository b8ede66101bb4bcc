"""The hint solver: the words that fit clues about a hidden word, and one game of guesses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict, Unpack, overload

import numpy as np

from wordpack.errors import InputError
from wordpack.games.feedback import Clue, consistent, marks
from wordpack.games.hints import PUBLISHED, Filters, Ranked, cells, ranked
from wordpack.games.play import GUESSES, play_of, replay
from wordpack.lexicon import reading
from wordpack.lexicon.alphabet import MAX_LETTERS, Alphabet
from wordpack.lexicon.letters import LATIN, WHITE
from wordpack.library.problems import Words, source_of
from wordpack.library.showing import data_frame, html_table, refuse_unknown
from wordpack.solving.loading import read_own
from wordpack.text.formatting import counted

if TYPE_CHECKING:
    from wordpack.games.hints import Letters
    from wordpack.lexicon.lexicon import Lexicon

LIST = "wordle-answers"
"""The published program's word list."""

LENGTH = 5

SHOWN = 10
"""Number of words that a notebook shows."""


class Listed(TypedDict, total=False):
    """Which words can be the hidden word, and how to score them."""

    words: Words
    """An embedded list by name, a Path, or the words (default: 'wordle-answers')."""
    letters: str
    """The alphabet, up to 64 letters."""
    encoding: str
    """Encoding of a file (default: utf-8)."""
    table: Literal["computed", "published"]
    """Letter frequencies to score by: computed from the list, or from the published code."""


class Candidates(Sequence[str]):
    """The words that fit the clues, best guess first."""

    def __init__(self, listed: Ranked, places: Sequence[int], name: str) -> None:
        """Take the words of `listed` at these places."""
        self._words = [listed.words[place] for place in places]
        self.scores: list[int] = [int(listed.scores[place]) for place in places]
        """The published score of each word."""
        self.of: int = len(listed)
        """How many words the list has."""
        self._name = name

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        """Return a word, or a list of words for a slice."""
        return self._words[place]

    def __len__(self) -> int:
        """Return how many words fit."""
        return len(self._words)

    def to_pandas(self) -> object:
        """Return a pandas DataFrame with the columns word and score."""
        return data_frame(list(zip(self._words, self.scores, strict=True)), ("word", "score"))

    def __repr__(self) -> str:
        """Say in one line how many words fit, and which is best."""
        best = f", the best guess is {self[0]}" if self._words else ""
        return f"<{len(self):,} of {self.of:,} words of {self._name} fit{best}>"

    def _repr_html_(self) -> str:
        """Show the best words as a table."""
        rows = list(zip(self._words, self.scores, strict=True))
        return html_table(
            repr(self)[1:-1], ("word", "score"), rows[:SHOWN], max(0, len(rows) - SHOWN)
        )


class Game(NamedTuple):
    """One game: the guesses and their feedback."""

    answer: str
    guesses: tuple[str, ...]
    marks: tuple[str, ...]
    """G (in place), Y (elsewhere) or . for each letter of each guess."""

    @property
    def missed(self) -> bool:
        """Whether it took more than six guesses."""
        return len(self.guesses) > GUESSES


def hints(
    pattern: str = "",
    *,
    misplaced: Sequence[str] = (),
    absent: str = "",
    present: Mapping[int, str] | None = None,
    guesses: Iterable[str] = (),
    **listed: Unpack[Listed],
) -> Candidates:
    """Return the words that fit the clues, highest published score first.

    `pattern` has one cell per position: a letter, a dot for any letter, [rn] or [^rn]. `misplaced`
    has, for each position, letters that are in the word but not there; `present` maps positions,
    from 1, to such letters. `absent` has letters that are not in the word. `guesses` have exact
    feedback: 'tacit=Y....', coloured squares, or 'arise=.r.se+a'. Raises InputError for clues that
    cannot be read.

    Examples
    --------
    >>> from wordpack import hints
    >>> list(hints("f...d", absent="i", words=["fjord", "field", "fiend"]))
    ['fjord']
    """
    refuse_unknown("hints", listed, Listed.__optional_keys__)
    alphabet = Alphabet(listed.get("letters", LATIN))
    clues = [Clue.of(text, alphabet) for text in guesses]
    length = length_of(pattern, clues, alphabet)
    words = words_of(listed, length, alphabet)
    scored = ranked_by(words, listed)
    filters = Filters.of(
        pattern or "." * length,
        with_present(misplaced, present or {}, length),
        absent,
        alphabet,
    )
    return fitting(scored, filters, clues, words.name)


def fitting(scored: Ranked, filters: Filters, clues: Sequence[Clue], name: str) -> Candidates:
    """Return the words that pass the filters and agree with all feedback."""
    fits = filters.fit(scored.rows) & consistent(clues, scored.rows)
    return Candidates(scored, np.flatnonzero(fits).tolist(), name)


def play(answer: str, *, start: str | None = None, **listed: Unpack[Listed]) -> Game:
    """Let the hint solver find `answer`: it always guesses the best-scored word left.

    `start` is the first guess (default: the word with the highest score). Raises InputError if
    `answer` is not in the list.

    Examples
    --------
    >>> from wordpack import play
    >>> play("essay", start="slant").guesses[-1]
    'essay'
    """
    refuse_unknown("play", listed, Listed.__optional_keys__)
    alphabet = Alphabet(listed.get("letters", LATIN))
    length = len(alphabet.spelt(answer.strip(WHITE)))
    scored = ranked_by(words_of(listed, length, alphabet), listed)
    first = scored.rows[0] if start is None else row_of(start.strip(WHITE), alphabet)
    return game(scored, first, place_of(scored, answer))


def game(listed: Ranked, start: Letters, answer: int) -> Game:
    """Return the game for the word at index `answer` that begins with the guess `start`."""
    problem, letters = play_of(listed, start[None, :]), listed.alphabet.letters
    guesses = np.array(replay(problem, 0, answer), np.uint8)
    hidden = listed.rows[answer][None, :]
    shown = ("".join(".YG"[mark] for mark in marks(guess, hidden)[0]) for guess in guesses)
    words = ("".join(letters[place] for place in guess.tolist()) for guess in guesses)
    return Game(listed.words[answer], tuple(words), tuple(shown))


def words_of(listed: Listed, length: int, alphabet: Alphabet) -> Lexicon:
    """Return the words of `length` letters that can be the hidden word."""
    if length > MAX_LETTERS:
        raise InputError(
            f"words of {length} letters are too long: hints and games take at most {MAX_LETTERS}"
        )
    source = source_of(listed.get("words", LIST), listed.get("encoding", "utf-8"))
    if source.embedded:
        found = reading.read_embedded(source.name, alphabet, length).select(length, repeats=True)
    else:
        found = read_own(source, alphabet, length)
    if not len(found):
        if lost := found.lost_to_alphabet(length):
            raise InputError(f"no word of {found.name} is left: {lost}")
        raise InputError(
            f"{found.name} has no word of {counted(length, 'letter')} in the alphabet "
            f"{alphabet.spelled}: name another list, or its `letters`"
        )
    return found


def ranked_by(words: Lexicon, listed: Listed) -> Ranked:
    """Return `words` sorted by score."""
    return ranked(words, PUBLISHED if listed.get("table") == "published" else None)


def length_of(pattern: str, clues: Sequence[Clue], alphabet: Alphabet) -> int:
    """Return the length of the words: that of the pattern or guesses, else LENGTH."""
    lengths = [len(cells(pattern, alphabet))] if pattern else []
    lengths += [len(clue.guess) for clue in clues]
    if len(set(lengths)) > 1:
        raise InputError(
            "pattern and guesses have different lengths: "
            f"{', '.join(str(length) for length in lengths)} letters; give them the same length"
        )
    return lengths[0] if lengths else LENGTH


def with_present(misplaced: Sequence[str], present: Mapping[int, str], length: int) -> list[str]:
    """Return, for each position, the letters that are in the word but not there."""
    if misplaced and len(misplaced) != length:
        raise InputError(
            f"{counted(len(misplaced), 'cell')} of misplaced letters for {length} positions: "
            "give one for each position, '' for none"
        )
    found = list(misplaced) or [""] * length
    for position, letters in present.items():
        if not 1 <= position <= length:
            raise InputError(f"`present` {position}:{letters}: positions are 1 to {length}")
        found[position - 1] += letters
    return found


def place_of(listed: Ranked, answer: str) -> int:
    """Return the index of `answer` among the words of the list."""
    word = listed.alphabet.spelt(answer.strip(WHITE) or answer)
    if word not in listed.words:
        raise InputError(
            f"`answer` {answer} is not among the {counted(len(listed), 'word')} that can be the "
            "answer: name another word, or another list"
        )
    return listed.words.index(word)


def row_of(word: str, alphabet: Alphabet) -> Letters:
    """Return a start word as letter indices, shape (length,)."""
    word = alphabet.spelt(word)
    for letter in word:
        if letter not in alphabet.letters:
            raise InputError(
                f"`start` {word}: {letter!r} is no letter of the alphabet {alphabet.spelled}: "
                "name another with `letters`"
            )
    return np.array([alphabet.letters.index(letter) for letter in word], np.uint8)
