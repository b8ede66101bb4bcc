"""asv's results and race files of any machine, as the report reads them."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

from handmade_results import (
    COLUMNS,
    COMMIT,
    FILE,
    LATER,
    NAN,
    SEARCH,
    STEADY,
    document,
    entry,
    folder,
    race,
    results,
    row,
)
from wordpack.errors import InputError
from wordpack.report import tables
from wordpack.report.measurements import Measurements, State
from wordpack.report.sources import read

LONG = "search.Long.time_run"


def only(found: Measurements, series: str = "search") -> dict[tuple[str, str], Any]:
    """Return the single point of each line of a series, by backend and instance."""
    return {
        (key.backend, key.instance): found.points(key)[0]
        for key in found.lines
        if key.series == series
    }


def asv(place: Path, values: list[Any] | None, **given: Any) -> Measurements:
    """Read the results of one benchmark with four choices of parameters."""
    stored = row(*(values or [1.0] * 4))
    if values is None:
        stored[0] = None
    folder(place, results={SEARCH: stored} | given, benchmarks=())
    return read((str(place),))


def test_what_asv_stores_without_a_value_is_told_apart(tmp_path: Path) -> None:
    """NaN was left out, null failed, and infinite or negative values are not measurements."""
    points = only(asv(tmp_path / "r", [NAN, None, math.inf, -1.0]))
    assert [point.state for point in points.values()] == [
        State.NOT_AVAILABLE, State.FAILED, State.FAILED, State.FAILED,
    ]  # fmt: skip
    assert all(point.value is None for point in points.values())
    assert points["b", "x"].reason == "the stored value is inf, which is not a measurement"


def test_a_benchmark_that_failed_whole_failed_in_each_choice(tmp_path: Path) -> None:
    points = only(asv(tmp_path / "r", None))
    assert [point.state for point in points.values()] == [State.FAILED] * 4


def test_values_quartiles_and_where_they_stand(tmp_path: Path) -> None:
    """In the order of the product of the parameters, as in asv."""
    found = asv(tmp_path / "r", [1.0, 2.0, 3.0, 4.0])
    points = only(found)
    assert {key: point.value for key, point in points.items()} == {
        ("a", "x"): 1.0, ("a", "y"): 2.0, ("b", "x"): 3.0, ("b", "y"): 4.0,
    }  # fmt: skip
    last = points["b", "y"]
    assert (last.low, last.samples, last.commit) == (4.0, (4.0,), COMMIT)
    origin = found.origins[last.origin]
    assert origin.file.endswith(f"r/m1/{FILE}")
    assert origin.command == f"asv run --machine m1 {COMMIT}^!"


@pytest.mark.parametrize("kept", range(3, len(COLUMNS) + 1))
def test_columns_may_be_missing_from_the_end(tmp_path: Path, kept: int) -> None:
    """Files without trailing columns are read: asv drops them, and older versions had fewer."""
    folder(tmp_path, results={})
    short = document("m1", {SEARCH: row(1.0, 2.0, 3.0, 4.0)[:kept]})
    short["result_columns"] = COLUMNS[:kept]
    (tmp_path / "m1" / FILE).write_text(json.dumps(short))
    points = only(read((str(tmp_path),)))
    assert [point.value for point in points.values()] == [1.0, 2.0, 3.0, 4.0]
    assert points["a", "x"].count == (1 if kept == len(COLUMNS) else None)


def test_the_long_searches_are_the_same_series(tmp_path: Path) -> None:
    """A value takes precedence over the other benchmark's n/a."""
    found = asv(
        tmp_path / "r",
        [1.0, NAN, NAN, NAN],
        **{LONG: row(NAN, 2.0, None, NAN)},
    )
    points = only(found)
    assert [point.value for point in points.values()] == [1.0, 2.0, None, None]
    assert points["b", "x"].state is State.FAILED
    assert points["b", "y"].state is State.NOT_AVAILABLE


