"""Untrusted race files: shown as they are, also as wrong or unproven, or refused in one line."""

import json
import math
import shlex
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from handmade_results import document, entry, folder, race, row

Command = Callable[..., Any]

MARKUP = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


class Elements(HTMLParser):
    """The elements and scripts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element and what it would run."""
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


@pytest.fixture
def page(wordpack: Command, tmp_path: Path) -> Command:
    """Make a page from sources; return its text and its figures."""

    def made(*sources: object) -> tuple[str, Any]:
        path = tmp_path / "page.html"
        outcome = wordpack("report", *sources, "--output", path)
        assert (outcome.status, outcome.err) == (0, "")
        figures = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        return path.read_text(encoding="utf-8"), figures

    return made


def states(figures: Any, series: str = "search") -> dict[str, str]:
    """Return the state of each backend's only point."""
    place = figures["points"].index("state")
    return {
        line["backend"]: line["points"][0][place]
        for line in figures["lines"]
        if line["series"] == series
    }


def test_markup_in_every_text_is_no_element(page: Command, tmp_path: Path) -> None:
    """In backends, reasons, devices, machine facts, parameters, environments and benchmarks."""
    hostile = entry(
        backend=MARKUP,
        reason=MARKUP,
        device_facts={MARKUP: MARKUP},
        readings=[{"throttle_after": [MARKUP]}],
    )
    machine = {"cpu": MARKUP, "os": MARKUP, "python": MARKUP, "gpu": {"name": MARKUP}}
    file = race(tmp_path / "r.json", hostile, machine=machine, wordpack=MARKUP)
    other = race(tmp_path / "o.json", entry(backend=MARKUP), instance=MARKUP)
    sent = folder(tmp_path / "sent", cpu=MARKUP, results={MARKUP: row(1.0, 2.0, math.nan, None)})
    (stored,) = sent.glob("m1/0*.json")
    whole = document("m1", {MARKUP: [[1.0, None], [[MARKUP, "'b'"]], MARKUP]})
    stored.write_text(json.dumps(whole | {"env_name": MARKUP, "python": MARKUP}))
    listed = {MARKUP: {"params": [], "param_names": [MARKUP], "unit": MARKUP}, "version": 2}
    (sent / "benchmarks.json").write_text(json.dumps(listed))
    text, figures = page(f"m2={file}", f"m3={other}", sent)
    found = Elements(text)
    assert MARKUP in json.dumps(figures).replace('\\"', '"')
    assert found.tags.count("script") == 3, "the data, our script and plotly"
    assert not {"img", "iframe", "object"} & set(found.tags)
    assert found.handlers == []


def test_a_wrong_or_unproven_answer_is_shown_as_such(page: Command, tmp_path: Path) -> None:
    """Whatever the file claims, and never with a rank."""
    good = entry(backend="good")
    wrong = entry(backend="wrong", packings=539, seconds={"samples": [1e-9] * 5})
    unproven = entry(backend="unproven", verified="valid", seconds={"samples": [1e-9] * 5})
    boasting = entry(backend="boasting", verified=True, seconds={"samples": [1e-9] * 5})
    text, figures = page(f"m={race(tmp_path / 'r.json', good, wrong, unproven, boasting)}")
    assert states(figures) == {
        "good": "measured", "wrong": "wrong", "unproven": "unproven", "boasting": "unproven",
    }  # fmt: skip
    fastest = text.partition('id="fastest-title"')[2].partition("</section>")[0]
    assert "good" in fastest
    assert not {"wrong", "unproven", "boasting"} & set(fastest.replace("<", " ").split())


@pytest.mark.parametrize(
    "started",
    ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1969-12-31T00:00:00Z", "", "now"],
)
def test_a_date_that_no_table_can_show(wordpack: Command, tmp_path: Path, started: str) -> None:
    """Including a date whose year leaves the calendar in UTC."""
    file = race(tmp_path / "r.json", entry(), started=started)
    outcome = wordpack("report", file, "--output", tmp_path / "page.html")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "is not a date" in outcome.err
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("number", [math.inf, math.nan, 1.7e308, 10**299, 1e-300, -1.0, -0.0, True])
def test_figures_beyond_any_clock_are_no_times(
    page: Command, tmp_path: Path, number: float
) -> None:
    """Their medians, ratios and sums would overflow a float, in races and in asv's results."""
    seconds = {"samples": [number, number], "prepare": number, "first": number}
    readings = [{"energy_joules": number}]
    entries = (
        entry(backend="bad", seconds=seconds, readings=readings),
        entry(seconds={"samples": [1e-9]}),
    )
    file = race(tmp_path / "r.json", *entries)
    result = None if number is True else number
    sent = folder(tmp_path / "sent", results={"search.time": row(1e-9, result, 1.0, 2.0)})
    _, figures = page(f"m2={file}", sent)
    assert states(figures)["bad"] == "failed"


def test_infinite_facts_of_a_device_are_left_out(page: Command, tmp_path: Path) -> None:
    """JSON cannot hold them; finite facts beside them stay."""
    facts = {"name": "H200", "power_watts": math.inf, "clock": math.nan, "list": [1]}
    _, figures = page(f"m={race(tmp_path / 'r.json', entry(device_facts=facts))}")
    (device,) = figures["devices"]
    assert device["facts"] == {"name": "H200"}


def test_the_command_of_a_race_is_one_word_where_its_instance_is(
    page: Command, tmp_path: Path
) -> None:
    """People copy it from the page: a shell must not run what a stranger wrote in it."""
    name = "parker; touch x; $(touch y)"
    _, figures = page(f"m={race(tmp_path / 'r.json', entry(), instance=name)}")
    (file,) = figures["files"]
    assert shlex.split(file["command"])[:3] == ["wordpack", "race", name]


@pytest.mark.parametrize("given", [{"instance": "x" * 2001}, {"backend": "x" * 2001}])
def test_names_that_would_fill_a_page(
    wordpack: Command, tmp_path: Path, given: dict[str, str]
) -> None:
    """Each line repeats them, so a name of a megabyte would be there a hundred times."""
    own = {"backend": given["backend"]} if "backend" in given else {}
    file = race(tmp_path / "r.json", entry(**own), **{k: v for k, v in given.items() if not own})
    outcome = wordpack("report", f"m={file}", "--output", tmp_path / "page.html")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "more than 2,000 letters" in outcome.err


def test_a_long_reason_is_cut(page: Command, tmp_path: Path) -> None:
    """A reason in someone else's file may be as long as a book."""
    bad = entry(backend="bad", status="crashed" * 999, reason="x" * 1_000_000)
    text, _ = page(f"m={race(tmp_path / 'r.json', entry(), bad)}")
    assert "x" * 2000 in text
    assert "x" * 2001 not in text
