"""On the report's page a single run is marked as such and is no headline if others exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browsing import DRAW_ALL, search, words
from handmade_page import Search, searches, written
from wordpack.report.latest import Baseline, Compared, headline, latest, rows

if TYPE_CHECKING:
    from pathlib import Path

    from browsing import Open

pytestmark = pytest.mark.slow

ONCE = Search("desk", "fast", "py3.14", 1.0, runs=1)
OFTEN = Search("desk", "fast", "py3.11", 2.0)


@pytest.mark.parametrize(
    ("listed", "best"),
    [
        ((ONCE, OFTEN), OFTEN),
        ((ONCE, OFTEN._replace(backend="other")), ONCE),
        ((ONCE, OFTEN._replace(machine="lap")), ONCE),
        ((ONCE, OFTEN, Search("desk", "other", value=1.5)), Search("desk", "other", value=1.5)),
        ((ONCE._replace(runs=None), OFTEN), ONCE),
        ((ONCE._replace(value=None),), None),
    ],
)
def test_a_single_run_is_the_headline_only_without_others(
    listed: tuple[Search, ...], best: Search | None
) -> None:
    """A figure of several runs on the same machine and backend takes precedence."""
    lines = latest(searches(*listed))
    first = headline(rows(lines, Compared(lines, Baseline())))
    assert (first and first.line.point.value) == (best and best.value)


def test_a_single_run_says_so(visit: Open, tmp_path: Path) -> None:
    """Headline, table and hover say `1 run`, without quartiles."""
    page = visit(written(tmp_path, searches(ONCE, OFTEN._replace(backend="other"))))
    page.evaluate(DRAW_ALL)
    assert words(page.locator(".fastest td.n").first.inner_text()) == "1.00 s 1 run"
    assert words(search(page).locator("tbody tr").first.locator("td").nth(3).inner_text()) == (
        "1 run"
    )
    hover = page.locator("#search-1 .plot").evaluate(
        "plot => plot.data.flatMap(trace => trace.hovertext)"
    )
    assert sum("1.00 s, 1 run<br>" in text for text in hover) == 1
    assert sum("(1.80 s \N{EN DASH} 2.20 s), n = 5<br>" in text for text in hover) == 1
