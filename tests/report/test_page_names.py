"""The report's page with untrusted names: hostile, long, blank, or like our own words."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from browsing import DRAW_ALL, search, words
from handmade_page import HOSTILE, Search, named, searches, written
from wordpack.report import numbers
from wordpack.report.latest import Baseline
from wordpack.report.page import render

if TYPE_CHECKING:
    from pathlib import Path

    from browsing import Open

pytestmark = pytest.mark.slow


def fitting(label: str, names: list[str]) -> str:
    """Return the name that a label shows, in full or without its middle."""
    start, cut, end = label.partition("\N{HORIZONTAL ELLIPSIS}")
    (found,) = (
        name
        for name in names
        if (name.startswith(start.strip()) and name.endswith(end.strip()) if cut else name == label)
    )
    return found


def test_hostile_names_are_drawn_and_do_not_run(visit: Open, tmp_path: Path) -> None:
    """No name becomes an element in tables or charts; labels show it literally."""
    path = tmp_path / "report.html"
    path.write_text(render(*named(*HOSTILE)), encoding="utf-8")
    page = visit(path)
    page.evaluate(DRAW_ALL)
    page.locator(".nsewdrag").first.hover()
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main iframe, .plot a[href], svg image").count() == 0
    labels = set()
    for place in range(1, len(HOSTILE) + 1):
        labels |= set(page.locator(f"#search-{place} .ytick text").all_text_contents())
    names = [words(f"{text}, {text}") for text in map(numbers.plain, HOSTILE)]
    seen = {fitting(words(label), names) for label in labels}
    assert seen == set(names)
    hovers = page.locator("#search .plot").evaluate_all(
        "all => all.flatMap(plot => (plot.data || []).flatMap(trace => trace.hovertext))"
    )
    shown = [words(html.unescape(re.sub("<[^>]*>", "", each))) for each in hovers]
    assert all(any(name in each for each in shown) for name in names)


def test_long_names_fit_the_page_and_its_charts(visit: Open, tmp_path: Path) -> None:
    """No name widens the page, overlaps another or crowds a chart; hovers show it in full."""
    listed = [
        Search(letter * 80, "b" * 70 + letter, "e" * 60, 2.0, "i" * 90, facts={"k" * 40: "v" * 99})
        for letter in "xyz"
    ]
    found = searches(*listed)
    others = searches(*listed, series="s" * 300)
    found.series |= others.series
    found.lines |= others.lines
    page = visit(written(tmp_path, found))
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        page.evaluate(DRAW_ALL)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        facts = page.locator(".card dl div").evaluate_all(
            """all => all.map(({ children: [dt, dd] }) => [
              dt.getBoundingClientRect().left + dt.scrollWidth - dd.getBoundingClientRect().left,
              dd.scrollWidth - dd.clientWidth])"""
        )
        assert facts
        assert all(within <= 0 for pair in facts for within in pair)
        labels = page.locator("#search-1 .ytick text").evaluate_all(
            "all => all.map(each => [each.textContent, each.getBoundingClientRect().width])"
        )
        assert len({text for text, _ in labels}) == 3
        assert all(size < width / 2 for _, size in labels)
        hovers = page.locator("#search-1 .plot").evaluate("plot => plot.data[0].hovertext")
        assert f"<b>{'b' * 70}x</b> on {'x' * 80}<br>" in hovers[0]


def test_names_of_blanks_and_stars_are_chosen_by_themselves(visit: Open, tmp_path: Path) -> None:
    """As a baseline `a  b` keeps both blanks, and `*` is one backend, not all."""
    path = written(
        tmp_path,
        searches(Search("m", "a  b", value=6.0), Search("m", "*", value=3.0)),
        Baseline("*", "m"),
    )
    page = visit(path)
    for name, speedups in (("a  b", ["2", "1"]), ("*", ["1", "0.5"])):
        page.locator("#baseline [name=backend]").select_option(name)
        cells = (
            search(page)
            .locator(".speedup")
            .evaluate_all("all => all.map(each => each.dataset.value)")
        )
        assert cells == speedups
    page.evaluate(DRAW_ALL)
    backend = page.locator('form[data-for="history"] [name=backend]')
    drawn = "plot => plot.data.map(trace => trace.name)"
    assert page.locator("#history .plot").evaluate(drawn) == ["*", "a  b"]
    backend.select_option(label="*")
    assert page.locator("#history .plot").evaluate(drawn) == ["*"]
