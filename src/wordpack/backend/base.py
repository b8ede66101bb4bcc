"""What a backend is: `probe`, `accepts` and `prepare`, and the search that `prepare` returns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:  # the interface itself needs no numpy, so listing backends does not load it
    from collections.abc import Iterator

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
    slice: tuple[int, int] | None = None
    """Search only the branches first <= branch < last of the root (for clusters)."""
    max_buffer: int | None = None
    """Rows that a result buffer holds at first; it grows, and never cuts an answer short."""

    def __post_init__(self) -> None:
        """Refuse numbers that no search could honour."""
        for name in ("threads", "chunk", "max_buffer"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value}: it must be at least 1")
        if self.slice is not None and not 0 <= self.slice[0] <= self.slice[1]:
            raise ValueError(f"slice is {self.slice}: it must be 0 <= first <= last")

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


class Search(Protocol):
    """A prepared search, ready to be timed.

    It may also have `progress() -> float`, the share of its work begun, for another thread to ask;
    and, off the processor, `device_facts`, plain values by name that say what `device` is: name,
    driver, memory_bytes and what its library knows, None for what it does not; with a `uuid` or
    a `pci_bus_id` NVML is asked for the rest. `clock` is the device's
    own, None where it has none: `mark()` gives a mark that passes when all asked before is done,
    `seconds_between(earlier, later)` its time.
    """

    @property
    def device(self) -> str:
        """Where it runs, for a person: 'cpu, 2 threads'."""
        ...

    def run(self, *, work: bool = False) -> Answer:
        """Search; return when the complete answer is on the host. May be called again.

        With `work` (untimed) the answer also carries the algorithm's counters, the same for
        every number of threads, chunk and buffer size; where a chunk size was asked for, also
        chunk_N, the packings found in the chunk whose first branch is N.
        """
        ...

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings in parts of 1 to `max_rows`, in the search's order."""
        ...


class Backend(Protocol):
    """The three functions of a backend's module.

    They stand here for packings; a backend of another workload has the same three for that
    workload's problem, and its search answers with that workload's answer and has no parts.
    It may also have `seconds(problem, options) -> float`, about how long it would prepare and run,
    by which 'auto' chooses where numbers only are asked for; and `explain(problem, letters,
    options) -> list[str]`, its plan in lines, `letters` those of the masks' bits. One that runs on
    a device may have `machine_facts() -> dict[str, str | None]`, by which machines are told apart:
    gpu (None for a processor), driver, and its library's version by name; Unavailable without.

    For many machines it may have two more. `cut(problem, options, slices) -> Cut` plans once, and
    cuts the search into about `slices` slices of equal cost (fewer where it is small); of the
    options it honours count_only. `prepare_slice(problem, options, cut, i) -> Search` gets slice i
    ready in whatever process, without planning again, of a Cut by this backend or by another with
    the same `cut`; it honours count_only, threads and max_buffer. The slices' packings are those
    of the whole search, each in one of them; their counters and the Cut's add up to its counters.
    """

    def probe(self) -> str:
        """Return what would run here, with versions; raise Unavailable where nothing can."""
        ...

    def accepts(self, problem: Problem, options: Options) -> Refusal | None:
        """Return why not to run on `problem`, cheaply and without side effects; None accepts."""
        ...

    def prepare(self, problem: Problem, options: Options) -> Search:
        """Do all untimed work: plan, tables, compilation, upload."""
        ...
