"""The interface of a backend: `probe`, `accepts`, `prepare`, and the search that it prepares.

A backend must implement these three, and `run` and `device` of its search. Everything else is
optional and has a default here.
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
    """The options of a search; None leaves the choice to the backend."""

    count_only: bool = False
    threads: int | None = None
    """CPU threads to search with."""
    chunk: int | None = None
    """How many first picks a thread takes at a time."""
    max_buffer: int | None = None
    """Initial rows of a result buffer; it grows when needed, so an answer is never cut short."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers under 1."""
        for name in ("threads", "chunk", "max_buffer"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value}: it must be at least 1")

    def given(self) -> list[str]:
        """Return the names of the options given explicitly, other than count_only."""
        return [
            option.name
            for option in fields(self)
            if option.name != "count_only" and getattr(self, option.name) is not None
        ]


@dataclass(frozen=True)
class Refusal:
    """Why a backend refuses a problem."""

    kind: Literal["shape", "cost"]
    """'shape': it cannot take it. 'cost': it would take too long; naming it overrides this."""
    reason: str


@runtime_checkable
class Clock(Protocol):
    """A device's own clock."""

    def mark(self) -> Any:
        """Return a mark that is reached when all work queued so far is done."""
        ...

    def seconds_between(self, earlier: Any, later: Any) -> float:
        """Wait for `later`; return the seconds between the marks by the device's clock."""
        ...


class Prepared(ABC):
    """Prepared work of a backend of any workload, ready to be timed."""

    @property
    @abstractmethod
    def device(self) -> str:
        """The device in words, such as 'cpu, 2 threads'."""

    @abstractmethod
    def run(self) -> Any:
        """Return the workload's complete answer, on the host. May be called again."""

    def progress(self) -> float | None:
        """Return the share of the work begun, 0 to 1; None if unknown.

        Another thread may call this during `run`.
        """
        return None

    def time_share(self) -> float | None:
        """Return about what share of a run's time has passed, 0 to 1; None if unknown.

        A race uses it to estimate the time of a backend that exceeds its budget, so it must be
        right within a factor of two. Another thread may call this during `run`.
        """
        return None

    @property
    def device_facts(self) -> dict[str, str | int | float | None] | None:
        """Facts about the device: name, driver, memory_bytes, and what its library knows.

        None for a CPU. A fact that is unknown is None. With a `uuid` or a `pci_bus_id`, NVML is
        asked for more facts.
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
        """Search, and return the complete answer, on the host. May be called again.

        With `work` (untimed) the answer also has the algorithm's counters, which are the same for
        every number of threads, chunk size and buffer size. If a chunk size was given, it also has
        chunk_N for each chunk: the packings found in the chunk whose first branch is N.
        """

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings in parts of 1 to `max_rows`, in search order.

        A search that only counts raises NotImplementedError.
        """
        raise NotImplementedError(f"no part of {max_rows} rows: it counts and finds no packing")


WORKLOADS = ("packing", "play")
"""The workloads of backends: packings, or whole games."""


@dataclass(frozen=True)
class About:
    """What a backend of another package says about itself; ours say it in the table."""

    summary: str = ""
    """One line for listings."""
    algorithm: str = ""
    """Backends of one algorithm do not confirm each other; leave it empty if no other has it."""
    options: tuple[str, ...] = ()
    """The fields of Options that it honours, other than count_only."""
    workload: str = "packing"
    """Its workload: 'packing', or 'play' for whole games."""
    counts_only: bool = False
    """It only counts: it refuses every problem without count_only."""

    def __post_init__(self) -> None:
        """Raise ValueError for a field that no listing or choice could use."""
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
    """An algorithm: whether it can run here, whether it accepts a problem, and how to prepare it.

    For packings, the problem is a Problem and `prepare` returns a Search. A backend of another
    workload takes that workload's problem, and `run` returns that workload's answer. The facts
    needed before a backend is imported (name, options, one line about it) are in its table row, or
    in `about` if it is from another package.
    """

    about: ClassVar[About] = About()

    @abstractmethod
    def probe(self) -> str:
        """Return what it would run on here, with versions; raise Unavailable if it cannot run."""

    @abstractmethod
    def accepts(self, problem: Any, options: Options, /) -> Refusal | None:
        """Return why it refuses `problem`, None if it accepts; cheap, without side effects."""

    @abstractmethod
    def prepare(self, problem: Any, options: Options, /) -> Any:
        """Do all untimed work: plan, tables, compilation, upload."""

    def seconds(self, _problem: Any, _options: Options, /) -> float | None:
        """Return the estimated seconds to prepare and run; None if it makes no estimate.

        'auto' chooses by it when only counting.
        """
        return None

    def explain(self, _problem: Any, _letters: str, _options: Options, /) -> list[str]:
        """Return its plan as lines, no lines if it has no plan; bit i is letters[i]."""
        return []

    def machine_facts(self) -> dict[str, str | None] | None:
        """Return facts that tell machines apart; None if the CPU's facts are enough.

        The facts are gpu (None for a CPU), driver, and its library's version under the library's
        name. Raises Unavailable if there is no device.
        """
        return None

    def cut(self, _problem: Problem, _options: Options, slices: int, /) -> Slices:
        """Plan once, and cut the search into about `slices` slices of equal cost.

        A small search gets fewer slices. The only option honoured is count_only. A backend that
        cannot cut raises NotImplementedError; rows with `slices` can cut.
        """
        raise NotImplementedError(f"{type(self).__name__} makes no {slices} slices of a search")

    def prepare_slice(
        self, _problem: Problem, _options: Options, _cut: Slices, i: int, /
    ) -> Search:
        """Prepare slice `i`, in any process, without planning again.

        The cut is from this backend, or from another one with the same `cut`. The options
        count_only, threads and max_buffer are honoured. Each packing of the whole search is in
        exactly one slice. The counters of all slices and of the cut add up to those of the whole
        search. Raises IndexError if there is no slice `i`.
        """
        raise NotImplementedError(f"{type(self).__name__} prepares no slice such as {i}")
