"""The table of published systems: its page, its commands, and their figures."""

import json
import shlex
from pathlib import Path

import pytest
from conftest import Command

from tree import ROOT
from wordpack.backend import registry
from wordpack.commands.published_page import markdown
from wordpack.solving import instances
from wordpack.solving.published import SYSTEMS, Run

pytestmark = pytest.mark.slow

RUNS = [(system, run) for system in SYSTEMS for run in system.runs if run.ours]
MINUTES = {"filtered_lists", "partitioned_triples"}
"""Backends whose figures test_published_slow checks."""


def test_the_page_is_that_of_the_table() -> None:
    """docs/published.md is what ci/published.py writes if every figure is found."""
    assert (ROOT / "docs" / "published.md").read_text(encoding="utf-8") == markdown()


@pytest.mark.parametrize(
    ("run", "backend"),
    [(run, system.backend) for system, run in RUNS if system.backend not in MINUTES],
    ids=lambda value: value.ours if isinstance(value, Run) else "",
)
def test_each_command_finds_its_figures(wordpack: Command, run: Run, backend: str) -> None:
    """Each command of the table runs, and every figure is compared."""
    outcome = wordpack(*shlex.split(run.ours), "--work", "--count-only", "--format", "json")
    assert (outcome.status, outcome.err) == (0, "")
    found = json.loads(outcome.out)
    assert run.figures
    assert found["verified"] in {"expected", "valid"}
    numbers = {**found, **found["work"]}
    assert {f.what: numbers[f.key] for f in run.figures} == {
        f.what: f.expected for f in run.figures
    }
    assert backend in {found["backend"], "graph_cliques"}


def test_published_times_are_read_as_their_numbers() -> None:
    """Worked out by hand from the table: 14 x 60 + 16, 22 x 60, 32 x 86,400."""
    times = {run.time: run.seconds for system in SYSTEMS for run in system.runs}
    assert times["14 min 16 s (davidad's laptop) to 22 min"] == (856, 1320)
    assert times["about 32 days"] == (2_764_800,)
    assert times["0.795 s; another branch of it 0.45 s with several threads"] == (0.795, 0.45)
    assert times["2 min 20 s; nearly a minute more on a MacBook Air"] == (140,)
    assert times["0.82 ms, including reading the list"] == (0.00082,)
    assert all(times.values())


@pytest.mark.parametrize("run", [run for _, run in RUNS], ids=lambda run: run.ours)
def test_a_run_is_of_the_instance_that_it_names(run: Run) -> None:
    """The figures that our command finds are the instance's.

    With --keep-anagrams, each solution is a packing.
    """
    expected = instances.instance(run.instance).expected
    assert expected is not None
    for figure in run.figures:
        if figure.key in {"packings", "solutions"}:
            apart = "--keep-anagrams" in run.ours
            key = "solutions" if apart else figure.key
            assert figure.expected == getattr(expected, key)


def test_a_figure_differs_for_a_stated_reason_only() -> None:
    figures = [figure for _, run in RUNS for figure in run.figures]
    for figure in figures:
        assert bool(figure.why) == (figure.ours is not None)
        assert figure.ours != figure.published
    differing = {figure.published: figure.ours for figure in figures if figure.why}
    # test_published_slow checks the first and the last, a test below the other one
    assert differing == {63_515_889: 63_517_100, 57: 58, 1_131_566: 565_783}


def test_every_published_algorithm_has_its_system() -> None:
    """Every packing algorithm except filtered lists in numpy, which is ours like the kernels."""
    rows = registry.of_workload("packing")
    names = {row.name for row in rows if row.backend.startswith("wordpack.baselines.")}
    assert {system.backend for system in SYSTEMS} == names - {"filtered_arrays"}
    ours = {row.name for row in rows if row.backend.startswith("wordpack.kernels.")}
    assert ours == {
        *("bitset_rows", "cuda", "opencl", "subset_sums", "merged_states"),
        *("subset_sums_cuda", "subset_sums_opencl"),
    }


def test_list_published_shows_each_command_and_figure(wordpack: Command) -> None:
    outcome = wordpack("list", "--published")
    assert (outcome.status, outcome.err) == (0, "")
    said = " ".join(outcome.out.split())
    for system, run in RUNS:
        assert system.author in said
        assert run.original in said
        assert f"wordpack {run.ours} --work" in outcome.out, "a command stays on its line"
        for figure in run.figures:
            assert f"{figure.published:,} {figure.what}" in said


def test_the_words_that_the_rust_program_intersects_give_its_branches(
    wordpack: Command, tmp_path: Path
) -> None:
    """One word per signature first, then the other list: 3,806 rows and 57 branches."""
    first: dict[frozenset[str], str] = {}
    for word in wordpack("words", "words_alpha", "--length", "5").out.split():
        if len(set(word)) == 5:
            first.setdefault(frozenset(word), word)
    (tmp_path / "first.txt").write_text("\n".join(first.values()))
    words = ("--words", str(tmp_path / "first.txt"), "--intersect", "wordle-12974")
    found = json.loads(
        wordpack(*("solve", *words, "--backend", "dancing_links", "--work", "--format", "json")).out
    )
    assert len(first) - found["dropped"]["not_shared"] == 3_806
    assert found["work"]["branches"] == 57
    assert found["results"] == [["fjord", "gucks", "nymph", "vibex", "waltz"]]
