"""The report's page in a real browser: read back, sorted, searched, compared, drawn and printed.

Needs playwright and a Chromium of the system; WORDPACK_SCREENSHOTS names a folder for what it saw.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest
from conftest import absent
from test_page import HOSTILE

from handmade_page import RACE, RESULTS, named, page_of_three
from wordpack.report import numbers
from wordpack.report.page import render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Locator, Page

    Open = Callable[..., Page]

REQUIRED = "WORDPACK_REQUIRE_BROWSER"

ASV_FILE = RESULTS / "gpu" / "gpu-server" / "4c3f8dc1-virtualenv-py3.11.json"
OLD = RESULTS / "old" / "i7-2010"
BACKENDS, INSTANCES = (
    ("bitset_rows", "cuda", "rarest_letter", "dancing_links"),
    ("parker", "wordle"),
)

DRAW_ALL = """async () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  for (const each of document.querySelectorAll("figure.chart")) {
    each.scrollIntoView({ behavior: "instant" });
    await new Promise((done) => setTimeout(done, 60));
  }
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the system's Chromium; skip, or fail, where it or playwright is missing."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("playwright is not installed: pip install 'wordpack[browser]'", REQUIRED)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        absent("there is no chromium: apt install chromium", REQUIRED)
    # as root, which CI often is, Chromium has no sandbox
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium, args=alone)
        yield started
        started.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page of the three machines."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page_of_three(), encoding="utf-8")
    return path


@pytest.fixture
def visit(browser: Browser) -> Iterator[Open]:
    """Open a file; at the end there was no error, no message of the console and no request."""
    seen: list[str] = []
    contexts = []

    def go(path: Path, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                seen.append(f"request: {request.url[:100]}")
                if not request.url.startswith((path.as_uri(), "data:", "blob:"))
                else None
            ),
        )
        page.goto(path.as_uri())
        return page

    yield go
    for context in contexts:
        context.close()
    assert seen == []


def keep(page: Page, name: str) -> None:
    """Keep a picture of the whole page where WORDPACK_SCREENSHOTS says."""
    folder = os.environ.get("WORDPACK_SCREENSHOTS")
    if folder:
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = false)")
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        page.screenshot(path=Path(folder) / f"report-{name}.png", full_page=True)


