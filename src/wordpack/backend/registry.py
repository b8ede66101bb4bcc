"""The table of backends, and which of them takes a problem."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

from wordpack.backend.fallback import Unusable, note
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable
from wordpack.text.formatting import nearest

if TYPE_CHECKING:
    from wordpack.backend.base import Options, Refusal
    from wordpack.packing.problem import Problem


ROWS: tuple[Row, ...] = (
    Row(
        "bitset_rows",
        "wordpack.kernels.search.bitset_rows",
        "bitset rows",
        "planned search over rows of bits, on all cores (ours)",
        ("threads", "slice", "max_buffer"),
        slices=True,
        needs="numba",
    ),
    Row(
        "cuda",
        "wordpack.kernels.device.cuda",
        "bitset rows",
        "planned search level by level on an NVIDIA GPU (ours)",
        ("slice", "max_buffer"),
        slices=True,
        start_up=1.0,
        needs="cupy",
    ),
    Row(
        "opencl",
        "wordpack.kernels.device.opencl",
        "bitset rows",
        "planned search level by level on a GPU, or through PoCL on a CPU (ours)",
        ("slice", "max_buffer"),
        slices=True,
        start_up=1.5,
        needs="pyopencl",
    ),
    Row(
        "rarest_letter",
        "wordpack.baselines.rarest_letter",
        "rarest letter",
        "depth-first on the rarest letter not yet used (oisyn, stew675, Kryger)",
        ("threads", "chunk", "slice", "max_buffer"),
        needs="numba",
    ),
    Row(
        "subset_sums",
        "wordpack.kernels.counting.subset_sums",
        "subset sums",
        "counts words of one length by inclusion-exclusion over sets of letters",
        ("threads",),
        counts_only=True,
        needs="numba",
    ),
    Row(
        "subset_sums_cuda",
        "wordpack.kernels.counting.subset_sums_cuda",
        "subset sums",
        "subset sums on an NVIDIA GPU",
        counts_only=True,
        start_up=1.0,
        needs="cupy",
    ),
    Row(
        "subset_sums_opencl",
        "wordpack.kernels.counting.subset_sums_opencl",
        "subset sums",
        "subset sums on a GPU, or through PoCL on a CPU",
        counts_only=True,
        start_up=1.5,
        needs="pyopencl",
    ),
    Row(
        "merged_states",
        "wordpack.kernels.counting.merged_states",
        "merged states",
        "counts letter by letter, where the same letters are left merged into one state",
        counts_only=True,
        needs="numba",
    ),
    Row(
        "graph_cliques_compiled",
        "wordpack.baselines.graph_cliques_compiled",
        "graph cliques",
        "graph cliques on a bit matrix (Paassen's strategy, as ported by davidad)",
        ("threads", "chunk", "slice", "max_buffer"),
        needs="numba",
    ),
    Row(
        "neighbour_pairs",
        "wordpack.baselines.neighbour_pairs",
        "neighbour pairs",
        "each next word from the neighbours of the last (Lukakva)",
        ("threads", "chunk", "slice", "max_buffer"),
        needs="numba",
    ),
    Row(
        "partitioned_triples",
        "wordpack.baselines.partitioned_triples",
        "partitioned triples",
        "pairs of triples for one answer and six guesses (pure-chance)",
        ("threads", "chunk", "slice", "max_buffer"),
        needs="numba",
    ),
    Row(
        "filtered_arrays",
        "wordpack.baselines.filtered_arrays",
        "filtered lists",
        "filtered lists as numpy array operations",
    ),
    Row(
        "dancing_links",
        "wordpack.baselines.dancing_links",
        "exact cover",
        "Algorithm X with dancing links on letters (davidad, after Knuth)",
        ("threads", "chunk", "slice", "max_buffer"),
        needs="numba",
    ),
    Row(
        "filtered_lists",
        "wordpack.baselines.filtered_lists",
        "filtered lists",
        "filtered lists in pure Python (Brian Jones)",
    ),
    Row(
        "graph_cliques",
        "wordpack.baselines.graph_cliques",
        "graph cliques",
        "cliques by intersecting Python sets of neighbours (Benjamin Paassen)",
    ),
    Row(
        "combinations",
        "wordpack.baselines.combinations",
        "combinations",
        "every combination of words (Matt Parker); the oracle",
    ),
    Row(
        "game_tree",
        "wordpack.kernels.games.game_tree",
        "game tree",
        "whole games as a tree of sets of answers, on all cores (ours)",
        ("threads",),
        workload="play",
        needs="numba",
    ),
    Row(
        "game_tree_cuda",
        "wordpack.kernels.games.game_tree_cuda",
        "game tree in rounds",
        "whole games, a round of guesses at a time, on an NVIDIA GPU (ours)",
        workload="play",
        start_up=1.0,
        needs="cupy",
    ),
    Row(
        "game_tree_opencl",
        "wordpack.kernels.games.game_tree_opencl",
        "game tree in rounds",
        "whole games, a round of guesses at a time, on a GPU or through PoCL (ours)",
        workload="play",
        start_up=1.5,
        needs="pyopencl",
    ),
    Row(
        "hint_arrays",
        "wordpack.baselines.hint_arrays",
        "hint arrays",
        "whole games of a start word together, as numpy array operations",
        workload="play",
    ),
    Row(
        "hint_filters",
        "wordpack.baselines.hint_filters",
        "hint filters",
        "whole games one by one, by regular expressions (Kjellerstrand)",
        workload="play",
    ),
)


LONG = 1e11
"""Partial packings in list order from which a plan is made to see whether a device pays."""

SILENT = 20.0
"""How many times as long as the quickest a backend is thought to count that does not say."""


def row(name: str) -> Row:
    """Return the backend called `name`; InputError suggests the nearest one."""
    for candidate in ROWS:
        if candidate.name == name:
            return candidate
    names = [candidate.name for candidate in ROWS]
    raise InputError(f"no backend is called {name}{nearest(name, names)}")


def choose(name: str, problem: Problem, options: Options, unusable: Unusable | None = None) -> Row:
    """Return the row to solve `problem` with, as `choose_by_time` does."""
    return choose_by_time(name, problem, options, unusable)[0]


def choose_by_time(
    name: str, problem: Problem, options: Options, unusable: Unusable | None = None
) -> tuple[Row, dict[str, float]]:
    """Return the row to solve `problem` with: the one named, or for 'auto' the first that can.

    Where numbers only are asked for, or a device may pay, 'auto' takes the one that says that it
    needs least time, of those that say; all that said come second, as seconds by name. Raises
    InputError where the backend cannot run here, where its algorithm cannot take the problem, or
    where it would ignore an option; a refusal by cost holds for 'auto' only.
    """
    if name != "auto":
        return named(name, "packing", problem, options), {}
    refusals: list[str] = []
    able: list[Row] = []
    unusable, lost = {} if unusable is None else unusable, Unusable()

    def consider(candidate: Row) -> bool:
        why_not = _why_not(candidate, problem, options, unusable, lost)
        if why_not is None:
            able.append(candidate)
        else:
            refusals.append(f"{candidate.name}: {why_not}")
        return why_not is None

    rows = of_workload("packing")
    for candidate in rows:
        if not candidate.start_up and consider(candidate) and not options.count_only:
            break
    long = problem.estimated_nodes >= LONG
    times = _times(able, problem, options, unusable) if long or options.count_only else {}
    if long and (times or not able):
        least = min(times.values(), default=inf)
        devices = [row for row in rows if 0.0 < row.start_up < least and consider(row)]
        times |= _times(devices, problem, options, unusable)
    if not able:
        raise InputError(
            "no backend takes this problem unasked; a cost is overridden by --backend NAME; "
            + "; ".join(refusals)
        )
    chosen = row(min(times, key=lambda each: times[each])) if times else able[0]
    return _taken(chosen, lost, unusable), times


def _times(
    rows: list[Row], problem: Problem, options: Options, unusable: Unusable
) -> dict[str, float]:
    """Return the seconds that each would take, of those that say."""
    found = {}
    for each in rows:
        seconds = getattr(each.load(), "seconds", None)
        try:
            if seconds:
                found[each.name] = seconds(problem, options)
        except Unavailable as reason:
            note(each, reason, unusable)
            raise
    return found


def named(name: str, workload: str, problem: Any, options: Options) -> Row:
    """Return the row called `name`; InputError where it cannot take a workload's problem."""
    chosen = _of(name, workload, options)
    try:
        chosen.load().probe()
    except Unavailable as reason:
        raise InputError(f"{name} cannot run here: {reason}") from None
    return _taking(chosen, problem, options)


