"""Calls of the published hint solver and the words that it printed."""

COMPUTED = (
    "xzyjkquinovhewlrmdgfaptbcs",
    "jzqfkgxvbsdymcwptnhulieroa",
    "qjhzkxfwyvcbpmgdstlnrueoia",
    "qjxyzbwhfvpkmdguotcrilasne",
    "jqvuzxbiwfcsgmpoakdnhlrtye",
)
"""Letters by frequency in the 2,315 words, as stated with the published program."""

FIRST = """saint crane crone coast brine crony cause briny boast slant poise paint shine saner prone
point count corny clone"""
LAST = "occur known humus hippo fuzzy dizzy kappa idyll pizza offer ninja khaki kebab rabbi jiffy \
offal igloo jazzy affix"

TABLE = [
    (".....", ["", "", "", "", ""], "", 2315, FIRST, LAST),
    ("i.e..", ["", "", "nr", "n", ""], "sla", 1, "inert", "inert"),
    ("i.e..", ["", "", "", "n", "nr"], "pach", 1, "inert", "inert"),
    (
        *("...n.", ["", "", "", "", ""], "slat", 56),
        "crone brine crony briny prone corny borne prune drone phone brink",
        "ninny ozone icing",
    ),
    (
        *(".r.n.", ["", "", "", "", ""], "slatcoe", 8),
        *("briny brink grind bring drink drunk wring wrung",) * 2,
    ),
    (".....", ["s", "a", "a", "s", "e"], "lntcu", 2, "askew essay", "askew essay"),
]
"""Calls of the published program, with the number of words it printed, the first and the last."""