def measured(table: Locator) -> dict[tuple[str, str, str], dict[str, str]]:
    """Return a search table's measured rows by machine, environment and backend."""
    cells = (
        table.locator("tbody")
        .first.locator("tr.measured")
        .evaluate_all(
            """rows => rows.map(row => [...row.cells].map(cell =>
             [cell.firstChild ? cell.firstChild.textContent.trim() : "", cell.dataset.value || "",
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
    return page.locator(f"#search-{place} table")


def raw_asv() -> dict[tuple[str, str], float | None]:
    """Return the newest search medians on the GPU machine, from asv's file itself."""
    values = json.loads(ASV_FILE.read_text())["results"]["search.Search.time_run"][0]
    pairs = [(backend, instance) for backend in BACKENDS for instance in INSTANCES]
    return dict(zip(pairs, values, strict=True))


def raw_race() -> dict[str, list[float]]:
    """Return the samples of the race by backend, those of a proven answer."""
    return {
        entry["backend"]: entry["seconds"]["samples"]
        for entry in json.loads(RACE.read_text())["backends"]
        if entry["verified"] == "expected" and entry["packings"] == 538
    }


def test_tables_have_the_figures_of_the_files(visit: Open, file: Path) -> None:
    """Each median, number of runs and spread is the one in the raw JSON, at full precision."""
    rows = measured(search(visit(file)))
    race = raw_race()
    asv = {b: v for (b, i), v in raw_asv().items() if i == "parker" and v is not None}
    old = json.loads((OLD / "4c3f8dc1-virtualenv-py3.7-numpy.json").read_text())
    olds = old["results"]["search.Search.time_run"][0][::2]
    names = ("rarest_letter", "dancing_links", "filtered_lists")
    expected = {("gpu-server", "race", b): median(samples) for b, samples in race.items()}
    expected |= {("gpu-server", "virtualenv-py3.11", b): value for b, value in asv.items()}
    expected |= {("i7-2010", "", b): v for b, v in zip(names, olds, strict=True)}
    assert {key: float(row["median"]) for key, row in rows.items()} == expected
    assert rows["gpu-server", "race", "cuda"]["count"] == str(len(race["cuda"]))
    for key, row in rows.items():
        assert row["shown"] == numbers.figure(expected[key], "seconds")


def test_a_column_sorts_both_ways_and_by_keyboard(visit: Open, file: Path) -> None:
    """Figures are sorted as numbers, what has none stays last, and aria-sort says the order."""
    page = visit(file)
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


def test_a_search_leaves_the_rows_that_have_all_words(visit: Open, file: Path) -> None:
    """The count of rows is told to screen readers too."""
    page = visit(file)
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


def test_another_baseline_changes_every_speedup_and_the_chart(visit: Open, file: Path) -> None:
    """Speed-ups are quotients of the raw medians, in the table and in the chart."""
    page = visit(file)
    chart = page.locator('[data-chart="speedup"] .plot')
    chart.scroll_into_view_if_needed()
    old = json.loads((OLD / "4c3f8dc1-virtualenv-py3.7-numpy.json").read_text())
    against = old["results"]["search.Search.time_run"][0][0]
    page.wait_for_selector('[data-chart="speedup"] .main-svg')
    page.locator("#baseline [name=machine]").select_option("i7-2010")
    page.locator("#baseline [name=backend]").select_option("rarest_letter")
    rows = measured(search(page))
    for row in rows.values():
        assert float(row["speedup"]) == pytest.approx(against / float(row["median"]))
    drawn = chart.evaluate("plot => plot.data.flatMap(trace => trace.x)")
    assert sorted(drawn) == pytest.approx(sorted(float(r["speedup"]) for r in rows.values()))
    page.locator("#baseline [name=backend]").select_option("cuda")
    cells = search(page).locator("tr.measured .speedup").all_inner_texts()
    assert set(cells) == {"no baseline"}
    assert "choose another baseline" in chart.inner_text()
    page.locator("#baseline [name=backend]").select_option("")
    page.locator("#baseline [name=machine]").select_option("")
    assert set(search(page).locator("tr.measured .speedup").all_inner_texts()) == {
        "1.00\N{MULTIPLICATION SIGN}"
    }


def test_charts_draw_what_was_measured_and_nothing_else(visit: Open, file: Path) -> None:
    """Each dot is a raw median with its quartiles; failures are no dots; published ones apart."""
    page = visit(file)
    page.evaluate(DRAW_ALL)
    traces = page.locator("#search-2 .plot").evaluate(
        "plot => plot.data.map(({name, x, y, error_x, marker}) => ({name, x, y, error_x, marker}))"
    )
    server, old, published = traces
    values = {b: v for (b, i), v in raw_asv().items() if i == "wordle" and v is not None}
    assert dict(zip(server["y"], server["x"], strict=True)) == values
    row = json.loads(ASV_FILE.read_text())["results"]["search.Search.time_run"]
    high = dict(zip(((b, i) for b in BACKENDS for i in INSTANCES), row[8], strict=True))
    for backend, value, above in zip(
        server["y"], server["x"], server["error_x"]["array"], strict=True
    ):
        assert value + above == pytest.approx(high[backend, "wordle"])
    assert old["name"] == "i7-2010"
    assert "published" in published["name"]
    assert (published["x"], published["marker"]["symbol"]) == ([140], "diamond-open")
    assert server["marker"]["symbol"] != old["marker"]["symbol"]


def test_a_history_has_the_points_of_all_commits_and_its_regression(
    visit: Open, file: Path
) -> None:
    """The line of bitset_rows is that of its three files, and a triangle is at the third."""
    page = visit(file)
    form = page.locator('form[data-for="history"]')
    form.locator("[name=backend]").select_option("bitset_rows")
    form.locator("[name=along]").select_option("order")
    page.evaluate(DRAW_ALL)
    traces = page.locator("#history .plot").evaluate(
        "plot => plot.data.map(({name, x, y}) => ({name, x, y}))"
    )
    files = sorted((RESULTS / "gpu" / "gpu-server").glob("*-*.json"))
    raw = sorted(
        (document["date"], document["results"]["search.Search.time_run"][0][0])
        for document in (json.loads(each.read_text()) for each in files)
    )
    lines = {trace["name"]: trace for trace in traces}
    assert lines["bitset_rows"]["y"] == pytest.approx([value for _, value in raw], rel=1e-4)
    assert lines["regression"]["x"] == [lines["bitset_rows"]["x"][2]]
    table = page.locator("#history-table table")
    assert ASV_FILE.name in table.inner_text()
    assert "asv run --machine gpu-server 4c3f8dc1" in table.inner_text()
    assert "1.60\N{MULTIPLICATION SIGN}" in page.locator("#history tr.slower").inner_text()


def test_each_figure_names_its_file_commit_and_command(visit: Open, file: Path) -> None:
    """What opens in a row names a file that is there, and the way to make it."""
    page = visit(file)
    for row in search(page).locator("tr[data-line]").all()[:8]:
        row.locator("summary").click()
        file_name, *rest = row.locator("dd").all_inner_texts()
        assert Path(file_name).is_file()
        assert any(text.startswith(("asv run", "wordpack race")) for text in rest)


def test_energy_and_clocks_are_those_of_the_race(visit: Open, file: Path) -> None:
    """The energy is the median of the readings that have one; a reason for slow clocks is shown."""
    section = visit(file).locator("#energy")
    (cuda,) = (e for e in json.loads(RACE.read_text())["backends"] if e["backend"] == "cuda")
    joules = [r["energy_joules"] for r in cuda["readings"] if r["energy_joules"] is not None]
    shown = section.locator("tr[data-line] td[data-value]").first.get_attribute("data-value")
    assert float(shown or 0) == median(joules)
    assert "sw_power_cap" in section.inner_text()
    assert "1980" in section.inner_text()


def test_colours_follow_the_system_and_the_button(visit: Open, file: Path) -> None:
    """Dark and light differ in page and charts, by preference and by choice; both are kept."""
    back = "() => getComputedStyle(document.body).backgroundColor"
    font = "() => document.querySelector('#search-1 .plot').layout.font.color"
    seen = []
    for scheme in ("light", "dark"):
        page = visit(file, color_scheme=scheme)
        page.evaluate(DRAW_ALL)
        seen.append((page.evaluate(back), page.evaluate(font)))
        page.locator("#theme").click()
        seen.append((page.evaluate(back), page.evaluate(font)))
        page.locator("#theme").click()
        keep(page, scheme)
    light, toggled, dark, back_again = seen
    assert light == back_again != dark == toggled
    assert light[1] != dark[1]


def test_a_phone_scrolls_no_page_sideways(visit: Open, file: Path) -> None:
    """At 390 pixels the page is as wide as the phone; tables scroll in boxes of their own."""
    page = visit(file, has_touch=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(DRAW_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    widths = page.locator(".box").evaluate_all("all => all.map(box => box.getBoundingClientRect())")
    assert all(box["right"] <= 390 for box in widths)
    keep(page, "phone")


def test_without_scripts_the_tables_are_there(visit: Open, file: Path) -> None:
    """All figures can be read, and nothing is shown that needs a script."""
    page = visit(file, java_script_enabled=False)
    assert search(page).locator("tr.measured").count() == 10
    assert page.locator(".script:visible").count() == 0
    assert "315 µs" in search(page).inner_text()


def test_paper_has_every_chart_and_no_controls(visit: Open, file: Path, tmp_path: Path) -> None:
    """Charts that nobody has looked at are drawn before printing, in light colours."""
    page = visit(file, color_scheme="dark")
    page.evaluate("""() => addEventListener("beforeprint", () => {
      window.drawn = [...document.querySelectorAll("figure.chart:not(.empty)")]
        .map((each) => Boolean(each.querySelector(".main-svg")));
    })""")
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert page.evaluate("window.drawn.length") > 8
    assert page.evaluate("window.drawn.every(Boolean)")
    page.emulate_media(media="print")
    assert page.locator("nav, .controls, .searching, #theme").locator("visible=true").count() == 0
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 35, 41)"


def test_hostile_names_are_drawn_and_do_not_run(visit: Open, tmp_path: Path) -> None:
    """No name becomes an element, in tables or charts, and labels show it letter by letter."""
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
    plain = {numbers.plain(text) for text in HOSTILE}
    assert {words(label) for label in labels} == {words(f"{text}, {text}") for text in plain}


def words(text: str) -> str:
    return " ".join(text.split())
