"""Results of strangers: read, merged and shown as the rules say, or refused, with nothing lost.

What is accepted is judged by Python's own json and a few lines: values shown are values that the
file has, a race with another answer than parker's is never ranked, and no name becomes markup.
"""

import io
import json
from html.parser import HTMLParser
from math import isfinite
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from fuzz_outcomes import LONGEST, agree
from fuzz_seeds import often
from fuzz_trees import MARKUP, mutated

from wordpack.errors import InputError
from wordpack.report import asv_results, figures, level_shifts, page, sources, tables
from wordpack.report.latest import latest
from wordpack.report.measurements import Key, Measurements, State

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = [
    *(ROOT / "tests" / "results" / name for name in ("gpu", "broken", "old")),
    ROOT / "docs" / "results",
]
SEEDS = [
    {str(path.relative_to(place)): path.read_text() for path in sorted(place.rglob("*.json"))}
    for place in FOLDERS
]
"""Files of each folder by their names."""

SMALL = SEEDS[:-1]
RACES = [(ROOT / "tests" / "results" / "gpu-race.json").read_text()]
EVERY = [*RACES, *(text for seed in SMALL for text in seed.values())]
ANSWER = {
    "packings": 538,
    "solutions": 831,
    "digest": "40e4126b2e0d76b975ec074c46f0e4207235eec767118f390c1d429653115452",
}
"""Of parker, published in 2022."""

RENDERED = 0.002
"""The share of what was read that becomes a whole page."""


def try_results(random: Random) -> bool:
    """Read a folder of results with one of its files changed."""
    place = Path("sent")
    seed = random.choice(SMALL if often(random, 0.97) else SEEDS)
    put(place, seed)
    name = random.choice(list(seed))
    raw = mutated(random, seed[name], random.choice(EVERY))
    (place / name).write_bytes(raw)
    found = reading(str(place))
    if found is None:
        return False
    files = [(place / each).read_bytes() for each in seed if "-" in Path(each).name]
    values = {
        value
        for file in files
        for row in json.loads(file)["results"].values()
        for value in row[0] or []
        if value is not None and isfinite(value) and value >= 0
    }
    shown = {point.value for line in found.lines.values() for point in line.values()} - {None}
    agree(shown - values, set(), "values that no file has")
    exhibit(random, found)
    return True


def try_race(random: Random) -> bool:
    """Read a race file that was changed, under the name of a machine or its own."""
    raw = mutated(random, random.choice(RACES), random.choice(EVERY))
    Path("race.json").write_bytes(raw)
    found = reading(random.choice(["race.json", "m1=race.json", "../x=race.json"]))
    if found is None:
        return False
    entries = json.loads(raw)["backends"]
    for key, line in found.lines.items():
        if key.series != "search" or key.instance != "parker":
            continue
        (point,) = line.values()
        if point.state is State.MEASURED:
            own = [each for each in entries if each["backend"] == key.backend]
            agree(all(right(each) for each in own if each["status"] == "ok"), True, str(key))
            agree(point.value in map(plain_median, own), True, f"the median {point.value} of {key}")
    exhibit(random, found)
    return True


def right(entry: dict[str, Any]) -> bool:
    """Return whether a race's entry has parker's answer."""
    return all(entry.get(name) == due for name, due in ANSWER.items())


def plain_median(entry: dict[str, Any]) -> float | None:
    """Return the median of the samples that are times, None without any or without a proof."""
    if entry["status"] != "ok" or entry.get("verified") not in ("expected", "agreed"):
        return None
    samples = (entry.get("seconds") or {}).get("samples") or []
    times = [each for each in samples if type(each) in (int, float) and 0 < each < 1e100]  # noqa: PLR2004
    return median(times) if times else None


def reading(argument: str) -> Measurements | None:
    """Read a source; None where it is refused, in words that one line can hold."""
    asv_results._keys.cache_clear()
    try:
        return sources.read((argument,))
    except InputError as error:
        agree(len(str(error)) <= LONGEST, True, f"{len(str(error))} characters of refusal")
        return None


def exhibit(random: Random, found: Measurements) -> None:
    """Make what the page and its tables are made of, and seldom the page."""
    lines = latest(found)
    marks = {key: level_shifts.steps(found.points(key)) for key in found.lines}
    text = figures.embedded(figures.data(found, lines, marks, ()))
    agree(set(text) & set("<>&"), set(), "letters of markup in the page's data")
    agree(len(json.loads(text)["lines"]), len(lines), "lines in the page's data")
    for write in (tables.write_csv, lambda *given: tables.write_json(given[0], {}, given[1])):
        write(found, io.StringIO())
    if lines and often(random, RENDERED):
        render(found, {key: each for key, each in marks.items() if each})


def render(found: Measurements, marks: dict[Key, list[level_shifts.Step]]) -> None:
    """Make the page, and look for markup in it."""
    about = page.About(("a", MARKUP[0]), MARKUP[1], "0", "2025-06-01")
    Markup(page.render(found, about, marks))


def render_seeds() -> None:
    """Make the page of the seeds: it takes the most memory of all that is done here."""
    render(sources.read((str(FOLDERS[0]), *map(str, FOLDERS[2:]))), {})


class Markup(HTMLParser):
    """Ends in Differs for an element or an attribute that the page has not of its own."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts = 0
        self.feed(text)
        self.close()
        # the data, our script, plotly's
        agree(self.scripts, 3, "scripts of the page")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Judge an element."""
        self.scripts += tag == "script"
        links = [value or "" for name, value in attrs if name in ("href", "src", "action")]
        bad = tag in ("img", "iframe", "b", "object") or any(name[:2] == "on" for name, _ in attrs)
        bad |= any(link.lower().startswith(("javascript:", "data:", "http:")) for link in links)
        agree(bad, False, f"<{tag} {attrs}> in the page")


def put(place: Path, seed: dict[str, str]) -> None:
    """Write these files, and leave no other in the folder."""
    for name in tree(place).keys() - seed.keys():
        (place / name).unlink()
    for folder in place.iterdir() if place.exists() else ():
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    for name, text in seed.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)


def tree(place: Path, without: Path | None = None) -> dict[str, bytes]:
    """Return all files of a folder by their names, but those of another."""
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file() and (without is None or without not in path.parents)
    }
