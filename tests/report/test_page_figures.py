"""The data of the report's page: newest figures, ranks, speed-ups, histories, absences."""

from __future__ import annotations

import json
import re

import pytest

from handmade_page import BASELINE, RACE, Search, page_of_three, searches, three
from many_results import many
from outline import Outline
from tree import TESTS
from wordpack.report import figures, growth_rates, numbers
from wordpack.report.absences import absences, cards
from wordpack.report.latest import Baseline, Compared, Line, latest, rows, usual
from wordpack.report.measurements import Key, Measurements, Point, Series, State
from wordpack.report.page import About, render
from wordpack.report.sources import read
from wordpack.solving.published import RUNS


@pytest.fixture(scope="module")
def outline() -> Outline:
    return Outline(page_of_three())


def test_no_number_of_the_data_is_nan() -> None:
    """Figures that JSON cannot represent are refused, not written."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        figures.embedded({"value": float("nan")})


def test_the_data_has_each_newest_figure_exactly(outline: Outline) -> None:
    """The race file's medians, computed in this test, are in the page's data digit for digit."""
    texts = outline.data["texts"]
    found = {
        tuple(texts[place] for place in row[:6]): row[7]
        for row in outline.data["lines"]
    }  # fmt: skip
    for entry in json.loads(RACE.read_text())["backends"]:
        if entry["verified"] == "expected" and entry["packings"] == 538:
            samples = sorted(entry["seconds"]["samples"])
            key = ("gpu-server", "search", entry["backend"], "parker", "", "race")
            assert found[key] == samples[len(samples) // 2]


def test_histories_have_five_digits_of_each_point() -> None:
    """A history's whole numbers times their power of ten are its values; gaps are marked."""
    found, _ = many(2, 2, 2, 30)
    lines = latest(found)
    histories = figures.data(found, lines, {}, [])["histories"]
    for line in lines:
        _, exponent, stored = histories[line.place]
        for point, number in zip(found.points(line.key), stored, strict=True):
            if point.value is None:
                assert number == "f"
            else:
                assert number * 10.0**exponent == pytest.approx(point.value, rel=1e-4)


@pytest.mark.parametrize("values", [(0.0, 1.0), (1e-300, 1e300), (5e-324,), (1e-9, 3.0, 1e9)])
def test_histories_of_any_size_are_stored(values: tuple[float, ...]) -> None:
    """No value in an untrusted file leaves the range of a float."""
    found = Measurements()
    key = Key(found.machine("m", {}), "search", "b", "i", "", "e")
    origin = found.origin("f", "c", "v")
    for place, value in enumerate(values):
        point = Point("a" * 40, place, State.MEASURED, origin, value)
        found.add(key, Series("search", "", "seconds"), point)
    ((_, exponent, stored),) = figures.data(found, latest(found), {}, [])["histories"]
    shown = [number * 10.0**exponent for number in stored]
    assert shown == pytest.approx(list(values), rel=1e-4)
    assert "NaN" not in render(found, About((), "", "", ""))[-5000:]


def line(place: int, *key: str, value: float | None = 1.0, date: int = 0) -> Line:
    """Return a line of the search series; without a value it failed."""
    state = State.FAILED if value is None else State.MEASURED
    machine, backend, instance, environment = key
    name = Key(machine, "search", backend, instance, "", environment)
    return Line(place, name, Point("c", date, state, 0, value))