def test_what_is_not_available_says_why_where_the_suite_stored_it(tmp_path: Path) -> None:
    """Unknown codes, and 0 for a backend that runs, give no reason."""
    codes = row(1.0, 0.0, 2.0, 99.0)
    found = asv(tmp_path / "r", [NAN, NAN, NAN, NAN], **{"why.Why.track_reason": codes})
    reasons = {key: point.reason for key, point in only(found).items()}
    assert reasons["a", "x"].startswith("It cannot run on this machine")
    assert reasons["b", "x"].startswith("It refuses the problem's shape")
    assert reasons["a", "y"] == reasons["b", "y"] == ""
    assert list(found.series) == ["search"]


def test_another_version_of_a_benchmark_is_another_series(tmp_path: Path) -> None:
    """The newest version over all sources has the series' own name, whatever a folder lists."""
    results(tmp_path / "old", 1.0, version="old" * 20)
    results(tmp_path / "new", 2.0, commit=LATER, date=1_800_000_000_000, version="new")
    for sources in (("old", "new"), ("new", "old")):
        found = read(tuple(str(tmp_path / source) for source in sources))
        values = {key.series: [p.value for p in found.points(key)] for key in found.lines}
        assert values == {"search": [2.0], "search, version oldoldol": [1.0]}


def test_figures_in_another_unit_are_another_series(tmp_path: Path) -> None:
    folder(tmp_path, results={SEARCH: row(1.0, 2.0, 3.0, 4.0)})
    listed = {SEARCH: {"params": [], "unit": "bytes"}, "version": 2}
    (tmp_path / "benchmarks.json").write_text(json.dumps(listed))
    (series,) = read((str(tmp_path),)).series.values()
    assert (series.name, series.unit) == ("search, in bytes", "bytes")


def test_no_time_is_zero(tmp_path: Path) -> None:
    """In asv's results and in a race: a rank for 0 s would be wrong."""
    points = only(asv(tmp_path / "r", [0.0, 1.0, 2.0, 3.0]))
    assert points["a", "x"].state is State.FAILED
    assert points["a", "x"].value is None
    file = race(tmp_path / "r.json", entry(seconds={"samples": [0, 0.0]}))
    assert only(read((file,)))["bitset_rows", "parker"].state is State.FAILED


def test_a_partial_run_does_not_hide_what_was_measured_before(tmp_path: Path) -> None:
    """A newer commit that is n/a or has a single run does not represent the line."""
    results(tmp_path, STEADY, STEADY, STEADY, STEADY)
    date = 1_800_000_000_000
    results(tmp_path, NAN, [9.0], None, STEADY, commit=LATER, date=date)
    found = read((str(tmp_path),))
    newest = {key.backend: found.newest(key) for key in found.lines}
    assert [newest[name].commit for name in "abcd"] == [COMMIT, COMMIT, LATER, LATER]
    assert newest["c"].state is State.FAILED


def test_of_one_commit_in_two_folders_more_samples_stay(tmp_path: Path) -> None:
    results(tmp_path / "quick", [9.0])
    results(tmp_path / "full", STEADY)
    for sources in (("quick", "full"), ("full", "quick")):
        found = read(tuple(str(tmp_path / source) for source in sources))
        assert only(found)["a", "parker"].count == len(STEADY)


def test_a_long_search_that_was_not_run_is_no_reason(tmp_path: Path) -> None:
    """If the long searches were not run at a commit, it has no n/a points of them."""
    codes = {"why.Why.track_reason": row(4.0, 1.0, 1.0, 1.0)}
    found = asv(tmp_path / "short", [NAN, NAN, NAN, NAN], **codes)
    assert ("a", "x") not in only(found)
    assert ("a", "y") in only(found)
    assert only(asv(tmp_path / "both", [5.0] * 4, **codes))["a", "x"].value == 5.0
    found = asv(tmp_path / "long", [NAN] * 4, **codes, **{LONG: row(7.0, NAN, NAN, NAN)})
    assert only(found)["a", "x"].value == 7.0


def test_a_race_says_how_it_was_run(tmp_path: Path) -> None:
    """With its budget and other options: a shorter command would have another outcome."""
    file = race(tmp_path / "r.json", entry(), budget=3.0, repeat=5, threads=2)
    (origin,) = read((file,)).origins
    assert origin.command == ("wordpack race parker --budget 3 --repeat 5 --threads 2 --json FILE")


