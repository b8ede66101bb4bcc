"""Game tree: all games of a start word form a tree of sets of answers, cut by each guess.

Answers are sorted by score, so a set's first member is its next guess, and cutting the others by
feedback keeps the order. A set is a chain through one array; cutting it appends each answer to the
chain of its feedback, whose last member is in a small table. The trick is that nothing branches on
the answers: a table entry carries the number of the cut that wrote it, so the table is never
cleared, and the first answer of a chain is appended to a dummy chain that is never read.
Sets of one to three answers need no cut. Each answer is the guess of one set, so all games of a
start word cost one feedback per guess of each game, except the last guess.
Feedback of the best-scored guesses is precomputed, in at most HELD bytes (2,315 answers: 5.4 MB for
all of them), and computed pair by pair for the others. Threads share the start words.
Cost: 28 microseconds per start word over 2,315 answers, in one thread.
Start words have little in common: of these answers, in sets of three or more after the first guess,
6 in 100 are in a set that an earlier start word had too.
Source: ours; exhaustive solvers also treat whole games as a tree of sets.
"""

from typing import NamedTuple

import numpy as np

from wordpack.backend.base import Backend, Options, Prepared, Refusal
from wordpack.compiled.instructions import take
from wordpack.compiled.jit import Int32s, Int64s, Uint8s, Uint8Table, kernel, versions
from wordpack.compiled.threads import finish, of_threads, pool, usable_cores
from wordpack.games.play import Games, Play
from wordpack.kernels.games.feedback_codes import (
    WIDE,
    columns,
    dtype,
    fill,
    kinds,
    pair_code,
    row_codes,
)

HELD = 1 << 26
"""Most bytes of precomputed feedback."""

GRAIN = 16
"""Start words that a thread draws at a time."""

HALF = 32
CHAIN = (1 << HALF) - 1


class GameTree(Backend):
    """Games as a tree of sets, on the processor."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, play: Play, _options: Options) -> Refusal | None:
        """Refuse words whose feedback, or games whose guesses, need more bits."""
        if play.answers.shape[1] > WIDE:
            return Refusal("shape", f"a feedback has 16 bits: words have at most {WIDE} letters")
        if play.dtype != np.uint8:
            return Refusal(
                "shape", f"a game may have {play.longest} guesses: more than a byte holds"
            )
        return None

    def prepare(self, play: Play, options: Options) -> "GameTreeSearch":
        """Compile, precompute the feedback that fits, start the threads."""
        return GameTreeSearch(play, options)


class GameTreeSearch(Prepared):
    """Prepared games; threads share the start words."""

    def __init__(self, play: Play, options: Options) -> None:
        self._play = play
        self._answers, n = columns(play.answers), len(play.answers)
        self._starts = np.ascontiguousarray(play.starts)
        self._length = length = play.answers.shape[1]
        self._threads = max(1, min(options.threads or usable_cores(), len(play.starts) // GRAIN))
        self._pool = pool(self._threads)
        self._kernel = kernel(_play_starts, **kinds(length, "held", "codes"))
        self._held = np.empty(
            (min(n, HELD // (n * np.dtype(dtype(length)).itemsize)), n), dtype(length)
        )
        kernel(fill, **kinds(length, "held"))(
            *(self._answers, np.empty(length, np.uint8), np.empty(n, np.uint8), self._held),
            np.zeros(1, np.int64),
        )
        self._drawn = np.zeros(1, np.int64)

    @property
    def device(self) -> str:
        """The device it runs on."""
        return of_threads(self._threads)

    def progress(self) -> float:
        """Return the share of start words that threads have drawn in the current run."""
        return min(1.0, float(self._drawn[0]) / len(self._play.starts))

    def run(self) -> Games:
        """Play all games. The caller's thread only waits, so Ctrl-C reaches it."""
        play, stop = self._play, np.zeros(1, np.int64)
        guesses = np.empty((len(play.starts), len(play.answers)), np.uint8)
        self._drawn = drawn = np.zeros(1, np.int64)
        workers = [
            self._pool.submit(self._work, guesses, drawn, stop) for _ in range(self._threads)
        ]
        finish(workers, stop)
        return Games(play, guesses)

    def _work(self, guesses: Uint8Table, drawn: Int64s, stop: Int64s) -> None:
        n = len(self._play.answers)
        chains = _Chains(
            *(np.empty(n + 1, np.int64), np.empty(n + 1, np.int32)),
            *(np.zeros(3**self._length, np.int64), np.empty(n, np.uint8)),
        )
        self._kernel(
            *(self._answers, self._held, np.empty((1, n), dtype(self._length)), chains),
            _Starts(self._starts, drawn, GRAIN, stop),
            guesses,
        )