def test_speedups_are_against_the_chosen_backend_and_machine() -> None:
    """A line's own environment comes first, then the baseline's newest; nothing else compares."""
    lines = [
        line(0, "m1", "slow", "i", "asv", value=8.0),
        line(1, "m1", "slow", "i", "race", value=6.0, date=1),
        line(2, "m2", "fast", "i", "asv", value=2.0),
        line(3, "m2", "fast", "i", "other", value=2.0),
        line(4, "m2", "fast", "j", "asv", value=2.0),
        line(5, "m2", "broken", "i", "asv", value=None),
    ]
    compared = Compared(lines, Baseline("slow", "m1"))
    assert [compared.speedup(each)[0] for each in lines] == [1, 1, 4, 3, None, None]
    assert compared.speedup(lines[4])[1] == "no baseline"
    assert compared.speedup(lines[5])[1] == "not compared"
    said = {row.line.place: row.said for row in rows(lines, compared)}
    assert [said[place] for place in range(6)] == ["baseline", "baseline", "", "vs race", "", ""]
    own = Compared(lines, Baseline("", "m2"))
    assert [own.speedup(each)[0] for each in lines] == [None, None, 1, 1, 1, None]
    assert usual(lines) == Baseline("fast", "m2")


def test_the_usual_baseline_is_what_other_machines_have_too() -> None:
    """A machine that shares instances takes precedence over one with more of its own."""
    lines = [
        *(line(place, "m1", "wide", instance, "e") for place, instance in enumerate("abc")),
        line(3, "m1", "shared", "i", "e", value=2.0),
        line(4, "m2", "other", "i", "e"),
        line(5, "m3", "other", "c", "e", value=None),
    ]
    assert usual(lines) == Baseline("shared", "m1")
    assert usual(lines[:4]) == Baseline("wide", "m1")
    assert usual([]) == Baseline()


def timed(machine: str, **times: str) -> list[Line]:
    """Return a machine's lines; 'a8 b2' gives a backend 8 s on instance a and 2 s on b."""
    return [
        line(0, machine, backend, each[0], "e", value=float(each[1:]))
        for backend, own in times.items()
        for each in own.split()
    ]


def test_the_usual_backend_is_slow_and_has_most_instances() -> None:
    """filtered_arrays if it has more than half of the instances, else the slowest that has."""
    quick, slow, rare = "a1 b1 c1 d1", "a9 b9 c9", "a99 b99"
    three_of_four = timed("m", quick=quick, slow=slow, rare=rare)
    assert usual(three_of_four) == Baseline("slow", "m")
    # 2 of 4 are not more than half, 3 are
    assert usual(timed("m", quick=quick, slow=slow, filtered_arrays="a2 b2")).backend == "slow"
    assert usual(timed("m", quick=quick, slow=slow, filtered_arrays="a2 b2 c2")) == Baseline(
        "filtered_arrays", "m"
    )
    # no backend has more than half: of those with most, the slowest
    assert usual(timed("m", one="a1 b1", two="c5 d5", four="a9 c9", rest="e9")).backend == "four"
    # long instances do not outweigh short ones: 4 and 4 times the fastest, against 1 and 8
    assert usual(timed("m", even="a4 b4", odd="a1 b8", best="a1 b1")).backend == "even"


def test_the_usual_baseline_of_our_own_results() -> None:
    """For docs/results, from one machine: the backend is numpy's, not a device's."""
    found = read((str(TESTS.parent / "docs" / "results"),))
    assert usual(latest(found)) == Baseline("filtered_arrays", "epyc-2")


def test_only_measured_rows_have_ranks_and_speedups() -> None:
    """Unproven, wrong, failed and missing figures come last in the table, without a rank."""
    found = three()
    listed = rows(
        [each for each in latest(found) if each.key[1:4:2] == ("search", "parker")],
        Compared(latest(found), BASELINE),
    )
    states = [each.line.point.state for each in listed]
    ranked = [each.rank for each in listed if each.rank]
    assert ranked == list(range(1, states.count(State.MEASURED) + 1))
    assert [each.line.point.value for each in listed[: len(ranked)]] == sorted(
        each.line.point.value or 0 for each in listed[: len(ranked)]
    )
    assert {each.rank for each in listed[len(ranked) :]} == {None}
    assert {each.speedup for each in listed[len(ranked) :]} == {None}
    order = [*dict.fromkeys(states)]
    assert order == ["measured", "unproven", "wrong", "failed", "n/a"]


