"""Other people's results: files with branches cut, swapped, doubled, nested or absurd."""

import io
import json
import re
import zipfile
from codecs import BOM_UTF8
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from generators.words import VALUES
from wordpack.testing.draw import Draw

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = [
    *(ROOT / "tests" / "stored" / name for name in ("gpu", "broken", "old")),
    ROOT / "docs" / "results",
]
SEEDS = [
    {str(path.relative_to(place)): path.read_text() for path in sorted(place.rglob("*.json"))}
    for place in FOLDERS
]
"""The files of each folder by name; the last folder is large."""

SMALL = range(len(SEEDS) - 1)
RACE = (ROOT / "tests" / "stored" / "gpu-race.json").read_text()
EVERY = [RACE, *(text for at in SMALL for text in SEEDS[at].values())]

MARKUP = [
    *("<script>hacked()</script>", '"><img src=x onerror=hacked()>', "</script><script>hacked()//"),
    *("javascript:hacked()", "]]>&lt;b onload=hacked()&gt;</style>", "{{ 7 * 7 }}${7*7}"),
]
"""Markup that would run or be drawn if the page did not show it as text."""

TEXTS = [
    *MARKUP,
    *("../../x", "/etc/passwd", "..", ".", "con", "version", "benchmarks.json", "m1\\x", "-rf", ""),
    *("\ud800", "a\0b", "\x1b[2J", "\u202eabc", "\u2028", "é" * 50, "x" * 100_000, "\n"),
    *("__proto__", "=1+1", "@x", "'parker'", "parker", "toy", "search", "growth", "energy"),
    *("share=1e999", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1" * 5000, "ok"),
    *("expected", "search.Search.time_run", "why.Why.track_reason", "seconds", "bytes"),
    *("a" * 40, "0" * 40),
]
NUMBERS = [
    *("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "-0.0", "9" * 5000, "-" + "9" * 301),
    *("9" * 300, "0." + "9" * 400, "1e-400", "5e-324", "1e308", "1.7976931348623157e308", "1e101"),
    *("1e-101", "0", "1e300", "1e-300"),
]
TOKENS = [
    *NUMBERS,
    *("[" * 100_000 + "]" * 100_000, '{"a":' * 50_000 + "1" + "}" * 50_000, "01", "+1", "nul", ""),
    *("[" * 11 + "]" * 11, "[" * 4 + "]" * 4, '"\\ud800"', '"\\u0000"', '"\\x"', '"'),
    *("253402300799999", "253402300800000", "[1,1,1]", "1e5", "2.0", "true"),
]
"""JSON text that no Python value gives, written verbatim."""

PLAIN: list[Any] = [None, True, False, 0, 1, 2, -1, 1.5, 1e-9, [], {}, [[]], [None], {"": None}]
TOKEN, AGAIN = "\ue000", "\ue001"
"""Placeholders for a token, by its index, and for a repeated key."""

TOKEN_TEXT = re.compile(r'"(?:\ue000|\\ue000)(\d{1,3})"')
ENCODINGS = ["utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig"]
CHANGES = ("drop", "double", "rename", "wrap", "swap", "lengthen", "like", "replace")
SPOILS = ("cut", "hole", "double", "before", "flip", "flip")


def strange(draw: Draw) -> Any:
    """Return a value that a file should never, or rarely, have there."""
    kind = draw.integers(0, 3)
    if kind == 0:
        return draw.choice(TEXTS)
    if kind == 1:
        return f"{TOKEN}{draw.integers(0, len(TOKENS) - 1)}"
    return deepcopy(draw.choice(PLAIN))


def _place(draw: Draw, tree: Any) -> tuple[Any, Any]:
    """Return a container at any depth of the tree, and one of its keys."""
    found = None
    while isinstance(tree, (dict, list)) and tree and (found is None or draw.often(0.75)):
        key = draw.choice(list(tree) if isinstance(tree, dict) else range(len(tree)))
        found, tree = (tree, key), tree[key]
    return found or ({}, None)


def change(draw: Draw, tree: Any, other: Any) -> None:
    """Change one place of the tree; `other` is where a swapped branch may come from."""
    holder, key = _place(draw, tree)
    if key is None:
        return
    way, named = draw.choice(CHANGES), isinstance(holder, dict)
    if way == "drop":
        del holder[key]
    elif way == "double" and named:
        holder[f"{key}{AGAIN}"] = deepcopy(holder[key])
    elif way == "double":
        holder.insert(key, deepcopy(holder[key]))
    elif way == "rename" and named:
        value = holder.pop(key)
        holder[draw.choice(TEXTS)] = value
    else:
        holder[key] = _other(draw, holder[key], way, other)


def _other(draw: Draw, value: Any, way: str, other: Any) -> Any:
    """Return the replacement of a branch."""
    if way == "wrap":
        return draw.choice([[value], {"a": value}, [value, deepcopy(value)], str(value)[:1000]])
    if way == "swap":
        theirs, name = _place(draw, other)
        return deepcopy(theirs[name]) if name is not None else None
    if way == "lengthen" and isinstance(value, str):
        return value + draw.choice(TEXTS)
    if way != "replace" and isinstance(value, str):
        return draw.choice(TEXTS)
    if way != "replace" and isinstance(value, float):
        return f"{TOKEN}{draw.integers(0, len(NUMBERS) - 1)}"
    return strange(draw)


def changed(draw: Draw, seed: str) -> bytes:
    """Return a JSON text with up to six changes, rarely in another encoding or with bad bytes."""
    tree, theirs = json.loads(seed), json.loads(draw.choice(EVERY))
    for _ in range(draw.choice([0, 1, 1, 1, 2, 6])):
        change(draw, tree, theirs)
    text = json.dumps(tree, ensure_ascii=draw.often(0.5)).replace("\\ue001", "")
    text = TOKEN_TEXT.sub(lambda found: TOKENS[int(found[1]) % len(TOKENS)], text)
    raw = text.replace(AGAIN, "").encode("utf-8", "surrogatepass")
    if draw.often(0.02):
        raw = text.encode(draw.choice(ENCODINGS), "ignore")
    return spoilt(draw, raw) if draw.often(0.15) else raw


def spoilt(draw: Draw, raw: bytes) -> bytes:
    """Return the bytes with some cut, doubled, replaced or prepended."""
    at, to = draw.span(len(raw))
    way = draw.choice(SPOILS)
    if way == "cut":
        return raw[:at]
    if way == "hole":
        return raw[:at] + raw[to:]
    if way == "double":
        return raw[:to] + raw[at:]
    if way == "before":
        return draw.choice([BOM_UTF8, b"\xff\xfe", b"\0", b"PK\x03\x04"]) + raw
    flipped = bytearray(raw)
    for _ in range(draw.choice([1, 1, 2, 8]) if raw else 0):
        flipped[draw.integers(0, len(raw) - 1)] = draw.integers(0, 255)
    return bytes(flipped)


class Folder(NamedTuple):
    """A folder of results, one of SEEDS, with one file's bytes changed."""

    seed: int
    name: str
    raw: bytes

    @property
    def files(self) -> dict[str, bytes]:
        """The bytes of all files, by name."""
        files = {name: text.encode() for name, text in SEEDS[self.seed].items()}
        return files | {self.name: self.raw}


def folder(draw: Draw, large: float = 0.0) -> Folder:
    """Draw a folder of results with one file changed, the large one for a share of the draws."""
    seed = len(SMALL) if draw.often(large) else draw.choice(SMALL)
    name = draw.choice(list(SEEDS[seed]))
    return Folder(seed, name, changed(draw, SEEDS[seed][name]))


class Reading(NamedTuple):
    """The source to read, and whether to render the whole page."""

    source: Folder | bytes
    argument: str
    rendered: bool


RENDERED = 0.002
"""The share of accepted sources that is rendered as a whole page."""


def results(draw: Draw) -> Reading:
    """Draw a folder of results."""
    return Reading(folder(draw, large=0.008), "sent", draw.often(RENDERED))


def race(draw: Draw) -> Reading:
    """Draw a race file, named by a machine or by itself."""
    name = draw.choice(["race.json", "m1=race.json", "../x=race.json"])
    return Reading(changed(draw, RACE), name, draw.often(RENDERED))


ZIP_NAMES = [
    *("../x.json", "/x.json", "m1/../x", "m1/machine.json/", "m1/x\x1b[2J.json", "..", "é.json"),
]


def packed(draw: Draw) -> bytes:
    """Draw a packed file whose names, files or bytes were changed."""
    seed, content = SEEDS[draw.choice(SMALL)], io.BytesIO()
    with zipfile.ZipFile(content, "w", draw.choice([0, zipfile.ZIP_DEFLATED])) as archive:
        for name, text in seed.items():
            raw = changed(draw, text) if draw.often(0.1) else text.encode()
            own = draw.choice([*ZIP_NAMES, *seed]) if draw.often(0.05) else name
            if own not in archive.namelist():
                # a fixed time, so that the bytes are the same each time
                archive.writestr(zipfile.ZipInfo(own), raw, archive.compression)
    raw = content.getvalue()
    return spoilt(draw, raw) if draw.often(0.5) else raw


class Merge(NamedTuple):
    """The source to merge, and the number of the folder to merge it into."""

    source: Folder | bytes
    into: int | None


def merge(draw: Draw) -> Merge:
    """Draw a packed file or a folder, and its target: the same results, others, or none."""
    source = packed(draw) if draw.often(0.5) else folder(draw)
    return Merge(source, draw.choice(SMALL) if draw.often(0.8) else None)


COMMITS = ["4c3f8dc1", "2a1d6baf", "", "4c3f8dc", "zzzzzzzz", "a" * 41]
CHECK = {
    "--threshold": [*VALUES, "1.1", "nan", "inf", "1e999"],
    "--p": [*VALUES, "0.5", "nan"],
    "--machine": ["gpu-server", "../../x", "", *MARKUP],
    "--base-commit": COMMITS,
    "--new-commit": COMMITS,
    "--series": ["search", "count", *TEXTS[:20]],
    "--format": ["json", "text", "xml"],
}
PAGE = {
    "--baseline": ["bitset_rows", "", *TEXTS[:20]],
    "--baseline-machine": ["gpu-server", "../../x", *MARKUP],
    "--threshold": ["2"],
}
PAIRS = [
    *(("base", "sent"), ("m=old.json", "m=race.json"), ("sent", "sent"), ("sent", "base")),
    ("m=race.json", "m=old.json"),
]
"""Pairs of sources to compare."""


class Report(NamedTuple):
    """A folder, a race, and the options of `report`; `base` and `old.json` are unchanged."""

    folder: Folder
    race: bytes
    arguments: list[str]

    @property
    def page(self) -> bool:
        """Whether a page is wanted."""
        return "--output" in self.arguments


def report(draw: Draw) -> Report:
    """Draw a check of one source against another, rarely a page of two."""
    if draw.often(0.1):
        options, source = PAGE, draw.choice(["sent", "race.json"])
        place = f"{source}/x.html" if draw.often(0.1) else "out/page.html"
        arguments = [source, "m=race.json", "--output", place]
    else:
        options, arguments = CHECK, ["--check", *draw.choice(PAIRS)]
    for option in draw.choices(list(options), draw.choice([0, 0, 1, 2])):
        arguments += [option, draw.choice(options[option])]
    return Report(folder(draw), changed(draw, RACE), arguments)
