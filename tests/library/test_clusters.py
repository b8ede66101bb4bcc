"""The library on a Dask cluster: answers as in one process, and errors that name parameters."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Command

import wordpack
from clusters import Cluster, cluster


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a scheduler with two workers."""
    with cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.mark.slow
def test_an_answer_is_that_of_one_process(two: Cluster, tmp_path: Path) -> None:
    """Words, masks, digest and exact counts are the same; `resume` uses finished slices."""
    alone = wordpack.solve("wordle")
    folder = str(tmp_path / "run")
    for resume in (False, True):
        shared = wordpack.solve(
            "wordle", cluster=two.address, slices=4, checkpoint=folder, resume=resume
        )
        assert list(shared) == list(alone)
        assert (shared.signatures() == alone.signatures()).all()
        assert (shared.digest, shared.verified) == (alone.digest, "expected")
    counted = wordpack.count("wordle", cluster=two.address)
    assert (counted.packings, counted.solutions) == (10, 11)


@pytest.mark.slow
def test_a_sweep_and_games_are_those_of_one_process(two: Cluster) -> None:
    """A sweep differs only in seconds, games only in who played them."""
    shared = wordpack.sweep("2x5", "3x5", lists=["wordle"], cluster=two.address)
    alone = wordpack.sweep("2x5", "3x5", lists=["wordle"])
    assert [row | {"seconds": 0} for row in shared] == [row | {"seconds": 0} for row in alone]
    played = wordpack.play_all(start="slant", cluster=two.address)
    assert played[:7] == wordpack.play_all(start="slant")[:7]


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"slices": 3}, "`slices` goes with `cluster`"),
        ({"cluster": "local", "resume": True}, "`resume` needs `checkpoint`"),
        ({"cluster": "local", "tls_ca": "ca.pem"}, "`tls_ca` FILE and `tls_cert` FILE"),
        ({"cluster": "local:0"}, "`cluster` local:0"),
    ],
)
def test_what_cannot_be_asked_of_a_cluster(keywords: dict[str, object], says: str) -> None:
    """One error names the parameter, whichever function is called."""
    for call in (
        lambda: wordpack.solve("toy", **keywords),
        lambda: wordpack.sweep("2x5", **keywords),
        lambda: wordpack.play_all(**keywords),
    ):
        with pytest.raises(wordpack.InputError) as told:
            call()
        assert says in str(told.value)


def test_threads_are_each_workers_own() -> None:
    """The command line also refuses --threads with --cluster."""
    with pytest.raises(wordpack.InputError, match="`threads` and `chunk` are for one process"):
        wordpack.solve("toy", cluster="local:1", threads=2)


def test_doctor_says_what_the_command_says(wordpack: Command) -> None:
    """Values and text are the same as the command's."""
    import wordpack as library

    found = library.doctor()
    said = json.loads(wordpack("doctor", "--format", "json").out)
    assert [each["backend"] for each in found["backends"]] == [
        each["backend"] for each in said["backends"]
    ]
    assert found["machine"]["cpu"] == said["machine"]["cpu"]
    assert str(found).split() == wordpack("doctor").out.split()
