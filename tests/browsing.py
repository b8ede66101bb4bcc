"""Helpers of browser tests: draw a whole page, read its tables, save a screenshot."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    Open = Callable[..., Page]

DRAW_ALL = """async () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  for (const each of document.querySelectorAll("figure.chart")) {
    each.scrollIntoView({ behavior: "instant" });
    await new Promise((done) => setTimeout(done, 60));
  }
}"""
"""Opens and shows everything, so that every chart is drawn."""


def keep(page: Page, name: str) -> None:
    """Save a screenshot of the whole page to the folder WORDPACK_SCREENSHOTS, if set."""
    folder = os.environ.get("WORDPACK_SCREENSHOTS")
    if folder:
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = false)")
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        page.screenshot(path=Path(folder) / f"report-{name}.png", full_page=True)


def measured(table: Locator) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return the measured rows of a search table by machine, environment and backend."""
    cells = (
        table.locator("tbody")
        .first.locator("tr.measured")
        .evaluate_all(
            """rows => rows.map(row => [...row.cells].map(cell =>
             [[...cell.childNodes].filter(node => node.tagName !== "SMALL")
                .map(node => node.textContent).join("").trim(), cell.dataset.value || "",
              cell.querySelector("small") ? cell.querySelector("small").textContent : ""]))"""
        )
    )
    return {
        (row[1][0], row[1][2], row[2][0]): {
            "median": row[3][1], "quartiles": row[4][0], "count": row[5][1], "speedup": row[6][1],
            "shown": row[3][0],
        }
        for row in cells
    }  # fmt: skip


def search(page: Page, place: int = 1) -> Locator:
    """Return an instance's table."""
    return page.locator(f"#search-{place} table")


def words(text: str) -> str:
    """Return the text with single spaces."""
    return " ".join(text.split())