def test_what_has_no_figure_is_told_with_its_reason(outline: Outline) -> None:
    """Everything not measured is in one list, wrong answers first, and on the page."""
    found = three()
    listed = absences(latest(found))
    assert listed[0].state is State.WRONG
    assert sum(len(each.lines) for each in listed) == sum(
        each.point.state is not State.MEASURED for each in latest(found)
    )
    text = " ".join(outline.texts)
    for reason in ("some 1e16 combinations", "signal 9", "has the wrong packings"):
        assert reason in text


def test_a_machine_where_all_failed_is_shown_as_one(outline: Outline) -> None:
    """Its card says so; no other machine's card does."""
    found = three()
    nothing = [card.name for card in cards(found, latest(found)) if card.has_nothing]
    assert nothing == ["broken-laptop"]
    assert sum("None of its results has a time" in text for text in outline.texts) == 1


def test_cards_tell_cores_and_memory_once() -> None:
    """The card shows asv's own facts if they differ, or if there are no others."""
    facts = {"num_cpu": "8", "ram": "1 GiB", "cores": "4", "memory": "1 GiB"}
    found = searches(Search("a", "b", facts=facts), Search("old", "b", facts={"ram": "512"}))
    one, old = cards(found, latest(found))
    assert one.facts == {"num_cpu": "8", "cores": "4", "memory": "1 GiB"}
    assert old.facts == {"ram": "512"}


def test_growth_rates_are_exponents() -> None:
    """A time that grows with the cube of the list has the exponent 3."""
    points = [
        Line(i, Key("m", "growth", "b", "", f"share={share}", "e"),
             Point("c", 0, State.MEASURED, 0, 7.0 * share**3))
        for i, share in enumerate((0.125, 0.25, 0.5, 1.0))
    ]  # fmt: skip
    (rate,) = growth_rates.rates(points)
    assert rate.exponent == pytest.approx(3)
    assert growth_rates.share("share=nan") is growth_rates.share("share=x") is None


SIZES = {"days": 86_400, "min": 60, "s": 1, "ms": 0.001}


def test_published_numbers_are_those_of_their_texts() -> None:
    """The chart draws the numbers in each author's published text."""
    for _, each in RUNS:
        text = re.sub(r"(\d+) min (\d+) s", lambda m: f"{int(m[1]) * 60 + int(m[2])} s", each.time)
        read = re.findall(r"(\d+(?:\.\d+)?) (days|min|ms|s)\b", text)
        assert [float(number) * SIZES[unit] for number, unit in read] == pytest.approx(each.seconds)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.0000005, "seconds", "0.500 µs"),
        (0.09996, "seconds", "100 ms"),
        (123.4, "seconds", "123 s"),
        (3 * 2**20, "bytes", "3.00 MiB"),
        (0.25, "joules", "0.250 J"),
        (12972, "words", "12,972 words"),
        (1_234_567.0, "", "1,234,567"),
        (100.5, "words", "101 words"),
        (2.0, "words", "2 words"),
        (0.0, "seconds", "0 s"),
        (3_000_000.0, "seconds", "3,000,000 s"),
        (1e300, "seconds", "1.00e300 s"),
        (4e-12, "seconds", "4.00e-12 s"),
        (1e300, "bytes", "9.31e290 GiB"),
    ],
)
def test_figures_have_three_digits_and_a_unit(value: float, unit: str, text: str) -> None:
    assert numbers.figure(value, unit) == text


def test_ratios_are_readable_at_any_size() -> None:
    assert [numbers.ratio(each) for each in (1234.5, 12.34, 1.0, 0.005)] == [
        *("1,235", "12.3", "1.00", "1/200"),
    ]


@pytest.mark.parametrize("date", [1 << 52, -(1 << 52)])
def test_dates_of_no_calendar_are_left_out(date: int) -> None:
    assert numbers.moment(date) == ""
    assert numbers.moment(1_700_000_000_000) == "2023-11-14 22:13"
