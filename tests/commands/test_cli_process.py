"""Tests that need their own process: signals, closed pipes, full disks, locales."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROGRAM = [sys.executable, "-m", "wordpack"]

INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from wordpack.commands.main import main
sys.exit(main())
"""
"""A program that Ctrl-C reaches even if the tests were started with SIGINT ignored."""


def one_line(said: bytes) -> None:
    assert said.startswith(b"wordpack: ")
    assert said.count(b"\n") == 1


def test_ctrl_c_ends_a_long_search_with_one_line(tmp_path: Path) -> None:
    """Exit status 130; the words come from a named pipe, so the search is known to have begun."""
    pipe, target = tmp_path / "pipe", tmp_path / "rows"
    os.mkfifo(pipe)
    target.write_text("precious")
    words = subprocess.run([*PROGRAM, "words", "words_alpha", "--length", "5"],
                           capture_output=True, check=True).stdout  # fmt: skip
    options = ["--words", str(pipe), "--backend", "filtered_lists", "--output", str(target)]
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "solve", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    pipe.write_bytes(words)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    # a blank line may end the line on which a terminal shows ^C
    assert err.lstrip(b"\n") == b"wordpack: interrupted\n"
    assert target.read_text() == "precious"
    assert set(tmp_path.iterdir()) == {pipe, target}


@pytest.mark.parametrize("problem", [("rarest_letter", "5x4"), ("bitset_rows", "7x3")])
def test_ctrl_c_ends_a_compiled_search(problem: tuple[str, str]) -> None:
    """The waiting thread gets the signal, so minutes of machine code on all cores end at once."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "solve", "--count-only", "--backend", *problem],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.communicate(timeout=4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"wordpack: interrupted\n")


@pytest.mark.parametrize("arguments", [["words", "words_alpha"], ["solve", "2x3"]])
def test_a_reader_that_has_read_enough_is_no_error(arguments: list[str]) -> None:
    """`wordpack words words_alpha | head -1` prints neither a traceback nor an error."""
    process = subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("arguments", [["list"], ["solve", "toy"], ["words", "words_alpha"]])
def test_a_full_disk_is_one_line(arguments: list[str]) -> None:
    """The exit status is 2, because 1 would mean a wrong answer."""
    if not Path("/dev/full").exists():
        pytest.skip("/dev/full is Linux's")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, check=False
        )
    one_line(done.stderr)
    assert b"No space left" in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize("command", ["solve toy >&-", "list >&-", "solve --words - <&-"])
def test_a_closed_stream_is_no_traceback(command: str) -> None:
    """Daemons and careless scripts start programs without standard input or output."""
    program = " ".join(PROGRAM)
    done = subprocess.run(["sh", "-c", f"{program} {command}"], capture_output=True, check=False)  # noqa: S607  any POSIX shell
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)


def test_words_of_any_alphabet_leave_as_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    """Words and messages are UTF-8 even with LC_ALL=C and streams that Python opens as ASCII."""
    plain = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    (tmp_path / "ord").write_text("løb\ndæk\n", encoding="utf-8")
    letters = "abcdefghijklmnopqrstuvwxyzæøå"
    options = ["--letters", letters, "--count", "2", "--length", "3"]
    for place, due in (([], "dæk løb\n"), (["--output", "rows"], "")):
        done = subprocess.run(
            [*PROGRAM, "solve", "--words", "ord", *options, *place],
            env=os.environ | plain,
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout.decode()) == (0, due)
    assert (tmp_path / "rows").read_bytes() == "dæk løb\n".encode()
    (tmp_path / "ord").write_bytes(b"")
    done = subprocess.run(
        [*PROGRAM, "solve", "--words", "ord", "--letters", "ææ"],
        env=os.environ | plain,
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert "'æ'" in done.stderr.decode()
    one_line(done.stderr)


def test_a_pipe_can_be_the_output() -> None:
    """A pipe is written directly, as in `--output >(gzip > rows.gz)`."""
    command = [*PROGRAM, "solve", "toy", "--output", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 10