def test_reading_a_folder_twice_adds_nothing(tmp_path: Path) -> None:
    asv(tmp_path / "r", [1.0, NAN, None, 4.0])
    once, twice = (read((str(tmp_path / "r"),) * times) for times in (1, 2))
    assert once.machines == twice.machines
    values = [
        {key: [(p.state, p.value) for p in found.points(key)] for key in found.lines}
        for found in (once, twice)
    ]
    assert values[0] == values[1]


def test_two_machines_of_one_name_are_two(tmp_path: Path) -> None:
    for cpu in "CD":
        folder(tmp_path / cpu, cpu=cpu, results={SEARCH: row(1.0, 2.0, 3.0, 4.0)})
    found = read((str(tmp_path / "C"), str(tmp_path / "D")))
    assert {name: facts["cpu"] for name, facts in found.machines.items()} == {
        "m1": "C", "m1-2": "D",
    }  # fmt: skip
    assert len(found.lines) == 8


def test_a_race_has_its_medians_from_its_samples(tmp_path: Path) -> None:
    """The file's own median is ignored: 1, 2, 3, 10 give 2.5, with quartiles 1.75 and 4.75."""
    found = read((race(tmp_path / "i7-2010.json", entry()),))
    point = only(found)["bitset_rows", "parker"]
    assert (point.value, point.low, point.high, point.count) == (2.5, 1.75, 4.75, 4)
    assert point.state is State.MEASURED
    assert found.machines == {
        "i7-2010": {"os": "Linux 6.1", "arch": "x86_64", "cpu": "Intel Core i7", "cores": "4",
                    "memory": "8.0 GiB", "gpu": "none", "driver": "none"}
    }  # fmt: skip
    prepare, first = (only(found, "cold prepare"), only(found, "cold first call"))
    assert prepare["bitset_rows", "parker"].value == 0.5
    assert first["bitset_rows", "parker"].value == 4.0
    assert "energy" not in found.series


@pytest.mark.parametrize(
    ("given", "state"),
    [
        ({"packings": 537}, State.WRONG),
        ({"solutions": None}, State.WRONG),
        ({"digest": "0" * 64}, State.WRONG),
        ({"status": "wrong"}, State.WRONG),
        ({"verified": "valid"}, State.UNPROVEN),
        ({"verified": None}, State.UNPROVEN),
        ({"status": "unavailable"}, State.NOT_AVAILABLE),
        ({"status": "refused"}, State.NOT_AVAILABLE),
        ({"status": "out_of_budget"}, State.FAILED),
        ({"status": "crashed"}, State.FAILED),
        ({"status": "running"}, State.FAILED),
        ({"status": "no such status"}, State.FAILED),
        ({"seconds": None}, State.FAILED),
        ({"seconds": {"samples": [-1, NAN, "1", None, True]}}, State.FAILED),
    ],
)
def test_a_race_shows_a_time_only_for_a_proven_answer(
    tmp_path: Path, given: dict[str, Any], state: State
) -> None:
    """A wrong count is wrong, whatever the file claims."""
    point = only(read((race(tmp_path / "r.json", entry(**given)),)))["bitset_rows", "parker"]
    assert point.state is state
    assert point.reason
    assert (point.value is None) == (state is not State.UNPROVEN)


def test_an_answer_that_is_not_known_here_is_taken_at_its_word(tmp_path: Path) -> None:
    """An instance of another version of wordpack, on which the backends agreed."""
    file = race(tmp_path / "r.json", entry(verified="agreed", packings=7), instance="new-one")
    assert only(read((file,)))["bitset_rows", "new-one"].state is State.MEASURED


def test_energy_and_throttling_are_read_where_they_are_known(tmp_path: Path) -> None:
    readings = [
        {"energy_joules": 4.0, "throttle_before": ["gpu_idle"], "throttle_after": []},
        {"energy_joules": None, "throttle_before": None, "throttle_after": ["sw_power_cap"]},
        {"energy_joules": 2.0, "throttle_before": ["gpu_idle"]},
    ]
    facts = {"name": "H100", "power_watts": 700.0, "nested": {"no": "text"}}
    found = read((race(tmp_path / "r.json", entry(readings=readings, device_facts=facts)),))
    assert only(found, "energy")["bitset_rows", "parker"].value == 3.0
    (device,) = found.devices
    assert device.throttled == ("gpu_idle", "sw_power_cap")
    assert device.facts == {"name": "H100", "power_watts": 700.0}


