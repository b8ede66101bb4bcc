"""`wordpack play --cluster`: the same games as in one process, whichever worker plays them."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command

from clusters import local
from wordpack.backend import registry
from wordpack.cluster import playing
from wordpack.cluster.sharing import Sharing
from wordpack.errors import InputError, Unavailable, WrongAnswer
from wordpack.games.instances import PLAYS
from wordpack.games.loading import checked, load
from wordpack.games.play import Games, Play, replay

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a scheduler and two worker processes."""
    with local() as made:
        yield made


def words(*texts: str) -> Any:
    """Return words of a to z as rows."""
    return np.array([[ord(letter) - ord("a") for letter in text] for text in texts], np.uint8)


def test_ranges_are_all_start_words_in_order() -> None:
    """No range is empty, none is much longer than another, and no start word is in two."""
    play = Play(words("ab"), words(*(f"{a}{b}" for a in "abcde" for b in "fgh")), 26)
    for tasks in range(1, 20):
        bounds = playing.cut(play, tasks)
        sizes = np.diff(bounds)
        assert (bounds[0], bounds[-1], len(sizes)) == (0, 15, min(tasks, 15))
        assert sizes.min() >= 1
        assert sizes.max() - sizes.min() <= 1


def test_the_games_of_all_start_words(address: str) -> None:
    """The digest of play-best-start is the one that two programs found, in eight tasks."""
    play, known = load(PLAYS["play-best-start"].spec), PLAYS["play-best-start"].expected
    assert known is not None
    played = playing.play_on(address, play, Sharing(slices=8))
    assert checked(played.games, play) == vars(known)
    assert (played.tasks, played.resumed) == (8, 0)
    assert "(game_tree 8)" in played.device


