"""Whole games on many workers: each task plays a range of start words.

Games of different start words share nothing, so ranges may be of any size. A task's part is an
.npy table (start words, answers) of `Play.dtype`; the client puts the parts together in order.
Cost: a byte or two for each game, written and read once.
"""

import hashlib
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from wordpack import __version__
from wordpack.backend import choosing, registry
from wordpack.backend.base import Options
from wordpack.backend.row import Row
from wordpack.cluster import checkpoint, parts, running
from wordpack.cluster.checkpoint import Checkpoint, Record
from wordpack.cluster.connection import check, connected
from wordpack.cluster.members import has_gpu, members, said
from wordpack.cluster.running import Task
from wordpack.cluster.searching import DEVICE
from wordpack.cluster.sharing import WAVES, Sharing
from wordpack.errors import WrongAnswer
from wordpack.games.play import Games, Numbers, Play

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

    from wordpack.cluster.security import Certificates

GAME = 1.2e-8
"""About how many seconds a game takes in one thread (28 microseconds for 2,315 games)."""

SHORT = 5e6
"""Fewer games than this are not shared: they take less time than a worker's start."""

PART = 1 << 24
"""The most games in a task, and so in a part's file, unless the number of tasks is given."""


@dataclass(frozen=True)
class GamesJob:
    """The games of ranges of start words, for workers."""

    play: Play
    bounds: tuple[int, ...]
    """Task i plays the start words bounds[i] <= start < bounds[i + 1]."""
    backend: str
    folder: str
    run: str

    def perform(self, number: int) -> Record:
        """Play the games of a range."""
        first, last = self.bounds[number], self.bounds[number + 1]
        play = Play(self.play.answers, self.play.starts[first:last], self.play.letters)
        row = self._row(play)
        options = row.honoured(Options(threads=1))
        with DEVICE if row.start_up else nullcontext():
            search = row.load().prepare(play, options)
            games = search.run()
        guesses = _shaped(games, play, row.name)
        record: Record = {"backend": row.name}
        if not checkpoint.sees(self.folder, self.run):
            return record | {"tables": [guesses]}
        part = parts.write(Path(self.folder), parts.name(number, 0), guesses)
        return record | {"files": [part]}

    def _row(self, play: Play) -> Row:
        """Return the backend for this process: the named one, or for 'auto' the best here."""
        if self.backend != "auto":
            return registry.row(self.backend)
        return choosing.first("play", play, Options(), devices=has_gpu())


def _shaped(games: object, play: Play, name: str) -> Numbers:
    """Return the table of guesses; WrongAnswer if its shape or dtype is wrong."""
    guesses = games.guesses if isinstance(games, Games) else None
    shape = (len(play.starts), len(play.answers))
    if guesses is None or (guesses.shape, guesses.dtype) != (shape, play.dtype):
        raise WrongAnswer(f"{name} did not return a table {shape} of {play.dtype}")
    return guesses


def cut(play: Play, tasks: int) -> tuple[int, ...]:
    """Return the bounds of at most `tasks` ranges of start words, of nearly equal size."""
    most = min(tasks, len(play.starts))
    return tuple(len(play.starts) * i // most for i in range(most + 1))


def _tasks_for(play: Play, threads: int) -> int:
    """Return how many tasks to make for workers with so many threads in all."""
    if play.games < SHORT:
        return 1
    return max(WAVES * threads, -(-play.games // PART))


def _digest_of(play: Play) -> str:
    """Return the sha256 (hex) of a play's letters, answers and start words, in order."""
    sha = hashlib.sha256(np.array([play.letters, *play.answers.shape], "<u8").data)
    sha.update(np.ascontiguousarray(play.answers).data)
    sha.update(np.ascontiguousarray(play.starts).data)
    return sha.hexdigest()


@dataclass
class Played:
    """All games of a run, and how they were played."""

    games: Games = field(repr=False)
    device: str
    """The cluster, and how many tasks each backend ran."""
    seconds: float
    """From the first task until the client has read all parts."""
    tasks: int
    resumed: int
    """Tasks that an earlier run had finished."""


def play_on(
    address: str, play: Play, plan: Sharing, security: "Certificates | Security | None" = None
) -> Played:
    """Play all games of `play` on the cluster at `address`, without verifying them.

    `plan.slices` is the approximate number of tasks, `plan.backend` a backend of the workload
    'play', and `security` as for `connected`. Raises InputError if the cluster cannot be reached,
    a task fails for good, or the plan's folder holds another run; WrongAnswer if a backend returns
    no valid table of games.
    """
    check(address, security)
    if plan.backend != "auto":
        choosing.named(plan.backend, "play", play, Options(), here=False)
    with connected(address, security) as client:
        return _play(client, play, plan)


def _play(client: "Client", play: Play, plan: Sharing) -> Played:
    workers = members(client)
    asked = plan.slices or checkpoint.asked_before(plan.folder, resume=plan.resume)
    asked = asked or _tasks_for(play, workers.threads)
    bounds = cut(play, asked)
    identity = {
        "wordpack": __version__,
        "kind": "play",
        "games": _digest_of(play),
        "asked": asked,
        "tasks": len(bounds) - 1,
    }
    with checkpoint.kept(plan.folder, identity, resume=plan.resume) as kept:
        resumed = len(kept.done)
        job = GamesJob(play, bounds, plan.backend, str(kept.folder.resolve()), kept.run)
        tasks = [
            Task(i, f"range {i} (start words {first:,} to {last - 1:,})", GAME * (last - first))
            for i, (first, last) in enumerate(pairwise(bounds))
        ]
        started = perf_counter()
        with checkpoint.said_kept(kept, len(tasks), "ranges of start words"):
            running.finish(client, job, tasks, kept, "ranges")
        games = Games(play, _together(play, bounds, kept))
        used = Counter(str(record["backend"]) for record in kept.done.values())
        taken = perf_counter() - started
        return Played(games, f"{workers} ({said(used)})", taken, len(tasks), resumed)


def _together(play: Play, bounds: tuple[int, ...], kept: Checkpoint) -> Numbers:
    """Read the parts, in order, into one table (start words, answers)."""
    guesses = np.empty((len(play.starts), len(play.answers)), play.dtype)
    for i, (first, last) in enumerate(pairwise(bounds)):
        [part] = kept.done[i]["files"]
        guesses[first:last] = parts.read(kept.folder / part["name"])
    return guesses
