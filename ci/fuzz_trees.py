"""JSON that is nearly right: seeds with branches cut, swapped, doubled, nested or made absurd."""

import json
import re
from codecs import BOM_UTF8
from copy import deepcopy
from random import Random
from typing import Any

from fuzz_seeds import often

MARKUP = [
    *("<script>hacked()</script>", '"><img src=x onerror=hacked()>', "</script><script>hacked()//"),
    *("javascript:hacked()", "]]>&lt;b onload=hacked()&gt;</style>", "{{ 7 * 7 }}${7*7}"),
]
"""What would run or be drawn, were it not text."""

TEXTS = [
    *MARKUP,
    *("../../x", "/etc/passwd", "..", ".", "con", "version", "benchmarks.json", "m1\\x", "-rf", ""),
    *(
        "\ud800",
        "a\0b",
        "\x1b[2J",
        "\u202eabc",
        "\u2028",
        "é" * 50,
        "x" * 100_000,
        "\n",
        "__proto__",
    ),
    *("=1+1", "@x", "'parker'", "parker", "toy", "search", "growth", "energy", "share=1e999"),
    *("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1" * 5000, "ok", "expected"),
    *("search.Search.time_run", "why.Why.track_reason", "seconds", "bytes", "a" * 40, "0" * 40),
]
TOKENS = [
    *("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "-0.0", "9" * 5000, "-" + "9" * 301),
    *("9" * 300, "0." + "9" * 400, "1e-400", "5e-324", "1e308", "1.7976931348623157e308", "1e101"),
    *("1e-101", "0", "1e300", "1e-300"),
    *("[" * 100_000 + "]" * 100_000, '{"a":' * 50_000 + "1" + "}" * 50_000, "01", "+1", "nul", ""),
    *(
        "[" * 11 + "]" * 11,
        "[" * 4 + "]" * 4,
        '"\\ud800"',
        '"\\u0000"',
        '"\\x"',
        '"',
        "253402300799999",
    ),
    *("253402300800000", "[1,1,1]", "1e5", "2.0", "true"),
]
"""What JSON has no value of ours for: written as it stands."""

NUMBERS = 19
"""How many of them are numbers."""

PLAIN: list[Any] = [None, True, False, 0, 1, 2, -1, 1.5, 1e-9, [], {}, [[]], [None], {"": None}]
TOKEN, AGAIN = "\ue000", "\ue001"
"""Marks of a token by its place, and of a key that stands twice."""

TOKEN_TEXT = re.compile(r'"(?:\ue000|\\ue000)(\d{1,3})"')
ENCODINGS = ["utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig"]


CHANGES = ("drop", "double", "rename", "wrap", "swap", "lengthen", "like", "replace")
SPOILS = ("cut", "hole", "double", "before", "flip", "flip")


def strange(random: Random) -> Any:
    """Return a value that no file should have there, or seldom."""
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(TEXTS)
    if kind == 1:
        return f"{TOKEN}{random.randrange(len(TOKENS))}"
    value = random.choice(PLAIN)
    return json.loads(json.dumps(value)) if isinstance(value, (list, dict)) else value


def _place(random: Random, tree: Any) -> tuple[Any, Any]:
    """Return a container somewhere in the tree, and a key of it; any depth."""
    found = None
    while isinstance(tree, (dict, list)) and tree and (found is None or often(random, 0.75)):
        key = random.choice(list(tree)) if isinstance(tree, dict) else random.randrange(len(tree))
        found, tree = (tree, key), tree[key]
    return found or ({}, None)


def change(random: Random, tree: Any, other: Any) -> None:
    """Change one place of the tree; `other` is where a swapped branch may come from."""
    holder, key = _place(random, tree)
    if key is None:
        return
    way = random.choice(CHANGES)
    if way in ("drop", "double") or (way == "rename" and isinstance(holder, dict)):
        _move(random, holder, key, way)
    else:
        holder[key] = _other(random, holder[key], way, other)


def _move(random: Random, holder: Any, key: Any, way: str) -> None:
    """Take a branch away, put it there twice, or under another name."""
    if way == "double" and isinstance(holder, dict):
        holder[f"{key}{AGAIN}"] = deepcopy(holder[key])
    elif way == "double":
        holder.insert(key, deepcopy(holder[key]))
    else:
        value = holder.pop(key)
        if way == "rename":
            holder[random.choice(TEXTS)] = value


def _other(random: Random, value: Any, way: str, other: Any) -> Any:
    """Return what is to stand in place of a branch."""
    if way == "wrap":
        return random.choice([[value], {"a": value}, [value, deepcopy(value)], str(value)[:1000]])
    if way == "swap":
        theirs, name = _place(random, other)
        return deepcopy(theirs[name]) if name is not None else None
    if way == "lengthen" and isinstance(value, str):
        return value + random.choice(TEXTS)
    if way != "replace" and isinstance(value, str):
        return random.choice(TEXTS)
    if way != "replace" and isinstance(value, float):
        return f"{TOKEN}{random.randrange(NUMBERS)}"
    return strange(random)


def written(random: Random, tree: Any) -> bytes:
    """Return the tree as JSON, seldom in another encoding, or with bytes changed."""
    text = json.dumps(tree, ensure_ascii=often(random, 0.5)).replace("\\ue001", "")
    text = TOKEN_TEXT.sub(lambda found: TOKENS[int(found[1]) % len(TOKENS)], text)
    raw = text.replace(AGAIN, "").encode("utf-8", "surrogatepass")
    if often(random, 0.02):
        raw = text.encode(random.choice(ENCODINGS), "ignore")
    return spoilt(random, raw) if often(random, 0.15) else raw


def spoilt(random: Random, raw: bytes) -> bytes:
    """Return the bytes with some cut, doubled, replaced, or put before them."""
    at, to = sorted((random.randint(0, len(raw)), random.randint(0, len(raw))))
    way = random.choice(SPOILS)
    if way == "cut":
        return raw[:at]
    if way == "hole":
        return raw[:at] + raw[to:]
    if way == "double":
        return raw[:to] + raw[at:]
    if way == "before":
        return random.choice([BOM_UTF8, b"\xff\xfe", b"\0", b"PK\x03\x04"]) + raw
    flipped = bytearray(raw)
    for _ in range(random.choice([1, 1, 2, 8])):
        if flipped:
            flipped[random.randrange(len(flipped))] = random.randrange(256)
    return bytes(flipped)


def mutated(random: Random, seed: str, other: str) -> bytes:
    """Return the JSON text `seed` with up to six changes."""
    tree, theirs = json.loads(seed), json.loads(other)
    for _ in range(random.choice([0, 1, 1, 1, 2, 6])):
        change(random, tree, theirs)
    return written(random, tree)