def named_elsewhere(name: str, workload: str, problem: Any, options: Options) -> Row:
    """Return what `named` does, whether it can run here or not: other processes run it."""
    return _taking(_of(name, workload, options), problem, options)


def _of(name: str, workload: str, options: Options) -> Row:
    chosen = row(name)
    if chosen.workload != workload:
        others = ", ".join(row.name for row in of_workload(workload))
        raise InputError(f"{name} is for another kind of problem: here there are {others}")
    chosen.check(options)
    return chosen


def _taking(chosen: Row, problem: Any, options: Options, *, unasked: bool = False) -> Row:
    """Return `chosen`; InputError where it cannot take a problem, or `unasked` would not."""
    refusal = chosen.load().accepts(problem, options)
    if refusal and (unasked or refusal.kind == "shape"):
        raise InputError(f"{chosen.name} cannot take this problem: {refusal.reason}")
    return chosen


def sliceable() -> list[Row]:
    """Return the backends that cut a search into slices and run one, devices first."""
    rows = [row for row in of_workload("packing") if row.slices]
    return sorted(rows, key=lambda row: not row.start_up)


def choose_for_slices(name: str, problem: Problem, options: Options) -> Row:
    """Return the row that plans and cuts: the one named, or for 'auto' the processor's.

    Raises InputError where it has no slices, or cannot take the problem. Whether it runs here does
    not matter: workers run it.
    """
    able = [row for row in sliceable() if not row.start_up]
    chosen = row(name) if name != "auto" else able[0]
    if not chosen.slices:
        names = ", ".join(row.name for row in sliceable())
        raise InputError(f"{name} cannot be shared by a cluster: those that can are {names}")
    chosen.check(options)
    return _taking(chosen, problem, options, unasked=name == "auto")


