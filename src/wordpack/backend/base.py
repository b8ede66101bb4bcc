"""What a backend is: `probe`, `accepts` and `prepare`, and the search that `prepare` returns.

These three, and a search's `run` and `device`, are all that a backend must have; what else it may
have has a default here that says so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:  # the interface itself needs no numpy, so listing backends does not load it
    from collections.abc import Iterator

    from wordpack.backend.cutting import Slices
    from wordpack.packing.answer import Answer, Packings
    from wordpack.packing.problem import Problem


@dataclass(frozen=True)
class Options:
    """What a caller may ask of a search; None leaves the choice to the backend."""

    count_only: bool = False
    threads: int | None = None
    """CPU threads to search with."""
    chunk: int | None = None
    """First picks handed to a thread at a time."""
    max_buffer: int | None = None
    """Rows that a result buffer holds at first; it grows, and never cuts an answer short."""

    def __post_init__(self) -> None:
        """Refuse numbers that no search could honour."""
        for name in ("threads", "chunk", "max_buffer"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value}: it must be at least 1")

    def given(self) -> list[str]:
        """Return the names of the options, other than count_only, that were given explicitly."""
        return [
            option.name
            for option in fields(self)
            if option.name != "count_only" and getattr(self, option.name) is not None
        ]


@dataclass(frozen=True)
class Refusal:
    """Why a backend does not take a problem."""

    kind: Literal["shape", "cost"]
    """'shape': it never can. 'cost': it would take too long; asking for it by name overrides."""
    reason: str


@runtime_checkable
class Clock(Protocol):
    """A device's own clock."""

    def mark(self) -> Any:
        """Return a mark that passes when all that was asked before is done."""
        ...

    def seconds_between(self, earlier: Any, later: Any) -> float:
        """Return the seconds between two marks by the device's own clock; wait for `later`."""
        ...


class Prepared(ABC):
    """What a backend of any workload has prepared, ready to be timed."""

    @property
    @abstractmethod
    def device(self) -> str:
        """Where it runs, for a person: 'cpu, 2 threads'."""

    @abstractmethod
    def run(self) -> Any:
        """Work; return when the workload's complete answer is on the host. May be called again."""

    def progress(self) -> float | None:
        """Return the share of the work begun, 0 to 1; None if it does not know.

        Another thread may ask while it runs.
        """
        return None

    def time_share(self) -> float | None:
        """Return about what share of a run's time has passed, 0 to 1; None if it cannot tell.

        A race says by it what a backend would have needed that did not finish within its budget, so
        it must be right within a factor of two. Another thread may ask while it runs.
        """
        return None

    @property
    def device_facts(self) -> dict[str, str | int | float | None] | None:
        """What names the device: name, driver, memory_bytes, and what its library knows.

        None on the processor. A fact that is not known is None. NVML is asked for more about a
        device with a `uuid` or a `pci_bus_id`.
        """
        return None

    @property
    def clock(self) -> Clock | None:
        """The device's own clock; None if it has none."""
        return None


class Search(Prepared):
    """A prepared search for packings."""

    @abstractmethod
    def run(self, *, work: bool = False) -> Answer:
        """Search; return when the complete answer is on the host. May be called again.

        With `work` (untimed) the answer also carries the algorithm's counters, the same for
        every number of threads, chunk and buffer size; where a chunk size was asked for, also
        chunk_N, the packings found in the chunk whose first branch is N.
        """

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings in parts of 1 to `max_rows`, in the search's order.

        A search that only counts has none: NotImplementedError.
        """
        raise NotImplementedError(f"no part of {max_rows} rows: it counts and finds no packing")


WORKLOADS = ("packing", "play")
"""What a backend can be for: packings, or whole games."""


@dataclass(frozen=True)
class About:
    """What a backend of another package says of itself, as a row of the table does of ours."""

    summary: str = ""
    """One line for listings."""
    algorithm: str = ""
    """Two backends of one algorithm do not confirm each other; empty for one of its own."""
    options: tuple[str, ...] = ()
    """The fields of Options that it honours beside count_only."""
    workload: str = "packing"
    """What it is for: 'packing', or 'play' for whole games."""
    counts_only: bool = False
    """It counts packings and finds none: it takes no problem without count_only."""

    def __post_init__(self) -> None:
        """Refuse what no listing or choice could use."""
        names = [field.name for field in fields(Options) if field.name != "count_only"]
        options: Any = self.options
        for name, right, what in (
            ("summary", _is_line(self.summary), "one line of text"),
            ("algorithm", _is_line(self.algorithm), "one line of text"),
            (
                "options",
                isinstance(options, tuple) and all(each in names for each in options),
                f"a tuple of names of {', '.join(names)}",
            ),
            ("workload", self.workload in WORKLOADS, f"one of {', '.join(WORKLOADS)}"),
            ("counts_only", isinstance(self.counts_only, bool), "True or False"),
        ):
            if not right:
                raise ValueError(f"{name} of About is {getattr(self, name)!r}: it must be {what}")


def _is_line(text: Any) -> bool:
    return isinstance(text, str) and text.isprintable()


class Backend(ABC):
    """What can be asked of an algorithm before it is timed.

    The problem is a Problem, and what is prepared a Search; a backend of another workload has
    that workload's problem, and prepares what answers with that workload's answer. What must be
    known before a backend is imported (name, options, one line about it) is in its row of the
    table, or in the `about` of one that another package has.
    """

    about: ClassVar[About] = About()

    @abstractmethod
    def probe(self) -> str:
        """Return what would run here, with versions; raise Unavailable if nothing can."""

    @abstractmethod
    def accepts(self, problem: Any, options: Options, /) -> Refusal | None:
        """Return why not to run on `problem`, cheaply and without side effects; None accepts."""

    @abstractmethod
    def prepare(self, problem: Any, options: Options, /) -> Any:
        """Do all untimed work: plan, tables, compilation, upload."""

    def seconds(self, _problem: Any, _options: Options, /) -> float | None:
        """Return about how long it would prepare and run; None if it makes no estimate.

        'auto' chooses by it where numbers only are asked for.
        """
        return None

    def explain(self, _problem: Any, _letters: str, _options: Options, /) -> list[str]:
        """Return its plan in lines, none if it makes no plan; the letters are those of the bits."""
        return []

    def machine_facts(self) -> dict[str, str | None] | None:
        """Return what tells machines apart; None if it adds nothing to what the processor says.

        gpu (None for a processor), driver, and its library's version by name. Raises Unavailable
        if there is no device.
        """
        return None

    def cut(self, _problem: Problem, _options: Options, slices: int, /) -> Slices:
        """Plan once, and cut the search into about `slices` slices of equal cost.

        There are fewer if it is small. Of the options it honours count_only. A backend that
        cannot cut raises NotImplementedError; its row says which can.
        """
        raise NotImplementedError(f"{type(self).__name__} makes no {slices} slices of a search")

    def prepare_slice(
        self, _problem: Problem, _options: Options, _cut: Slices, i: int, /
    ) -> Search:
        """Get slice `i` ready in any process, without planning again.

        The cut is this backend's, or that of another one with the same `cut`. The options
        count_only, threads and max_buffer are honoured. The packings of all slices are those of
        the whole search, each in one of them; their counters and the cut's add up to its counters.
        IndexError if there is no slice `i`.
        """
        raise NotImplementedError(f"{type(self).__name__} prepares no slice such as {i}")