def test_workers_that_do_not_see_the_folder_send_their_parts(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client writes the parts: the games and the files are the same."""
    rows = words("slate", "crane", "trace", "crate", "least", "steal", "tales", "stale", "irate")
    play, finish = Play(rows, rows, 26), playing.running.finish
    seen = playing.play_on(address, play, Sharing(slices=3, folder=str(tmp_path / "seen")))

    def far(client: Any, job: Any, *given: Any) -> None:
        finish(client, replace(job, folder=str(tmp_path / "elsewhere")), *given)

    monkeypatch.setattr(playing.running, "finish", far)
    unseen = playing.play_on(address, play, Sharing(slices=3, folder=str(tmp_path / "unseen")))
    assert np.array_equal(seen.games.guesses, unseen.games.guesses)
    parts = [{path.name: path.read_bytes() for path in (tmp_path / folder).glob("*.npy")}
             for folder in ("seen", "unseen")]  # fmt: skip
    assert len(parts[0]) == 3
    assert parts[0] == parts[1]


@pytest.mark.parametrize("backend", ["hint_arrays", "game_tree"])
def test_a_backend_by_name_and_games_by_definition(address: str, backend: str) -> None:
    """Every game of a small list takes as many guesses as it does by the definition."""
    rows = words("slate", "crane", "trace", "crate", "least", "steal", "tales", "stale", "irate")
    play = Play(rows, rows, 26)
    played = playing.play_on(address, play, Sharing(backend, 4))
    assert f"({backend} 4)" in played.device
    for start in range(9):
        assert played.games.guesses[start].tolist() == [
            len(replay(play, start, answer)) for answer in range(9)
        ]


def test_games_of_more_guesses_than_a_byte_holds(address: str) -> None:
    """Words of eleven letters may take 276 guesses: 'auto' takes a backend that can, in uint16."""
    rows = words("abcdefghijk", "abcdefghijl", "mnopqrstuvw")
    play = Play(rows, rows, 26)
    played = playing.play_on(address, play, Sharing(slices=2))
    assert played.games.guesses.dtype == np.uint16
    assert checked(played.games, play)["games"] == 9


def test_the_command_says_the_same(wordpack: Command, address: str) -> None:
    """Standard output is the same as in one process; a note says which cluster played."""
    alone = wordpack("play", "--start", "best", "--format", "json")
    shared = wordpack(
        *("play", "--start", "best", "--format", "json", "--cluster", address, "--slices", "5")
    )
    assert (shared.status, shared.out) == (0, alone.out)
    assert "on cluster, 2 workers" in shared.err
    assert "5 ranges of start words, play " in shared.err
    assert "the digest known for play-best-start)" in shared.err


def test_a_run_goes_on_with_what_is_kept(wordpack: Command, address: str, tmp_path: Path) -> None:
    """Finished ranges are not played again, except one whose file was damaged."""
    folder = tmp_path / "run"
    arguments = ("play", "--start", "best", "--cluster", address, "--checkpoint", folder)
    first = wordpack(*arguments, "--slices", "6")
    lines = (folder / "done.jsonl").read_text().splitlines()
    assert len(lines) == 6
    (folder / "done.jsonl").write_text("\n".join(lines[:4]) + "\n" + lines[4][:20])
    [part] = json.loads(lines[0])["files"]
    (folder / part["name"]).write_bytes(b"damaged")
    again = wordpack(*arguments, "--resume")
    assert (again.status, again.out) == (0, first.out)
    assert "6 ranges of start words; 3 were kept from an earlier run" in again.err
    other = wordpack(*arguments, "--resume", "--table", "published")
    assert (other.status, other.out) == (2, "")
    assert "its games differ" in other.err


def test_a_killed_client_loses_nothing_that_was_finished(address: str, tmp_path: Path) -> None:
    """After kill -9 in the middle, the same command with --resume plays what is left."""
    folder = tmp_path / "run"
    command = [
        *(sys.executable, "-m", "wordpack", "play", "--starts", "wordle", "--format", "json"),
        *("--cluster", address, "--checkpoint", str(folder), "--slices", "400"),
    ]
    journal = folder / "done.jsonl"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as client:
        while client.poll() is None and not (journal.exists() and journal.stat().st_size):
            time.sleep(0.01)
        client.send_signal(signal.SIGKILL)
    assert client.returncode == -signal.SIGKILL
    kept = len(journal.read_text().splitlines())
    assert 0 < kept < 400
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["start"] == "clast"
    assert "were kept from an earlier run" in done.stderr
    assert "the digest known for play-best-start-12972)" in done.stderr


def test_wrong_games_are_found(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """The client verifies the workers' games: a wrong one gives exit status 1 and no output."""
    plain = playing._together

    def spoilt(*given: Any) -> Any:
        guesses = plain(*given)
        guesses[1000, 0] += 1
        return guesses

    monkeypatch.setattr(playing, "_together", spoilt)
    outcome = wordpack("play", "--start", "best", "--cluster", address, "--slices", "2")
    assert (outcome.status, outcome.out) == (1, "")
    assert "not the known games: played on cluster" in outcome.err


def test_a_table_of_another_shape_is_wrong() -> None:
    """A backend's table is checked before it is kept."""
    play = Play(words("ab", "cd"), words("ab", "cd"), 26)
    for guesses in (np.ones((1, 2), np.uint8), np.ones((2, 2), np.int64)):
        with pytest.raises(WrongAnswer, match="did not return a table"):
            playing._shaped(Games(play, guesses), play, "fake")


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["--answer", "essay", "--cluster", "local:1"], "--answer WORD for one"),
        (["--resume"], "--resume goes with --cluster"),
        (["--slices", "3"], "--slices goes with --cluster"),
        (["--checkpoint", "folder"], "--checkpoint goes with --cluster"),
        (["--cluster", "local:1", "--resume"], "--resume needs --checkpoint"),
        (["--cluster", "nowhere"], "give a scheduler's address"),
        (["--cluster", "local:1", "--backend", "parker"], "no backend is called parker"),
        (["--cluster", "local:1", "--backend", "opencl"], "another kind of problem"),
    ],
)
def test_errors_are_one_line(wordpack: Command, arguments: list[str], fragment: str) -> None:
    """The errors come before any worker is started."""
    status, out, err = wordpack("play", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert fragment in err


def test_a_backend_that_workers_lack_is_named(address: str) -> None:
    """The client need not have it; if the workers lack it too, the first range says why."""
    rows = words("ab", "cd")
    play = Play(rows, rows[:1], 26)
    try:
        registry.row("game_tree_cuda").load().probe()
    except Unavailable as reason:
        said = rf"range 0 \(start words 0 to 0\) failed 3 times: {re.escape(str(reason))}"
        with pytest.raises(InputError, match=said):
            playing.play_on(address, play, Sharing("game_tree_cuda"))
    else:
        played = playing.play_on(address, play, Sharing("game_tree_cuda"))
        assert "(game_tree_cuda 1)" in played.device
