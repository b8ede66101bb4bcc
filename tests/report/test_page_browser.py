"""In a real browser the page's tables and charts have the figures of the files."""

from __future__ import annotations

import json
import random
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from browsing import DRAW_ALL, measured, search, words
from handmade_page import RACE, RESULTS
from wordpack.report import numbers

if TYPE_CHECKING:
    from browsing import Open

pytestmark = pytest.mark.slow

ASV_FILE = RESULTS / "gpu" / "gpu-server" / "4c3f8dc1-virtualenv-py3.11.json"
OLD = RESULTS / "old" / "i7-2010"
BACKENDS, INSTANCES = (
    ("bitset_rows", "cuda", "rarest_letter", "dancing_links"),
    ("parker", "wordle"),
)


def raw_asv() -> dict[tuple[str, str], float | None]:
    """Return the newest search medians on the GPU machine, read from asv's file."""
    values = json.loads(ASV_FILE.read_text())["results"]["search.Search.time_run"][0]
    pairs = [(backend, instance) for backend in BACKENDS for instance in INSTANCES]
    return dict(zip(pairs, values, strict=True))


def raw_race() -> dict[str, list[float]]:
    """Return the race's samples by backend, only those with a proven answer."""
    return {
        entry["backend"]: entry["seconds"]["samples"]
        for entry in json.loads(RACE.read_text())["backends"]
        if entry["verified"] == "expected" and entry["packings"] == 538
    }


def test_tables_have_the_figures_of_the_files(visit: Open, page_file: Path) -> None:
    """Each median, number of runs and spread equals the raw JSON's, at full precision."""
    rows = measured(search(visit(page_file)))
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


def test_another_baseline_changes_every_speedup_and_the_chart(visit: Open, page_file: Path) -> None:
    """Speed-ups are quotients of the raw medians, in both table and chart."""
    page = visit(page_file)
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
    own = search(page).locator("tr.measured .speedup").all_inner_texts()
    assert {words(text) for text in own} == {"1.00\N{MULTIPLICATION SIGN} baseline"}


def test_charts_draw_what_was_measured_and_nothing_else(visit: Open, page_file: Path) -> None:
    """Each dot is a raw median with quartiles; failures have no dot; published ones are apart."""
    page = visit(page_file)
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
    assert not any("laptop" in label or "thread" in label for label in published["y"])
    everything = page.locator("#search-1 .plot").evaluate("plot => plot.data.at(-1).hovertext")
    assert any("0.795 s; another branch of it 0.45 s with several threads" in text
               and "davidad's laptop, 1 thread" in text for text in everything)  # fmt: skip
    assert server["marker"]["symbol"] != old["marker"]["symbol"]


def test_a_history_has_the_points_of_all_commits_and_its_regression(
    visit: Open, page_file: Path
) -> None:
    """The line of bitset_rows has the values of its three files, and a triangle at the third."""
    page = visit(page_file)
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
    own = lines["bitset_rows, gpu-server (virtualenv-py3.11)"]
    assert own["y"] == pytest.approx([value for _, value in raw], rel=1e-4)
    assert lines["regression"]["x"] == [own["x"][2]]
    table = page.locator("#history-table table")
    assert ASV_FILE.name in table.inner_text()
    assert "asv run --machine gpu-server 4c3f8dc1" in table.inner_text()
    assert "1.60\N{MULTIPLICATION SIGN}" in page.locator("#history tr.slower").inner_text()


def test_each_figure_names_its_file_commit_and_command(visit: Open, page_file: Path) -> None:
    """A row's details name an existing file and the command that makes it."""
    page = visit(page_file)
    for row in search(page).locator("tr[data-line]").all()[:8]:
        # not a click: a chart drawn meanwhile would move the row from under the pointer
        row.locator("summary").press("Enter")
        row.locator("details p").first.wait_for()
        file_name, *rest = row.locator("details p").all_inner_texts()
        assert Path(file_name.removeprefix("file ")).is_file()
        assert any(text.startswith(("command asv run", "command wordpack race")) for text in rest)


def test_energy_and_clocks_are_those_of_the_race(visit: Open, page_file: Path) -> None:
    """Energy is the median of the readings that have one; reasons for slow clocks are shown."""
    section = visit(page_file).locator("#energy")
    (cuda,) = (e for e in json.loads(RACE.read_text())["backends"] if e["backend"] == "cuda")
    joules = [r["energy_joules"] for r in cuda["readings"] if r["energy_joules"] is not None]
    shown = section.locator("tr[data-line] td[data-value]").first.get_attribute("data-value")
    assert float(shown or 0) == median(joules)
    assert "sw_power_cap" in section.inner_text()
    assert "1980" in section.inner_text()


def test_scripts_write_numbers_as_the_page_does(visit: Open, page_file: Path) -> None:
    """Python and JavaScript format each value and unit alike, including halves and extremes."""
    rng = random.Random(5)  # noqa: S311  nothing secret
    values = [0.0, 5e-324, 1e-300, 1e-9, 0.09996, 99.95, 100.5, 101.5, 999.5, 1e6, 1e9, 1e300]
    values += [1_234_567.0, 2.0, 1.125, 1.135, 0.0625, 10.25, 0.00100250244140625, 123_456.5, -4.5]
    values += [10 ** rng.uniform(-12, 12) for _ in range(500)]
    units = ["seconds", "bytes", "joules", "words", ""]
    page = visit(page_file)
    figures = page.evaluate(
        "([all, units]) => all.map(value => units.map(unit => figure(value, unit)))",
        [values, units],
    )
    assert figures == [[numbers.figure(value, unit) for unit in units] for value in values]
    ratios = page.evaluate("all => all.map(ratio)", values)
    assert ratios == [numbers.ratio(value) for value in values]
    ticks = page.evaluate(
        """([least, most, unit]) => logAxis([least, most], unit).ticktext""",
        [1e-3, 1e12, "seconds"],
    )
    assert ticks == ["100 µs", "100 ms", "100 s", "100,000 s", "100,000,000 s", "1e11 s"]
