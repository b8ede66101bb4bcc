"""The report's page tells the environments of one machine apart, and which are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from browsing import search, words
from handmade_page import Search, searches, written
from wordpack.report.latest import Baseline

if TYPE_CHECKING:
    from pathlib import Path

    from browsing import Open

TIMES = "\N{MULTIPLICATION SIGN}"
TWO = (
    Search("desk", "slow", "py3.11", 8.0),
    Search("desk", "fast", "py3.11", 2.0),
    Search("desk", "fast", "py3.14", 1.0),
    Search("lap", "fast", "py3.14", 4.0),
)
"""A baseline that only one of two environments has."""


def test_a_speedup_across_environments_says_so(visit: Open, tmp_path: Path) -> None:
    """The cell names the environment of the baseline, with scripts and without, as its hover."""
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
