"""The report's page tells a machine's environments apart and says which are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browsing import DRAW_ALL, search, words
from handmade_page import Search, searches, written
from wordpack.report.absences import absences
from wordpack.report.latest import Baseline, latest

if TYPE_CHECKING:
    from pathlib import Path

    from browsing import Open

pytestmark = pytest.mark.slow

TIMES = "\N{MULTIPLICATION SIGN}"
TWO = (
    Search("desk", "slow", "py3.11", 8.0),
    Search("desk", "fast", "py3.11", 2.0),
    Search("desk", "fast", "py3.14", 1.0),
    Search("lap", "fast", "py3.14", 4.0),
)
"""Results in which only one of two environments has the baseline."""

TRACES = """plot => plot.data.map(({name, x, y, marker, hovertext}) =>
  ({name, x, y, symbol: marker.symbol, hover: hovertext}))"""


def test_a_speedup_across_environments_says_so(visit: Open, tmp_path: Path) -> None:
    """Cell and hover name the baseline's environment, with and without scripts."""
    path = written(tmp_path, searches(*TWO), Baseline("slow", "desk"))
    expected = {
        f"8.00{TIMES} vs py3.11", f"4.00{TIMES}", f"2.00{TIMES} vs py3.11", f"1.00{TIMES} baseline"
    }  # fmt: skip
    whole = "all => all.map(each => each.title + each.innerHTML)"
    for scripts in (True, False):
        page = visit(path, java_script_enabled=scripts)
        cells = search(page).locator(".speedup")
        if scripts:
            before = cells.evaluate_all(whole)
            page.locator("#baseline [name=backend]").select_option("fast")
            assert words(cells.nth(0).inner_text()) == f"1.00{TIMES} baseline"
            page.locator("#baseline [name=backend]").select_option("slow")
            assert cells.evaluate_all(whole) == before
        assert {words(text) for text in cells.all_inner_texts()} == expected
        titles = cells.evaluate_all("all => all.map(each => each.title)")
        assert set(titles) == {"against slow on desk, py3.11, 1970-01-01 00:00"}


def test_charts_tell_the_environments_of_a_machine_apart(visit: Open, tmp_path: Path) -> None:
    """Each has its own trace, name, symbol and hover text; no line joins two environments.

    A machine with a single environment has its bare name.
    """
    twice = [each._replace(commits=3) for each in TWO]
    page = visit(written(tmp_path, searches(*twice), Baseline("slow", "desk")))
    page.evaluate(DRAW_ALL)
    for chart in ("spread", "speedup"):
        traces = page.locator(f'[data-chart="{chart}"] .plot').first.evaluate(TRACES)
        assert sorted(each["name"] for each in traces) == ["desk (py3.11)", "desk (py3.14)", "lap"]
        assert len({each["symbol"] for each in traces}) == 3
        assert all(f"on {each['name']}<br>" in hover for each in traces for hover in each["hover"])
    page.locator('form[data-for="history"] [name=backend]').select_option("fast")
    traces = page.locator("#history .plot").evaluate(TRACES)
    assert [(each["name"], each["y"]) for each in traces] == [
        ("fast, desk (py3.11)", [2, 2, 2]),
        ("fast, desk (py3.14)", [1, 1, 1]),
        ("fast, lap", [4, 4, 4]),
    ]
    assert len({each["symbol"] for each in traces}) == 3
    assert all(len(set(each["x"])) == 3 for each in traces)
    rows = page.locator("#history-table tbody tr").all_inner_texts()
    assert sum("py3.14" in text.split("\t")[2] for text in rows) == 6


def test_absences_name_the_files_of_all_environments(tmp_path: Path) -> None:
    """One reason in two environments gives two rows, each with file, environment and commit."""
    failed = Search("desk", "slow", value=None, reason="signal 9")
    found = searches(
        failed, failed._replace(instance="j"), failed._replace(environment="py3.14", commits=2)
    )
    rows = absences(latest(found))
    of = [(each.environment, each.what, each.lines[0].point.commit[-1]) for each in rows]
    assert of == [("py3.11", "i", "1"), ("py3.11", "j", "1"), ("py3.14", "i", "2")]
    text = written(tmp_path, found).read_text(encoding="utf-8")
    section = text[text.index('<section id="absent"') : text.index('<section id="published"')]
    assert section.count("file desk-py3.14.json") == 1
    assert section.count("<small>py3.14</small>") == 1
