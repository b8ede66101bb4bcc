"""`wordpack solve --intersect`: the words of both lists, however each list is given."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command

from wordpack.solving.instances import INSTANCES
from wordpack.solving.spec import Spec

FIVE = ["fjord", "gucks", "nymph", "vibex", "waltz"]


def test_parker_with_another_list_is_the_instance_both(wordpack: Command) -> None:
    """The one expected answer, and counts of the words that are only in one list."""
    outcome = wordpack("solve", "parker", "--intersect", "wordle-12974", "--format", "json")
    found = json.loads(outcome.out)
    assert (outcome.status, found["results"], found["verified"]) == (0, [FIVE], "expected")
    # 10,175 words of five different letters, of which 6,597 are shared
    assert found["dropped"]["not_shared"] == 10_175 - 6_597


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", "\n"), ("utf-16", "\r\n")])
def test_a_file_may_be_either_list(
    wordpack: Command, tmp_path: Path, encoding: str, end: str
) -> None:
    """File and list, list and file, file and file: the shared words are the same."""
    path = tmp_path / "some.txt"
    path.write_bytes(end.join([*FIVE, "fldxt", "hgrun"]).encode(encoding))
    file, embedded = str(path), "wordle"
    for one, other in [(file, embedded), (embedded, file), (file, file)]:
        way = "--words" if one == file else "--list"
        outcome = wordpack("solve", way, one, "--intersect", other, "--encoding", encoding)
        assert (outcome.status, outcome.out) == (0, " ".join(FIVE) + "\n")


def test_answers_and_guesses_are_both_cut(wordpack: Command, tmp_path: Path) -> None:
    """The option applies to every list of the problem."""
    for name, words in [("a", "ab\ncd\n"), ("g", "ef\ngh\nij\n"), ("both", "ab\nef\ngh\n")]:
        (tmp_path / name).write_text(words)
    lists = ("--answers", str(tmp_path / "a"), "--guesses", str(tmp_path / "g"))
    shape = ("--count", "2", "--length", "2")
    assert wordpack("solve", *lists, *shape, "--intersect", str(tmp_path / "both")).out == (
        "ab ef gh\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("parker", "--intersect", "wordel"), "did you mean wordle?"),
        (("parker", "--intersect", "."), "cannot read .: "),
        (("parker", "--intersect", "wordle", "--encoding", "latin-1"), "an INSTANCE has its own"),
        (("--words", "-", "--intersect", "-"), "standard input can be read once"),
    ],
)
def test_what_cannot_be_read_is_one_line(
    wordpack: Command, arguments: tuple[str, ...], message: str
) -> None:
    outcome = wordpack("solve", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_list_without_a_shared_word_has_no_packing(wordpack: Command, tmp_path: Path) -> None:
    """The summary counts the words that are not shared."""
    (tmp_path / "other").write_text("zzzzz\nabc\n")
    outcome = wordpack("solve", "toy", "--intersect", str(tmp_path / "other"))
    assert (outcome.status, outcome.out) == (0, "")
    assert "50 of 50 lines were dropped: 50 not shared" in outcome.err


def test_an_instances_own_intersection_stays(wordpack: Command) -> None:
    """Only words that are in all three lists are kept."""
    outcome = wordpack("solve", "both", "--intersect", "words_alpha")
    assert outcome.out == " ".join(FIVE) + "\n"


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_standard_input_is_read_once_for_all_lists(tmp_path: Path, encoding: str) -> None:
    """It is decoded with the given encoding."""
    (tmp_path / "a").write_bytes("åb\ncd\n".encode(encoding))
    (tmp_path / "g").write_bytes("ef\ngh\nij\n".encode(encoding))
    lists = ("--answers", str(tmp_path / "a"), "--guesses", str(tmp_path / "g"))
    rest = ("--count", "2", "--length", "2", "--letters", "abcdefghijå", "--encoding", encoding)
    done = subprocess.run(
        [sys.executable, "-m", "wordpack", "solve", *lists, *rest, "--intersect", "-"],
        input="åb\nef\ngh\n".encode(encoding),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout.decode()) == (0, "åb ef gh\n")


def test_a_spec_with_a_second_list_survives_the_way_to_another_process() -> None:
    """`race` sends specs to its processes this way."""
    from dataclasses import asdict

    for name in ("both", "wrong-wordle"):
        spec = INSTANCES[name].spec
        assert Spec.from_json(json.loads(json.dumps(asdict(spec)))) == spec