def of_workload(workload: str) -> list[Row]:
    """Return the backends of one kind of problem, in the table's order."""
    return [row for row in ROWS if row.workload == workload]


def first(
    workload: str,
    problem: Any,
    options: Options,
    unusable: Unusable | None = None,
    *,
    devices: bool = False,
) -> Row:
    """Return the first backend that takes a workload's problem unasked.

    It is one on the processor; with `devices` one on a device where there is any.
    """
    refusals = []
    unusable, lost = {} if unusable is None else unusable, Unusable()
    for candidate in sorted(of_workload(workload), key=lambda row: not row.start_up):
        if candidate.start_up and not devices:
            continue
        why_not = _why_not(candidate, problem, options, unusable, lost)
        if why_not is None:
            return _taken(candidate, lost, unusable)
        refusals.append(f"{candidate.name}: {why_not}")
    raise InputError(f"no backend takes this unasked; {'; '.join(refusals)}")


def confirming(
    chosen: Row, problem: Problem, options: Options, unusable: Unusable | None = None
) -> Row | None:
    """Return the backend to count `problem` once more, by another algorithm; None without any.

    Those that only count come first, since their time does not grow with the answer.
    """
    if options.slice is not None:
        return None  # every algorithm has branches of its own
    unusable = {} if unusable is None else unusable
    for candidate in sorted(ROWS, key=lambda row: not row.counts_only):
        # a device has no algorithm that is not a CPU's too
        other = candidate.algorithm != chosen.algorithm and not candidate.start_up
        if candidate.workload == chosen.workload and other:
            honoured = candidate.honoured(options)
            if _why_not(candidate, problem, honoured, unusable) is None:
                return candidate
    return None


def counters(
    problem: Problem, options: Options, unusable: Unusable | None = None, *, devices: bool
) -> list[tuple[float, Row]]:
    """Return backends that count `problem` unasked, the quickest first, with seconds in one thread.

    They are those that say how long they take, and the first of those that do not, which is taken
    for SILENT times as slow as the quickest. A device's is looked at where the others take longer
    than to start it, and `devices` allows it. InputError where there is none.
    """
    one = replace(options, count_only=True, threads=1)
    found: list[tuple[float, Row]] = []
    silent: list[Row] = []
    why: list[str] = []
    unusable = {} if unusable is None else unusable
    for candidate in sorted(of_workload("packing"), key=lambda row: row.start_up):
        least = min((seconds for seconds, _ in found), default=inf)
        if candidate.start_up and (not devices or least < candidate.start_up):
            continue
        honoured = candidate.honoured(one)
        says = getattr(candidate.load(), "seconds", None)
        if says is None and silent:
            continue
        if (why_not := _why_not(candidate, problem, honoured, unusable)) is not None:
            why.append(f"{candidate.name}: {why_not}")
        elif says is None:
            silent.append(candidate)
        else:
            try:
                found.append((says(problem, honoured), candidate))
            except Unavailable as reason:
                note(candidate, reason, unusable)
                why.append(f"{candidate.name}: {reason}")
    if not found and not silent:
        raise InputError(f"no backend takes this problem unasked; {'; '.join(why)}")
    least = min((seconds for seconds, _ in found), default=0.0)
    found += [(SILENT * least, candidate) for candidate in silent]
    return sorted(found, key=lambda pair: pair[0])


def _why_not(
    candidate: Row,
    problem: Any,
    options: Options,
    unusable: Unusable,
    lost: Unusable | None = None,
) -> str | None:
    """Return why not to take `candidate`; `lost` gets the library of one that cannot run here."""
    for option in candidate.ignored(options):
        return f"ignores --{option.replace('_', '-')}"
    if candidate.needs in unusable:
        return unusable[candidate.needs]
    try:
        backend = candidate.load()
        backend.probe()
    except Unavailable as reason:
        if lost is not None:
            note(candidate, reason, lost)
        return str(reason)
    refusal: Refusal | None = backend.accepts(problem, options)
    return f"{refusal.reason} ({refusal.kind})" if refusal else None


def _taken(chosen: Row, lost: Unusable, unusable: Unusable) -> Row:
    """Return `chosen`; what was `lost` is unusable, but for what it needs and has."""
    for library, why in lost.items():
        if library != chosen.needs:
            unusable.setdefault(library, why)
    return chosen
