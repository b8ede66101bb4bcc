"""Series of the asv suite as the report names them, with their parameters, by benchmark."""

from wordpack.report.measurements import Series

BOTH = ("backend", "instance")

SEARCH = Series("search", "Search: from prepared inputs to the complete answer", "seconds")
COUNT = Series("count", "Count: exact numbers without a list", "seconds")
PREPARE = Series("prepare", "Prepare: everything that a search does once", "seconds")
FIRST_CALL = Series("first call", "First call after a fresh prepare", "seconds")
GROWTH = Series("growth", "Growth: listing all packings of a share of the list", "seconds")

LONG = "search.Long.time_run"
"""Its searches run only once; they are n/a in the series that repeats searches."""

KNOWN: dict[str, tuple[Series, tuple[str, ...]]] = {
    "search.Search.time_run": (SEARCH, BOTH),
    LONG: (SEARCH, BOTH),
    "games.Games.time_run": (SEARCH, BOTH),
    "search.Count.time_run": (COUNT, BOTH),
    "start.Prepare.time_prepare": (PREPARE, BOTH),
    "start.First.time_first_call": (FIRST_CALL, BOTH),
    "growth.Growth.time_run": (GROWTH, ("backend", "share")),
    "games.GamesGrowth.time_run": (
        Series("games", "Games: growth with both lists", "seconds"),
        ("backend", "answers", "starts"),
    ),
    "games.Hints.time_hints": (
        Series("hints", "Hints in a warm process", "seconds"),
        ("by", "asked"),
    ),
    "device.Device.track_run": (
        Series("device", "Device: its own time for a search", "seconds"),
        BOTH,
    ),
    "memory.Memory.peakmem_run": (Series("memory", "Peak memory of the process", "bytes"), BOTH),
    "command.Command.timeraw_solve": (
        Series("command", "Command line in a fresh process", "seconds"),
        ("instance",),
    ),
    "words.Load.time_load": (Series("load", "Loading and grouping", "seconds"), ("instance",)),
    "words.Realize.time_ranks": (
        Series("ranks", "Realization as indices", "seconds"),
        ("instance",),
    ),
    "words.Realize.time_words": (Series("words", "Realization as words", "seconds"), ("instance",)),
    "order.Order.time_canonical": (Series("order", "Canonical order", "seconds"), ("instance",)),
    "order.Order.time_digest": (Series("digest", "Digest", "seconds"), ("instance",)),
    "order.Order.time_verify": (Series("verify", "Verifier", "seconds"), ("instance",)),
}
"""The suite's benchmarks: their series, and their parameters in case asv's list lacks them."""
