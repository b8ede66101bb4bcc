"""What each series measures: names, and what is skipped because it takes too long.

The lists are the same on every machine and at every commit: asv keeps one list of parameters for
all machines, and the last run's list decides which of the other machines' results are shown.
"""

UNKNOWN = 6
"""The number of `wordpack.measured.Reason.UNKNOWN`, for commits that do not have it."""

BACKENDS = (
    *("bitset_rows", "cuda", "opencl", "rarest_letter", "subset_sums", "subset_sums_cuda"),
    *("subset_sums_opencl", "merged_states"),
    *("graph_cliques_compiled", "neighbour_pairs", "partitioned_triples", "filtered_arrays"),
    *("dancing_links", "filtered_lists", "graph_cliques", "combinations"),
)
"""All backends of any machine or commit."""

PLAYERS = ("game_tree", "game_tree_cuda", "game_tree_opencl", "hint_arrays", "hint_filters")
"""All backends of whole games, which have a series of their own."""

PLAYS = ("play-all", "play-best-start", "play-best-start-12972")

PLAY_SECONDS = {
    ("hint_arrays", "play-best-start"): 4,
    ("hint_arrays", "play-best-start-12972"): 30,
    ("hint_filters", "play-best-start"): 5e3,
    ("hint_filters", "play-best-start-12972"): 3e4,
}
"""Like SECONDS, for whole games; on a CPU the other backends take 6 s at most."""

DEVICES = ("cuda", "opencl", "subset_sums_cuda", "subset_sums_opencl")
"""Backends that may run on a device other than the CPU."""

COUNTERS = ("subset_sums", "subset_sums_cuda", "subset_sums_opencl", "merged_states")
"""Backends that only count."""

LISTERS = tuple(name for name in BACKENDS if name not in COUNTERS)

SLOW = (
    *("graph_cliques_compiled", "neighbour_pairs", "partitioned_triples", "filtered_arrays"),
    "filtered_lists",
)
"""Backends that take more than SHORT and at most LONG seconds for some instance."""

INSTANCES = (
    *("toy", "wordle", "wordle-12974", "wordle-12947", "both", "parker", "parker-words"),
    "wrong-wordle",
)

FAMILIES = ("3x7", "4x6", "4x5", "6x4", "7x3")
"""Problems to count; two counters that share no code have found their counts."""

COUNTING = ("bitset_rows", "cuda", "opencl", *COUNTERS)

_ORACLES = {
    (backend, name): seconds
    for backend, seconds in (("graph_cliques", 1e3), ("combinations", 1e10))
    for name in INSTANCES
    if name != "toy"
}

SECONDS = _ORACLES | {
    ("graph_cliques_compiled", "wordle"): 3,
    ("graph_cliques_compiled", "wordle-12974"): 3,
    ("graph_cliques_compiled", "wordle-12947"): 3,
    ("graph_cliques_compiled", "parker"): 4,
    ("graph_cliques_compiled", "parker-words"): 15,
    ("neighbour_pairs", "wordle"): 3,
    ("neighbour_pairs", "wordle-12974"): 3,
    ("neighbour_pairs", "wordle-12947"): 3,
    ("neighbour_pairs", "parker"): 4,
    ("neighbour_pairs", "parker-words"): 8,
    ("partitioned_triples", "wrong-wordle"): 40,
    ("filtered_arrays", "wordle"): 20,
    ("filtered_arrays", "wordle-12974"): 20,
    ("filtered_arrays", "wordle-12947"): 20,
    ("filtered_arrays", "both"): 15,
    ("filtered_arrays", "parker"): 30,
    ("filtered_arrays", "parker-words"): 200,
    ("filtered_arrays", "wrong-wordle"): 1700,
    ("filtered_lists", "wordle"): 90,
    ("filtered_lists", "wordle-12974"): 90,
    ("filtered_lists", "wordle-12947"): 60,
    ("filtered_lists", "both"): 60,
    ("filtered_lists", "parker"): 150,
    ("filtered_lists", "parker-words"): 1e3,
    ("filtered_lists", "wrong-wordle"): 1e6,
}
"""About how many seconds one search takes on two idle cores, if more than SHORT.

The estimates only choose a series and are never reported; most over LONG were never run.
"""

SHORT, LONG = 2, 60
"""The most seconds of a search in the repeated series, and in the series that is run once."""
