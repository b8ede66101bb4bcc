"""Results from elsewhere: packed files, merges and `wordpack report`, run as commands.

Files are written only where asked, and no existing file or value is lost.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from fuzz_results import check_page, put, tree

from generators.results import RACE, SEEDS, Folder, Merge, Report
from outcomes import LONGEST, command
from wordpack.errors import InputError
from wordpack.results import exchange
from wordpack.testing.agreement import agree


def try_packed(raw: bytes) -> bool:
    """Read a packed file whose names, files or bytes were changed."""
    Path("sent.zip").write_bytes(raw)
    try:
        exchange.read(Path("sent.zip"))
    except InputError as error:
        agree(len(str(error)) <= LONGEST, True, f"{len(str(error))} characters of refusal")
        return False
    return True


def try_merge(given: Merge) -> bool:
    """Merge into existing results; no file or value is lost, and nothing is written outside."""
    into = Path("into")
    shutil.rmtree(into, ignore_errors=True)
    if given.into is not None:
        put(into, originals(given.into))
    if isinstance(given.source, Folder):
        source = "sent"
        put(Path(source), given.source.files)
    else:
        source = "sent.zip"
        Path(source).write_bytes(given.source)
    before, around = tree(into), tree(Path(), into)
    status, _ = command(["results", "merge", source, "--results", "into"])
    after = tree(into)
    agree(tree(Path(), into) == around, True, "files outside as they were")
    if status:
        agree(after == before, True, f"results as they were after {source} was refused")
        return False
    for name, raw in before.items():
        agree(holds(json.loads(after[name]), json.loads(raw)), True, f"{name} as it was")
    exchange.read(into)
    return True


def holds(new: Any, old: Any) -> bool:
    """Return whether `new` has everything in `old`; null and NaN may have become values."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(n in new and holds(new[n], old[n]) for n in old)
    if isinstance(old, list):
        return isinstance(new, list) and len(new) >= len(old) and all(map(holds, new, old))
    return old is None or old != old or new == old  # noqa: PLR0124  NaN


def try_report(given: Report) -> bool:
    """Run `wordpack report`, for a page or a check, with any options on changed results."""
    put(Path("sent"), given.folder.files)
    put(Path("base"), originals(given.folder.seed))
    Path("race.json").write_bytes(given.race)
    Path("old.json").write_text(RACE)
    shutil.rmtree("out", ignore_errors=True)
    Path("out").mkdir()
    before = tree(Path(), Path("out"))
    good = (0,) if given.page else (0, 1)
    status, out = command(["report", *given.arguments], good)
    agree(all(line.isprintable() for line in out.split("\n")), True, f"printable {out!r}")
    agree(tree(Path(), Path("out")) == before, True, "files outside as they were")
    made = Path("out/page.html")
    agree(made.exists(), status == 0 and given.page, "a page")
    if made.exists():
        check_page(made.read_text(encoding="utf-8"))
    return status in good


def originals(seed: int) -> dict[str, bytes]:
    """Return the files of a seed as they are."""
    return {name: text.encode() for name, text in SEEDS[seed].items()}