def test_a_machine_is_named_on_the_command_line(tmp_path: Path) -> None:
    file = race(tmp_path / "some race.json", entry())
    assert list(read((f"m1-2021={file}",)).machines) == ["m1-2021"]
    assert list(read((file,)).machines) == ["some race"]
    # asv's own file among the machines
    taken = race(tmp_path / "version.json", entry())
    with pytest.raises(InputError, match="name its machine"):
        read((taken,))


def test_threads_that_were_asked_for_are_a_line_of_their_own(tmp_path: Path) -> None:
    files = race(tmp_path / "a.json", entry(), threads=1), race(tmp_path / "b.json", entry())
    found = read((f"m={files[0]}", f"m={files[1]}"))
    assert {key.rest for key in found.lines if key.series == "search"} == {"threads=1", ""}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"schema": 1, "wordpack', "is not the JSON of a result"),
        ('{"schema": 2}', "is not a race file of `wordpack race --json`"),
        ('{"schema": 1}', "lacks fields of a race file"),
        ("[]", "is not a JSON object"),
    ],
)
def test_a_bad_race_file_is_refused_in_a_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(InputError, match=said):
        read((str(tmp_path / "r.json"),))


@pytest.mark.parametrize(
    "given",
    [
        {"started": "yesterday"}, {"machine": []}, {"backends": {}}, {"backends": [1]},
        {"threads": "all"}, {"instance": 7}, {"backends": [{"backend": "x"}]},
    ],
)  # fmt: skip
def test_a_race_of_another_shape_is_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"r\.json"):
        read((race(tmp_path / "r.json", entry(), **given),))


def test_results_of_an_older_format_say_what_to_do(tmp_path: Path) -> None:
    folder(tmp_path)
    path = tmp_path / "m1" / FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | {"version": 1}))
    with pytest.raises(InputError, match="`asv update` converts older files"):
        read((str(tmp_path),))


def test_the_csv_has_every_point(tmp_path: Path) -> None:
    """With its file and commit; a text that looks like a formula is quoted."""
    params = [["'=1+1'", "'b'"], ["'x'", "'y'"]]
    stored = [[1.5, NAN, None, 4.0], params, "1"]
    folder(tmp_path / "r", results={SEARCH: stored}, benchmarks=())
    stream = io.StringIO()
    tables.write_csv(read((str(tmp_path / "r"),)), stream)
    rows = list(csv.DictReader(io.StringIO(stream.getvalue())))
    assert [(each["backend"], each["instance"], each["state"], each["value"]) for each in rows] == [
        ("'=1+1", "x", "measured", "1.5"), ("'=1+1", "y", "n/a", ""),
        ("b", "x", "failed", ""), ("b", "y", "measured", "4.0"),
    ]  # fmt: skip
    assert all(each["file"].endswith(FILE) and each["commit"] == COMMIT for each in rows)
    assert rows[0]["date"] == "2023-11-14T22:13:20+00:00"  # 1.7e9 seconds after 1970


def test_the_json_has_every_point_and_is_strict(tmp_path: Path) -> None:
    found = asv(tmp_path / "r", [1.5, NAN, None, math.inf])
    stream = io.StringIO()
    tables.write_json(found, {"made": "now"}, stream)

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    whole = json.loads(stream.getvalue(), parse_constant=refuse)
    assert whole["machines"] == {"m1": {"cpu": "C"}}
    points = [
        dict(zip(whole["points"], point, strict=True))
        for line in whole["lines"]
        for point in line["points"]
    ]
    assert [point["state"] for point in points] == ["measured", "n/a", "failed", "failed"]
    assert points[0]["value"] == 1.5
    assert whole["files"][points[0]["file"]]["file"].endswith(FILE)
