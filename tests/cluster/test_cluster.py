"""A search on a real scheduler and workers answers as it does in one process."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from conftest import Command, absent
from distributed import Client

from clusters import Cluster, cluster
from wordpack import schemas
from wordpack.backend.base import Options
from wordpack.backend.registry import row
from wordpack.backend.row import Row
from wordpack.cluster import members, running, security
from wordpack.cluster.connection import connected
from wordpack.cluster.searching import prepared
from wordpack.cluster.sharing import Sharing
from wordpack.cluster.solving import choose_for_slices
from wordpack.errors import Unavailable
from wordpack.packing.answer import Counts, Packings
from wordpack.solving.instances import Expected, instance
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

SCHEMA = json.loads((Path(schemas.__file__).parent / "solve.json").read_text())


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Give a scheduler with two workers."""
    with cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


def known(name: str) -> Expected:
    expected = instance(name).expected
    assert expected is not None
    return expected


def solved(outcome: Any) -> dict[str, Any]:
    assert outcome.status == 0, outcome.err
    answer: dict[str, Any] = json.loads(outcome.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(answer)
    return answer


@pytest.mark.parametrize(
    ("name", "more"), [("wrong-wordle", ("--packings",)), ("parker", ("--format", "csv"))]
)
def test_rows_are_those_of_one_process(
    two: Cluster, wordpack: Command, name: str, more: Any
) -> None:
    """Rows come in the same order, whichever worker found them."""
    alone = wordpack("solve", name, *more)
    shared = wordpack("solve", name, *more, "--cluster", two.address, "--slices", 30)
    assert shared.status == 0, shared.err
    assert shared.out == alone.out


@pytest.mark.parametrize("name", ["toy", "parker", "parker-words", "wordle", "both", "3x7"])
def test_the_digest_is_that_of_one_process(two: Cluster, wordpack: Command, name: str) -> None:
    """Counts, digest and strength are the same, with one slice and with many."""
    alone = solved(wordpack("solve", name, "--format", "json"))
    for slices in (1, 12):
        shared = solved(
            wordpack(
                *("solve", name, "--format", "json", "--slices", slices),
                *("--cluster", two.address),
            )
        )
        for key in ("results", "packings", "solutions", "digest", "verified", "dropped"):
            assert shared[key] == alone[key]


def test_counting_adds_up_and_counts_work_once(two: Cluster, wordpack: Command) -> None:
    """Without rows the numbers are exact, and so are the counters of all slices together."""
    arguments = ("solve", "4x5@wordle", "--count-only", "--work", "--format", "json")
    alone = solved(wordpack(*arguments, "--backend", "bitset_rows"))
    shared = solved(wordpack(*arguments, "--cluster", two.address, "--slices", 16))
    for key in ("packings", "solutions", "work"):
        assert shared[key] == alone[key]
    assert shared["verified"] == "agreed"
    assert shared["cluster"]["workers"] == 2
    assert shared["cluster"]["slices"] > 8


def test_where_nothing_is_to_be_searched(two: Cluster, wordpack: Command) -> None:
    """An impossible problem has one slice, and no packing."""
    shared = solved(wordpack("solve", "6x5", "--cluster", two.address, "--format", "json"))
    assert (shared["packings"], shared["cluster"]["slices"]) == (0, 1)


def test_parts_can_be_read_with_numpy_alone(
    two: Cluster, wordpack: Command, tmp_path: Path
) -> None:
    """The manifest gives each group's columns, and the words behind each index."""
    folder = tmp_path / "run"
    asked = ("solve", "wrong-wordle", "--cluster", two.address)
    left = wordpack(*asked, "--slices", 20, "--checkpoint", folder, "--parts")
    assert left.status == 0, left.err
    manifest = json.loads((folder / "manifest.json").read_text())
    tables = [np.load(folder / part["name"]) for part in manifest["parts"]]
    assert [len(table) for table in tables] == [part["rows"] for part in manifest["parts"]]
    assert len({part["name"][:10] for part in manifest["parts"]}) > 8, "many slices have packings"
    rows = set()
    columns = []
    for group in manifest["groups"]:
        words = (folder / group["signatures"]).read_text().splitlines()
        columns += [words] * (group["columns"][1] - group["columns"][0])
    for table in tables:
        for picked in table.tolist():
            rows.add(frozenset(words[i] for words, i in zip(columns, picked, strict=True)))
    expected = wordpack("solve", "wrong-wordle", "--packings").out.splitlines()
    assert rows == {frozenset(line.split()) for line in expected}
    assert manifest["packings"] == len(expected) == 565_783
    assert manifest["verified"] == "expected"


def test_a_worker_without_the_folder_sends_its_packings(
    two: Cluster, wordpack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a worker cannot reach the checkpoint's folder, the client writes the parts."""
    run = running.run

    def elsewhere(client: Any, job: Any, tasks: Any) -> Any:
        return run(client, replace(job, folder="/nowhere/at/all"), tasks)

    monkeypatch.setattr(running, "run", elsewhere)
    folder = tmp_path / "run"
    asked = ("solve", "parker", "--cluster", two.address, "--slices", 10)
    left = wordpack(*asked, "--checkpoint", folder, "--format", "json")
    assert solved(left)["verified"] == "expected"
    assert sum(len(np.load(part)) for part in folder.glob("part-*.npy")) == 538


def test_the_api_gives_a_search(two: Cluster) -> None:
    """A search from Python has `run` and `parts`, and both can be called again."""
    problem = load(instance("parker").spec).problem
    chosen = choose_for_slices("auto", problem, Options())
    with (
        connected(two.address) as client,
        prepared(problem, Options(), client, chosen, Sharing(slices=9)) as search,
    ):
        first, again = search.run(), search.run()
        assert isinstance(first, Packings)
        assert isinstance(again, Packings)
        assert first.digest() == again.digest() == known("parker").digest
        sizes = [len(part) for part in search.parts(100)]
        assert (max(sizes) <= 100, sum(sizes)) == (True, 538)
        table = np.concatenate([part.rows[0] for part in search.parts(7)])
        assert (table == first.canonical().rows[0]).all()
        counted = search.run(work=True)
        assert isinstance(counted, Counts)
        assert (counted.packings, counted.solutions) == (538, 831)
        assert "2 workers" in search.device


def test_workers_of_this_machine_are_started_and_stopped(wordpack: Command) -> None:
    """`local:2` needs no running scheduler."""
    shared = solved(wordpack("solve", "toy", "--cluster", "local:2", "--format", "json"))
    assert shared["cluster"]["workers"] == 2
    assert shared["verified"] == "expected"


def test_workers_of_this_machine_keep_memory_for_the_next_slice() -> None:
    """Local workers lose only Dask's setting that makes malloc map large arrays anew."""

    def environment() -> dict[str, str]:
        return dict(os.environ)

    with connected("local:1") as client:
        (found,) = client.run(environment).values()
    assert "MALLOC_TRIM_THRESHOLD_" not in found
    assert found["OMP_NUM_THREADS"] == "1"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--cluster", "nonsense"), "a scheduler's address such as"),
        (("--cluster", "local:0"), "at least one worker"),
        (("--cluster", "local:9999"), "at most 256 workers"),
        (("--checkpoint", ""), "--checkpoint goes with --cluster"),
        (("--cluster", "local", "--checkpoint", ""), "--checkpoint names no folder"),
        (("--explain", "--resume"), "--resume goes with --cluster"),
        (("--resume",), "--resume goes with --cluster"),
        (("--slices", "4"), "--slices goes with --cluster"),
        (("--cluster", "local", "--slices", "100001"), "not in the range 1<=x<=100000"),
        (("--parts",), "--parts needs --cluster ADDRESS and --checkpoint"),
        (("--checkpoint", "x"), "--checkpoint goes with --cluster"),
        (("--cluster", "local", "--resume"), "--resume needs --checkpoint"),
        (("--cluster", "local", "--parts"), "--parts needs --cluster ADDRESS and --checkpoint"),
        (("--cluster", "local", "--threads", "1"), "--threads is for one process"),
        (
            ("--cluster", "local", "--parts", "--checkpoint", "x", "--count-only"),
            "leave out --count-only",
        ),
    ],
)
def test_options_that_contradict_are_refused_at_once(
    wordpack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Any, said: str
) -> None:
    """It gives one line and exit status 2, before anything is started or written."""
    monkeypatch.chdir(tmp_path)
    refused = wordpack("solve", "toy", *arguments)
    assert (refused.status, refused.out) == (2, "")
    assert said in refused.err
    assert refused.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_code_that_leaves_the_machine_without_encryption_is_one_line(
    two: Cluster, wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The warning is for tcp to another host; loopback has none. The answer is the same."""
    here = wordpack("solve", "toy", "--cluster", two.address)
    assert "without encryption" not in here.err
    elsewhere = [(0, 0, 0, "", ("198.51.100.7", 0))]
    monkeypatch.setattr(security, "getaddrinfo", lambda *_: elsewhere)
    there = wordpack("solve", "toy", "--cluster", two.address)
    assert (there.status, there.out) == (0, here.out)
    warned = [line for line in there.err.splitlines() if "without encryption" in line]
    assert len(warned) == 1
    assert f"code for the workers goes to {two.address}" in warned[0]


def test_a_backend_without_slices_is_refused(two: Cluster, wordpack: Command) -> None:
    """The error names the backends that can run on a cluster."""
    refused = wordpack("solve", "toy", "--cluster", two.address, "--backend", "combinations")
    assert refused.status == 2
    assert "combinations cannot run on a cluster: choose one of" in refused.err


def test_another_backend_finds_the_same(two: Cluster, wordpack: Command) -> None:
    """A device's backend takes the same slices: here OpenCL, if there is a device."""
    try:
        row("opencl").load().probe()
    except Unavailable as reason:
        absent(str(reason), "WORDPACK_REQUIRE_OPENCL")
    shared = solved(
        wordpack(
            *("solve", "parker", "--format", "json", "--backend", "opencl", "--slices", 6),
            *("--cluster", two.address),
        )
    )
    assert shared["digest"] == known("parker").digest
    assert "opencl" in shared["device"]


def test_a_worker_says_whether_it_has_a_gpu(two: Cluster) -> None:
    """A resource named GPU or CUDA_VISIBLE_DEVICES gives a worker a GPU; -1 means none."""

    def asked() -> bool:
        from wordpack.cluster.members import has_gpu

        return has_gpu()

    two.add("gpu", "--resources", "GPU=1")
    two.add("visible", CUDA_VISIBLE_DEVICES="0")
    two.add("none", CUDA_VISIBLE_DEVICES="-1")
    try:
        with Client(two.address, set_as_default=False) as client:
            workers = client.scheduler_info(n_workers=-1)["workers"]
            names = {address: worker["id"] for address, worker in workers.items()}
            found = {
                names[address]: client.submit(asked, workers=[address], pure=False).result()
                for address in names
            }
    finally:
        for name in ("gpu", "visible", "none"):
            two.kill(name)
    assert found == {"w1": False, "w2": False, "gpu": True, "visible": True, "none": False}


def test_a_worker_takes_the_best_backend_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU's backend comes first if there is one; OpenCL on a CPU does not."""
    probes = {"cuda": Unavailable("there is no driver."), "opencl": "a device"}

    class Fake:
        def __init__(self, name: str, gpu: str | None) -> None:
            self.name, self.gpu = name, gpu

        def probe(self) -> str:
            found = probes.get(self.name, "the processor")
            if isinstance(found, Unavailable):
                raise found
            return found

        def machine_facts(self) -> dict[str, str | None]:
            return {"gpu": self.gpu}

    def here(gpu: str | None, *, given: bool) -> str:
        members.row_here.cache_clear()
        monkeypatch.setattr(Row, "load", lambda row: Fake(row.name, gpu if row.start_up else "-"))
        return members.row_here("auto", gpu=given).name

    assert here("a GPU", given=False) == "bitset_rows"
    assert here(None, given=True) == "bitset_rows"
    assert here("a GPU", given=True) == "opencl"
    probes["cuda"] = "a GPU"  # type: ignore[assignment]
    assert here("a GPU", given=True) == "cuda"
    members.row_here.cache_clear()
