"""Results from other people: read and shown as the rules say, or refused.

Python's own json and a few lines judge accepted files. Every value shown is a value that the
file has, a race without parker's answer is never ranked, and no name becomes markup.
"""

import io
import json
from math import isfinite
from pathlib import Path
from statistics import median
from typing import Any

from generators.results import FOLDERS, MARKUP, Reading
from outcomes import LONGEST
from outline import Outline
from wordpack.errors import InputError
from wordpack.report import asv_results, figures, level_shifts, page, sources, tables
from wordpack.report.latest import latest
from wordpack.report.measurements import Key, Measurements, State
from wordpack.testing.agreement import agree

ANSWER = {
    "packings": 538,
    "solutions": 831,
    "digest": "40e4126b2e0d76b975ec074c46f0e4207235eec767118f390c1d429653115452",
}
"""The answer of parker, published in 2022."""


def try_results(given: Reading) -> bool:
    """Read a folder of results with one of its files changed."""
    agree(isinstance(given.source, bytes), False, "bytes in place of a folder")
    files = given.source.files
    put(Path("sent"), files)
    found = reading(given.argument)
    if found is None:
        return False
    values = {
        value
        for name, file in files.items()
        if "-" in Path(name).name
        for row in json.loads(file)["results"].values()
        for value in row[0] or []
        if value is not None and isfinite(value) and value >= 0
    }
    shown = {point.value for line in found.lines.values() for point in line.values()} - {None}
    agree(shown - values, set(), "values that no file has")
    exhibit(found, rendered=given.rendered)
    return True


def try_race(given: Reading) -> bool:
    """Read a race file that was changed."""
    Path("race.json").write_bytes(given.source)
    found = reading(given.argument)
    if found is None:
        return False
    entries = json.loads(given.source)["backends"]
    for key, line in found.lines.items():
        if key.series != "search" or key.instance != "parker":
            continue
        (point,) = line.values()
        if point.state is State.MEASURED:
            own = [each for each in entries if each["backend"] == key.backend]
            agree(all(right(each) for each in own if each["status"] == "ok"), True, str(key))
            agree(point.value in map(plain_median, own), True, f"the median {point.value} of {key}")
    exhibit(found, rendered=given.rendered)
    return True


def right(entry: dict[str, Any]) -> bool:
    """Return whether a race's entry has parker's answer."""
    return all(entry.get(name) == value for name, value in ANSWER.items())


def plain_median(entry: dict[str, Any]) -> float | None:
    """Return the median of the samples that are times; None without samples or verification."""
    if entry["status"] != "ok" or entry.get("verified") not in ("expected", "agreed"):
        return None
    samples = (entry.get("seconds") or {}).get("samples") or []
    times = [each for each in samples if type(each) in (int, float) and 0 < each < 1e100]  # noqa: PLR2004
    return median(times) if times else None


def reading(argument: str) -> Measurements | None:
    """Read a source; None if it is refused, in a message short enough for one line."""
    asv_results._keys.cache_clear()
    try:
        return sources.read((argument,))
    except InputError as error:
        agree(len(str(error)) <= LONGEST, True, f"{len(str(error))} characters of refusal")
        return None


def exhibit(found: Measurements, *, rendered: bool) -> None:
    """Build the data and tables of the page, and the page itself if `rendered`."""
    lines = latest(found)
    marks = {key: level_shifts.steps(found.points(key)) for key in found.lines}
    text = figures.embedded(figures.data(found, lines, marks, ()))
    agree(set(text) & set("<>&"), set(), "letters of markup in the page's data")
    agree(len(json.loads(text)["lines"]), len(lines), "lines in the page's data")
    for write in (tables.write_csv, lambda *given: tables.write_json(given[0], {}, given[1])):
        write(found, io.StringIO())
    if lines and rendered:
        render(found, {key: each for key, each in marks.items() if each})


def render(found: Measurements, marks: dict[Key, list[level_shifts.Step]]) -> None:
    """Build the page, and check it for markup from the results."""
    about = page.About(("a", MARKUP[0]), MARKUP[1], "0", "2025-06-01")
    check_page(page.render(found, about, marks))


def render_seeds() -> None:
    """Build the page of the seeds, which takes the most memory of anything done here."""
    render(sources.read((str(FOLDERS[0]), *map(str, FOLDERS[2:]))), {})


def check_page(text: str) -> None:
    """Raise Differs for an element, attribute or link that is not the page's own."""
    found = Outline(text)
    # the data, our script, plotly's
    agree(len(found.scripts), 3, "scripts of the page")
    for tag, names in found.elements:
        bad = tag in ("img", "iframe", "b", "object") or any(name[:2] == "on" for name in names)
        agree(bad, False, f"<{tag} {names}> in the page")
    bad_links = [
        link for link in found.links if link.lower().startswith(("javascript:", "data:", "http:"))
    ]
    agree(bad_links, [], "links in the page")


def put(place: Path, files: dict[str, bytes]) -> None:
    """Write these files and delete all others in the folder."""
    for name in tree(place).keys() - files.keys():
        (place / name).unlink()
    for folder in place.iterdir() if place.exists() else ():
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    for name, raw in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(raw)


def tree(place: Path, without: Path | None = None) -> dict[str, bytes]:
    """Return all files of a folder by name, except those in the folder `without`."""
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file() and (without is None or without not in path.parents)
    }