class _Starts(NamedTuple):
    """Start words (s, length); threads draw `grain` at a time, `drawn` being the next number."""

    words: Uint8Table
    drawn: Int64s
    grain: int
    stop: Int64s


class _Chains(NamedTuple):
    """Scratch space: chains still to cut, each answer's next one, each feedback's last one."""

    heads: Int64s
    next_of: Int32s
    """(n + 1,)"""
    ends: Int64s
    """0 at first."""
    free: Uint8s


def _play_starts(
    answers: Uint8Table,
    held: Uint8Table,
    codes: Uint8Table,
    chains: _Chains,
    starts: _Starts,
    guesses: Uint8Table,
) -> int:
    """Play the games of start words until none is left to draw.

    `answers` (length, n), `guesses` (s, n); `codes` (1, n) is scratch space.
    """
    solved, cut, grain, words = len(chains.ends) - 1, 0, starts.grain, starts.words
    first = take(starts.drawn, grain)
    while first < len(words):
        for start in range(first, min(first + grain, len(words))):
            if starts.stop[0]:
                return 0
            row_codes(words[start], answers, chains.free, codes[0])
            cut = _games(answers, held, codes[0], chains, cut, guesses[start])
            for answer in range(codes.shape[1]):
                if codes[0, answer] == solved:
                    guesses[start, answer] = 1
        first = take(starts.drawn, grain)
    return 0


def _games(
    answers: Uint8Table,
    held: Uint8Table,
    codes: Uint8s,
    chains: _Chains,
    cut: int,
    guesses: Uint8s,
) -> int:
    """Write the guesses of all games after one start word; return the number of the last cut.

    A cut's number has 32 bits: 4e9 cuts, enough for 2e6 start words per thread and call.
    """
    heads, next_of, top = chains.heads, chains.next_of, 0
    cut += 1
    for answer in range(len(codes)):
        top = _append(chains, answer, int(codes[answer]), cut, 2, top)
    while top:
        top -= 1
        head, taken = heads[top] & CHAIN, heads[top] >> HALF
        guesses[head] = taken
        second = next_of[head]
        if second < 0:
            continue
        guesses[second] = taken + 1
        third = next_of[second]
        if third < 0:
            continue
        if next_of[third] < 0:
            same = _code(answers, held, head, second) == _code(answers, held, head, third)
            guesses[third] = taken + (2 if same else 1)
            continue
        cut += 1
        answer = second
        while answer >= 0:
            after = next_of[answer]
            code = _code(answers, held, head, answer)
            top = _append(chains, answer, code, cut, taken + 1, top)
            answer = after
    return cut


def _code(answers: Uint8Table, held: Uint8Table, guess: int, answer: int) -> int:
    """Return the feedback of a guess for an answer, precomputed or not."""
    if guess < len(held):
        return int(held[guess, answer])
    return pair_code(answers, guess, answer)


def _append(chains: _Chains, answer: int, code: int, cut: int, taken: int, top: int) -> int:
    """Append an answer to the chain of its feedback; return the number of chains still to cut."""
    next_of, nobody = chains.next_of, len(chains.next_of) - 1
    end = chains.ends[code]
    new = end >> HALF != cut
    next_of[nobody if new else end & CHAIN] = answer
    next_of[answer] = -1
    chains.ends[code] = (cut << HALF) | answer
    chains.heads[top] = (taken << HALF) | answer
    return top + (1 if new else 0)
