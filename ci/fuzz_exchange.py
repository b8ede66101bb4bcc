"""Results that travel: packed files, merges and `wordpack report`, as commands and their files.

Nothing is written but where it was asked for, and no file and no value that was there is lost.
"""

import io
import json
import shutil
import zipfile
from pathlib import Path
from random import Random
from typing import Any

from fuzz_outcomes import LONGEST, agree, command
from fuzz_results import EVERY, RACES, SMALL, Markup, put, tree
from fuzz_seeds import VALUES, often
from fuzz_trees import MARKUP, TEXTS, mutated, spoilt

from wordpack.errors import InputError
from wordpack.results import exchange

ZIP_NAMES = [
    "../x.json",
    "/x.json",
    "m1/../x",
    "m1/machine.json/",
    "m1/x\x1b[2J.json",
    "..",
    "é.json",
]
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
PAIRS = [
    *(("base", "sent"), ("m=old.json", "m=race.json"), ("sent", "sent"), ("sent", "base")),
    ("m=race.json", "m=old.json"),
]
"""What is compared with what."""

PAGE = {
    "--baseline": ["bitset_rows", "", *TEXTS[:20]],
    "--baseline-machine": ["gpu-server", "../../x", *MARKUP],
    "--threshold": ["2"],
}


def try_packed(random: Random) -> bool:
    """Read a packed file whose names, files or bytes were changed."""
    Path("sent.zip").write_bytes(packed(random))
    try:
        exchange.read(Path("sent.zip"))
    except InputError as error:
        agree(len(str(error)) <= LONGEST, True, f"{len(str(error))} characters of refusal")
        return False
    return True


def packed(random: Random) -> bytes:
    """Return a packed file."""
    seed, content = random.choice(SMALL), io.BytesIO()
    with zipfile.ZipFile(content, "w", random.choice([0, zipfile.ZIP_DEFLATED])) as archive:
        for name, text in seed.items():
            raw = text.encode()
            if often(random, 0.1):
                raw = mutated(random, text, random.choice(EVERY))
            own = random.choice([*ZIP_NAMES, *seed]) if often(random, 0.05) else name
            if own not in archive.namelist():
                archive.writestr(own, raw)
    raw = content.getvalue()
    return spoilt(random, raw) if often(random, 0.5) else raw


def try_merge(random: Random) -> bool:
    """Merge into results that are there; no file and no value of them is lost, none is outside."""
    into, seed = Path("into"), random.choice(SMALL)
    shutil.rmtree(into, ignore_errors=True)
    if often(random, 0.8):
        put(into, seed if often(random, 0.6) else random.choice(SMALL))
    before, around = tree(into), tree(Path(), into)
    if often(random, 0.5):
        Path("sent.zip").write_bytes(packed(random))
        source = "sent.zip"
    else:
        put(Path("sent"), seed)
        name = random.choice(list(seed))
        (Path("sent") / name).write_bytes(mutated(random, seed[name], random.choice(EVERY)))
        source = "sent"
    changed = {each for each in around if each.startswith("sent")}
    status, _ = command(["results", "merge", source, "--results", "into"])
    after, outside = tree(into), tree(Path(), into)
    agree({n: r for n, r in outside.items() if not n.startswith("sent")},
          {n: r for n, r in around.items() if n not in changed}, "files outside")  # fmt: skip
    if status:
        agree(after, before, f"results after {source} was refused")
        return False
    for name, raw in before.items():
        agree(holds(json.loads(after[name]), json.loads(raw)), True, f"{name} as it was")
    exchange.read(into)
    return True


def holds(new: Any, old: Any) -> bool:
    """Return whether all that `old` has is in `new`; null and NaN may have become something."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(n in new and holds(new[n], old[n]) for n in old)
    if isinstance(old, list):
        return isinstance(new, list) and len(new) >= len(old) and all(map(holds, new, old))
    return old is None or old != old or new == old  # noqa: PLR0124  NaN


def try_report(random: Random) -> bool:
    """Run `wordpack report`, its page or its check, with any options on changed results."""
    seed, place = random.choice(SMALL), Path("sent")
    put(place, seed)
    put(Path("base"), seed)
    name = random.choice(list(seed))
    (place / name).write_bytes(mutated(random, seed[name], random.choice(EVERY)))
    Path("race.json").write_bytes(mutated(random, RACES[0], random.choice(EVERY)))
    shutil.rmtree("out", ignore_errors=True)
    Path("out").mkdir()
    if often(random, 0.9):
        options, good = CHECK, (0, 1)
        Path("old.json").write_text(RACES[0])
        arguments = ["--check", *random.choice(PAIRS)]
    else:
        options, good = PAGE, (0,)
        arguments = [random.choice(["sent", "race.json"]), "m=race.json"]
        arguments += [
            "--output",
            "out/page.html" if often(random, 0.9) else f"{arguments[0]}/x.html",
        ]
    for option in random.choices(list(options), k=random.choice([0, 0, 1, 2])):
        arguments += [option, random.choice(options[option])]
    before = tree(Path(), Path("out"))
    status, out = command(["report", *arguments], good)
    agree(all(line.isprintable() for line in out.split("\n")), True, f"printable {out!r}")
    agree(tree(Path(), Path("out")), before, "files outside")
    made = Path("out/page.html")
    agree(made.exists(), status == 0 and options is PAGE, "a page")
    if made.exists():
        Markup(made.read_text(encoding="utf-8"))
    return status in good
