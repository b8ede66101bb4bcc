"""Race backends on one instance: each in its own process, under a budget, every run verified.

Only one process works at a time; compilers stop while another one does. All first calls come
first; then the backends take turns, so that a machine that slows down slows all of them. A time
counts only with its verified answer.
"""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

from wordpack.backend.row import Row
from wordpack.racing import conversation as state
from wordpack.racing.compiling import as_compiled
from wordpack.racing.conversation import Answered, Broken, End, Progress, State, Taken, Wrong
from wordpack.racing.entry import REPEAT, SLOW, Entry, Lineup
from wordpack.racing.racer_process import Child
from wordpack.solving.judge import judge
from wordpack.text.formatting import roughly

if TYPE_CHECKING:
    from wordpack.errors import InputError

RACER = "wordpack.racing.racer"
"""The module that a backend's process runs."""

LEAST = 0.01
"""The share of a search that must be done before its total time is estimated."""

UNTIMED = 900.0
"""Seconds that loading or verifying may take before a backend counts as hung."""


class Race:
    """A race under way; `entries` can be shown or stored at any time."""

    def __init__(self, lineup: Lineup, changed: Callable[[], None] = lambda: None) -> None:
        self.lineup = lineup
        self.entries = [Entry(row) for row in lineup.rows]
        self.changed = changed
        """Called after every change, and about once a second inside a timed region."""
        self.say: Callable[[str], None] = lambda _line: None
        """Called with a line about slow work before the race begins."""
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self.finished = False
        """Whether every backend had its turns and nothing interrupted the race."""
        self.fault: InputError | None = None
        """Why its file could not be written."""
        self._children: dict[str, Child] = {}
        self._began = 0.0
        """When the timed region under way began, by `monotonic`."""
        self._estimate: float | None = None
        """Total seconds that the running backend predicts; `_done` is the share it has done."""
        self._done = 0.0

    def run(self) -> None:
        """Run the whole race; KeyboardInterrupt ends the children and keeps what was measured."""
        with ExitStack() as stack:
            stack.callback(self._close_all)
            entries = {entry.row: entry for entry in self.entries}
            ready = as_compiled(self.lineup, self._order, RACER, self.say)
            # compilers end with it, after Ctrl-C too
            for row in stack.enter_context(closing(ready)):
                self._start(entries[row])
                self.changed()
            for turn in range(self.lineup.repeat or REPEAT):
                # shuffled, so no backend always follows the same other; seeded, to be repeatable
                for entry in Random(turn).sample(self.entries, len(self.entries)):  # noqa: S311  no secret
                    alive = entry.status == "ok" and entry.row.name in self._children
                    if alive and self._fits(entry):
                        self._run(entry)
                        self.changed()

    def _order(self, row: Row) -> dict[str, Any]:
        return {
            "row": row.to_json(),
            "spec": asdict(self.lineup.instance.spec),
            "by_name": row.name in self.lineup.by_name,
            "threads": self.lineup.threads,
        }

    def _fits(self, entry: Entry) -> bool:
        slowest = max(entry.times, default=0.0)
        if self.lineup.repeat is None and slowest > SLOW:
            return False
        return entry.spent + slowest <= self.lineup.budget

    def _start(self, entry: Entry) -> None:
        entry.status, entry.reason = "running", "preparing"
        self.changed()
        try:
            self._children[entry.row.name] = Child(RACER, self._order(entry.row))
        except OSError as error:
            self._stop(entry, "crashed", f"its process could not be started ({error.strerror})")
            return
        done = self._timed(entry, state.STARTING, state.PREPARING)
        if done:
            entry.prepare, entry.device, entry.using = done.seconds, done.device, done.using
            entry.facts = done.facts
            entry.reason = "first call"
            self.changed()
            self._run(entry)

    def _run(self, entry: Entry) -> None:
        child = self._children[entry.row.name]
        child.say({"run": True})
        done = self._timed(entry, state.ORDERED, state.RUNNING)
        if done is None:
            return
        answer = self._hear(entry, state.VERIFYING, UNTIMED, "verifying its answer hung")
        if answer is None:
            return
        wrong = answer.reason if isinstance(answer, Wrong) else self._fault(entry, answer)
        if isinstance(answer, Wrong) or wrong:
            self._stop(entry, "wrong", wrong or "")
            return
        entry.found, entry.digest = answer.found, answer.digest
        entry.status, entry.reason = "ok", ""
        if entry.first is None:
            entry.first, entry.first_readings = done.seconds, answer.readings
        else:
            entry.samples.append(done.seconds)
            entry.sample_readings.append(answer.readings)

    def _fault(self, entry: Entry, answer: Answered) -> str | None:
        """Return how a valid answer differs from what is known, or None."""
        workload = self.lineup.workload
        if set(answer.found) != set(workload.columns):
            return f"its answer lacks the numbers of {', '.join(workload.columns)}"
        found = answer.found | {"digest": answer.digest}
        differs = judge(found, self.lineup.instance.expected).differs
        if differs and differs.what == "digest":
            return f"it found other {workload.columns[0]} than those known"
        if differs:
            return f"it found {differs.found:,} {differs.what} instead of {differs.due:,}"
        if entry.digest not in (None, answer.digest):
            return f"its runs found different {workload.columns[0]}"
        return None

    def _timed(self, entry: Entry, before: State[Any], inside: State[Taken]) -> Taken | None:
        """Wait through a timed region; at the end of the budget kill the racer and return None."""
        if self._hear(entry, before, UNTIMED, "it hung before its clock was started") is None:
            return None
        left = self.lineup.budget - entry.spent
        self._began, self._estimate = monotonic(), None
        return self._hear(entry, inside, left, "", "out_of_budget")

    def _hear(
        self, entry: Entry, now: State[Taken], limit: float, late: str, status: str = "crashed"
    ) -> Taken | None:
        """Return the racer's next message; if it ends or is late, update its entry: None."""
        try:
            message = self._children[entry.row.name].hear(now, limit, partial(self._ticked, entry))
        except Broken as end:
            self._stop(entry, "crashed", str(end))
            return None
        if isinstance(message, End):
            self._stop(entry, type(message).__name__.lower(), message.reason)
            return None
        if message is None:
            if entry.first is not None and status == "out_of_budget":
                # the runs before it finished and were verified
                entry.reason = "one more run did not end within the budget, and is not counted"
                self._close(entry)
            else:
                self._stop(entry, status, late or self._late(entry))
        return message

    def _ticked(self, entry: Entry, told: Progress | None) -> None:
        if told is not None and entry.first is None:
            what = "done" if told.of_time else "of its branches begun"
            entry.reason = f"first call, {told.share:.0%} {what}"
            if told.of_time and told.share >= LEAST:
                self._estimate = entry.spent + (monotonic() - self._began) / told.share
                self._done = told.share
        self.changed()

    def _late(self, entry: Entry) -> str:
        """Return how far a backend got within its budget, and its estimated total if known."""
        budget = f"{self.lineup.budget:g} s"
        if entry.prepare is None:
            return f"more than {budget} to prepare"
        if self._estimate is None:
            return f"more than {budget}"
        return f"stopped after {budget} at {self._done:.0%}: about {roughly(self._estimate)}"

    def _stop(self, entry: Entry, status: str, reason: str) -> None:
        entry.stop(status, reason)
        self._close(entry)

    def _close(self, entry: Entry) -> None:
        child = self._children.pop(entry.row.name, None)
        if child is not None:
            child.close()

    def _close_all(self) -> None:
        for child in self._children.values():
            child.close()
        self._children.clear()
        for entry in self.entries:
            if entry.status in ("waiting", "running"):
                entry.stop("interrupted", "the race was interrupted")
