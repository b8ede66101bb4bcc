"""One backend's process in a race: it does what the race asks on standard input, a line each.

It answers with JSON lines. `timed` and `done` bracket a timed region, so that the race knows when
the clock runs; verification and the digest are worked out after `done`, outside of it.
"""

import gc
import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import IO

from wordpack.backend import Options, Search, Unavailable
from wordpack.child import TICK
from wordpack.errors import InputError, WrongAnswer
from wordpack.metering import facts_of, metered
from wordpack.row import Row
from wordpack.workload import WORKLOADS


class _Talk:
    """The line to the race."""

    def __init__(self) -> None:
        # what a backend prints must not be taken for an answer: it goes to standard error
        self._stream: IO[str] = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self.orders: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            self.orders.put(line)
        os._exit(0)  # the race is gone: leave in the middle of a search

    def say(self, event: str, **values: object) -> None:
        self._stream.write(json.dumps({"event": event, **values}) + "\n")
        self._stream.flush()


def main() -> None:
    """Prepare the backend of the first line; then run it once for each further line."""
    talk = _Talk()
    order = json.loads(talk.orders.get())
    row = Row.from_json(order["row"])
    workload = WORKLOADS[row.workload]
    options = row.honoured(Options(threads=order["threads"]))
    try:
        backend = row.load()
        using = backend.probe()
        problem = workload.problem(order["spec"])
        refusal = backend.accepts(problem, options)
        if refusal and (refusal.kind == "shape" or not order["by_name"]):
            talk.say("refused", reason=f"{refusal.reason} ({refusal.kind})")
            return
        talk.say("timed")
        started = perf_counter()
        search = backend.prepare(problem, options)
        seconds = perf_counter() - started
        facts = facts_of(search)
        talk.say("done", seconds=seconds, device=search.device, using=using, facts=facts)
    except Unavailable as reason:
        talk.say("unavailable", reason=str(reason))
        return
    except InputError as error:
        talk.say("refused", reason=str(error))
        return
    while True:
        talk.orders.get()
        with metered(facts) as readings:
            answer = _timed(talk, search)
        try:
            checked = workload.checked(answer, problem) | {"wrong": None}
        except WrongAnswer as reason:
            checked = {"wrong": str(reason)}
        talk.say("answer", **checked, readings=readings)


@contextmanager
def _progress(talk: _Talk, search: Search) -> Iterator[None]:
    """Tell the race once a second how far the search is, where the search knows."""
    share: Callable[[], float] | None = getattr(search, "progress", None)
    if share is None:
        yield
        return
    over = threading.Event()

    def tell() -> None:
        while not over.wait(TICK):
            talk.say("progress", share=share())

    teller = threading.Thread(target=tell)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def _timed(talk: _Talk, search: Search) -> object:
    gc.collect()
    gc.disable()
    talk.say("timed")
    with _progress(talk, search):
        started = perf_counter()
        answer = search.run()
        seconds = perf_counter() - started
    talk.say("done", seconds=seconds)
    gc.enable()
    return answer


if __name__ == "__main__":
    main()
