"""Using the report's page: sorting, searching, dark colours, on a phone, on paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from browsing import DRAW_ALL, keep, search

if TYPE_CHECKING:
    from pathlib import Path

    from browsing import Open

pytestmark = pytest.mark.slow


def test_a_column_sorts_both_ways_and_by_keyboard(visit: Open, page_file: Path) -> None:
    """Figures sort as numbers, empty cells stay last, and aria-sort states the order."""
    page = visit(page_file)
    heading = search(page).locator("thead th").nth(3)

    def values() -> list[float | None]:
        cells: list[str | None] = (
            search(page)
            .locator("tbody")
            .first.locator("tr td:nth-of-type(3)")
            .evaluate_all("cells => cells.map(cell => cell.dataset.value)")
        )
        return [None if cell is None else float(cell) for cell in cells]

    heading.locator("button").focus()
    for order, descending in (("ascending", False), ("descending", True)):
        page.keyboard.press("Enter")
        assert heading.get_attribute("aria-sort") == order
        found = values()
        figures = [value for value in found if value is not None]
        assert len(figures) > 9
        assert figures == sorted(figures, reverse=descending)
        assert found[len(figures) :] == [None] * (len(found) - len(figures))
    assert page.locator('#search-1 th[aria-sort="none"]').count() == 8


def test_every_column_sorts(visit: Open, page_file: Path) -> None:
    """Every column of every table sorts up and down, empty cells last.

    The test reads numbers from the cells' text. A column of quartiles sorts by the upper quartile
    divided by the lower.
    """
    page = visit(page_file)
    page.evaluate(DRAW_ALL)
    seen = 0
    for table in page.locator("table.data:visible").all():
        for place, heading in enumerate(table.locator("thead th").all()):
            texts = {}
            for order in ("ascending", "descending"):
                heading.locator("button").evaluate("button => button.click()")
                assert heading.get_attribute("aria-sort") == order
                texts[order] = (
                    table.locator("tbody")
                    .first.locator("tr")
                    .evaluate_all(
                        "(rows, place) => rows.map(row => row.cells[place].innerText.trim())", place
                    )
                )
            name = heading.inner_text().split()[0]
            up, down = ([each.split("\n")[0] for each in texts[o] if each] for o in texts)
            if name in ("quartiles", "median", "n", "#"):
                sizes = [[_size(text) for text in each if _size(text)] for each in (up, down)]
                assert sizes[0] == pytest.approx(sorted(sizes[0]), rel=0.01)
                assert sizes[1] == pytest.approx(sorted(sizes[1], reverse=True), rel=0.01)
                seen += len(set(sizes[0])) > 1
                filled = [bool(_size(text)) for text in texts["descending"]]
                assert filled == sorted(filled, reverse=True)
            elif len(set(up) - {"no baseline", "not compared"}) > 1:
                assert up != down, (table.locator("caption").inner_text(), name)
    assert seen > 8


def _size(text: str) -> float:
    """Return the number in a cell, or the quotient of its two numbers; 0 without any."""
    units = {"s": 1, "ms": 1e-3, "µs": 1e-6, "B": 1, "KiB": 2**10, "MiB": 2**20, "J": 1}
    found = re.findall(r"([\d,.]+)(?: (s|ms|µs|B|KiB|MiB|J)\b)?", text)
    values = [float(number.replace(",", "")) * units[unit or "s"] for number, unit in found]
    if text.endswith("run") or not values:
        return 0
    return values[-1] / (values[0] if len(values) > 1 else 1)


def test_a_search_leaves_the_rows_that_have_all_words(visit: Open, page_file: Path) -> None:
    """Screen readers get the number of rows too."""
    page = visit(page_file)
    section = page.locator("#search-1")
    section.get_by_label("Search this table").fill("cuda gpu-server")
    shown = section.locator("tbody").first.locator("tr:visible")
    assert shown.count() == 2
    assert all("cuda" in text and "gpu-server" in text for text in shown.all_inner_texts())
    output = section.locator("output")
    assert output.get_attribute("aria-live") == "polite"
    assert output.inner_text().startswith("2 of ")
    page.locator("#absent select").select_option("wrong")
    states = page.locator("#absent tbody tr:visible td:first-child").all_inner_texts()
    assert states
    assert all("wrong" in state for state in states)


def test_colours_follow_the_system_and_the_button(visit: Open, page_file: Path) -> None:
    """Dark and light change page and charts, by system preference and by button."""
    back = "() => getComputedStyle(document.body).backgroundColor"
    font = "() => document.querySelector('#search-1 .plot').layout.font.color"
    seen = []
    for scheme in ("light", "dark"):
        page = visit(page_file, color_scheme=scheme)
        page.evaluate(DRAW_ALL)
        seen.append((page.evaluate(back), page.evaluate(font)))
        page.locator("#theme").click()
        seen.append((page.evaluate(back), page.evaluate(font)))
        page.locator("#theme").click()
        keep(page, scheme)
    light, toggled, dark, back_again = seen
    assert light == back_again != dark == toggled
    assert light[1] != dark[1]


def test_a_phone_scrolls_no_page_sideways(visit: Open, page_file: Path) -> None:
    """At 390 pixels the page is as wide as the phone; tables scroll in their own boxes."""
    page = visit(page_file, has_touch=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(DRAW_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    widths = page.locator(".box").evaluate_all("all => all.map(box => box.getBoundingClientRect())")
    assert all(box["right"] <= 390 for box in widths)
    keep(page, "phone")


def test_a_phone_shows_medians_and_whole_names(visit: Open, page_file: Path) -> None:
    """At 390 pixels search tables show medians without scrolling; names break at `_` and `-`.

    The axis does not cut off symbols of published times, which may be at its end.
    """
    page = visit(page_file, has_touch=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(DRAW_ALL)
    medians = page.locator("#search .box, .box:has(.fastest)").evaluate_all(
        """all => all.map(box => box.getBoundingClientRect().right
          - [...box.querySelectorAll("thead th")].find(each => each.textContent === "median")
              .getBoundingClientRect().right)"""
    )
    assert len(medians) > 2
    assert min(medians) >= 0
    lines = page.locator(".fastest .name, #search .name").evaluate_all(
        """all => all.flatMap(cell => [...cell.childNodes])
        .filter(node => node.nodeType === Node.TEXT_NODE && !node.data.includes("-"))
        .map(node => {
          const range = document.createRange();
          range.selectNode(node);
          return range.getClientRects().length;
        })"""
    )
    assert len(lines) > 20
    assert set(lines) <= {0, 1}
    heights = page.locator(".fastest tbody tr").evaluate_all(
        "all => all.map(each => each.offsetHeight)"
    )
    assert max(heights) < 100
    assert page.locator(".fastest td:last-child:visible").count() == 0
    points = page.locator("#search-1 .scatterlayer .point").evaluate_all(
        "all => all.map(each => Boolean(each.closest('[clip-path]')))"
    )
    assert len(points) > 10
    assert not any(points)


def test_without_scripts_the_tables_are_there(visit: Open, page_file: Path) -> None:
    """All figures are readable, and no control that needs a script is shown."""
    page = visit(page_file, java_script_enabled=False)
    assert search(page).locator("tr.measured").count() == 10
    assert page.locator(".script:visible").count() == 0
    assert "315 µs" in search(page).inner_text()


def test_paper_has_every_chart_and_no_controls(
    visit: Open, page_file: Path, tmp_path: Path
) -> None:
    """Charts not yet seen are also drawn for printing, in light colours, to fit."""
    page = visit(page_file, color_scheme="dark")
    page.evaluate("""() => addEventListener("beforeprint", () => {
      window.drawn = [...document.querySelectorAll("figure.chart:not(.empty)")]
        .map((each) => each.querySelector(".plot").layout)
        .map((layout) => layout && `${layout.font.color} ${layout.width}`);
    })""")
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert page.evaluate("window.drawn.length") > 8
    assert set(page.evaluate("window.drawn")) == {"rgb(29, 35, 41) 670"}
    assert page.evaluate("document.documentElement.dataset.theme") is None
    page.emulate_media(media="print")
    assert page.locator("nav, .controls, .searching, #theme").locator("visible=true").count() == 0
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 35, 41)"


def test_nothing_is_wider_than_a_sheet(visit: Open, page_file: Path) -> None:
    """Printed on A4 no chart, label, table or card exceeds the margins.

    The sheet is 210 mm wide, less two margins of 12 mm: 703 pixels.
    """
    page = visit(page_file)
    page.set_viewport_size({"width": 703, "height": 1000})
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    drawn = "figure.chart:not(.empty) .main-svg"
    assert page.locator(drawn).count() > 8
    beyond = page.locator(f"{drawn}, {drawn} text, table, .card").evaluate_all(
        """all => all.filter(each => each.getBoundingClientRect().width)
        .map(each => each.getBoundingClientRect())
        .filter(({ left, right }) => left < -1 || right > 704)
        .length"""
    )
    assert beyond == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 703
