"""One backend's process in a race: it follows the race's orders, one per line of standard input.

It answers with the messages of `wordpack.racing.conversation`. Timed opens a timed region and
Prepared or Ran closes it, so the race knows when the clock runs. The answer is verified and its
digest computed after Ran, outside the timed region.
"""

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from wordpack.backend.base import Options, Prepared
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable, WrongAnswer
from wordpack.machine.metering import facts_of, metered
from wordpack.racing import conversation as say
from wordpack.racing.racer_process import TICK
from wordpack.racing.talk import Talk
from wordpack.solving.workload import WORKLOADS
from wordpack.text.progress import every


def main() -> None:
    """Prepare the backend of the first line; then run it once for each further line.

    Any other exception ends the process, and the race reports the last line of its traceback.
    """
    talk = Talk()
    try:
        _race(talk, json.loads(talk.orders.get()))
    except Unavailable as reason:
        talk.say(say.Unavailable(str(reason)))
    except InputError as reason:
        talk.say(say.Refused(str(reason)))


def _race(talk: Talk, order: dict[str, Any]) -> None:
    row = Row.from_json(order["row"])
    workload = WORKLOADS[row.workload]
    options = row.honoured(Options(threads=order["threads"]))
    backend = row.load()
    using = row.using()
    problem = workload.problem(order["spec"])
    refusal = backend.accepts(problem, options)
    if refusal and (refusal.kind == "shape" or not order["by_name"]):
        talk.say(say.Refused(f"{refusal.reason} ({refusal.kind})"))
        return
    talk.say(say.Timed())
    started = perf_counter()
    search = backend.prepare(problem, options)
    seconds = perf_counter() - started
    facts = facts_of(search)
    talk.say(say.Prepared(seconds, search.device, using, facts))
    while True:
        talk.orders.get()
        with metered(facts) as readings:
            answer = _timed(talk, search)
        try:
            found = workload.checked(answer, problem)
        except WrongAnswer as reason:
            talk.say(say.Wrong(str(reason)))
            continue
        digest = str(found.pop("digest"))
        talk.say(say.Answered({name: int(n) for name, n in found.items()}, digest, readings))


@contextmanager
def _progress(talk: Talk, search: Prepared) -> Iterator[None]:
    """Tell the race the search's progress once a second, if the search knows it."""
    if search.progress() is None and search.time_share() is None:
        yield
        return

    def tell() -> None:
        share = search.time_share()
        of_time = share is not None
        share = (share if of_time else search.progress()) or 0.0
        talk.say(say.Progress(min(1.0, max(0.0, share)), of_time))

    with every(TICK, tell):
        yield


def _timed(talk: Talk, search: Prepared) -> object:
    gc.collect()
    gc.disable()
    talk.say(say.Timed())
    with _progress(talk, search):
        started = perf_counter()
        answer = search.run()
        seconds = perf_counter() - started
    talk.say(say.Ran(seconds))
    gc.enable()
    return answer


if __name__ == "__main__":
    main()
