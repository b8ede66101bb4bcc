"""`wordpack list`, `words`, `doctor`, `completion`, `--help`, and what they do not import."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tree import TESTS
from wordpack import __version__
from wordpack.backend import registry
from wordpack.commands.main import cli
from wordpack.compiled.threads import usable_cores
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.lists import CATALOGUE
from wordpack.lexicon.reading import read_embedded
from wordpack.machine import hardware
from wordpack.solving.instances import INSTANCES

Command = Callable[..., Any]

LISTS = {
    "words_alpha": 370105, "wordle": 12972, "wordle-answers": 2315, "wordle-guesses": 10657,
    "answers-2331": 2331, "wordle-12974": 12974, "wordle-12947": 12947, "toy": 50,
}  # fmt: skip

COUNTS = {
    "parker": (538, 831), "parker-words": (831, 831), "wordle": (10, 11),
    "wordle-12974": (10, 11), "wordle-12947": (10, 11), "both": (1, 1),
    "wrong-wordle": (565783, 1122348), "toy": (5, 10),
}  # fmt: skip


def section(text: str, title: str) -> str:
    """Return the paragraph of the page that begins with `title`."""
    return next(part for part in text.split("\n\n") if part.startswith(title))


def test_list_has_every_instance_with_its_counts_and_source(wordpack: Command) -> None:
    status, out, err = wordpack("list")
    assert (status, err) == (0, "")
    lines = section(out, "Instances").splitlines()
    assert list(COUNTS) == list(INSTANCES)
    for name, (packings, solutions) in COUNTS.items():
        at = next(place for place, line in enumerate(lines) if line.split()[:1] == [name])
        assert re.search(rf"\b{packings:,} packings?, {solutions:,} solutions?$", lines[at])
        about = " ".join(lines[at + 1 : at + 3])
        assert INSTANCES[name].title in about
        assert INSTANCES[name].source in about
    assert "KxL" in section(out, "Instances")


def test_list_has_every_list_and_backend(wordpack: Command) -> None:
    out = wordpack("list").out
    lists = section(out, "Word lists").splitlines()[1:]
    assert {line.split()[0]: int(line.split()[1].replace(",", "")) for line in lists} == LISTS
    assert set(LISTS) == set(CATALOGUE)
    backends = section(out, "Backends").splitlines()[1:]
    assert [line.split()[0] for line in backends] == [row.name for row in registry.ROWS]
    assert all(row.summary in line for row, line in zip(registry.ROWS, backends, strict=True))


@pytest.mark.parametrize("name", LISTS)
def test_words_prints_a_list_whole_and_in_its_order(wordpack: Command, name: str) -> None:
    status, out, err = wordpack("words", name)
    assert (status, err) == (0, "")
    words = out.split("\n")
    assert words.pop() == ""
    assert len(words) == LISTS[name]
    assert words == list(read_embedded(name, Alphabet()))


def test_words_of_a_length(wordpack: Command) -> None:
    """Words that repeat a letter are included: words_alpha has 15,920 of five letters."""
    words = wordpack("words", "words_alpha", "--length", "5").out.split()
    assert len(words) == 15920
    assert {len(word) for word in words} == {5}
    assert words == [w for w in wordpack("words", "words_alpha").out.split() if len(w) == 5]


@pytest.mark.parametrize(
    ("arguments", "words", "distinct", "signatures"),
    [
        ("wordle", 12972, 8322, 5182),
        ("wordle-12974", 12974, 8324, 5183),
        ("words_alpha --length 5", 15920, 10175, 5977),
    ],
)
def test_stats_are_the_known_figures(
    wordpack: Command, arguments: str, words: int, distinct: int, signatures: int
) -> None:
    """Also the letter frequencies over signatures, recounted here from the words."""
    lines = wordpack("words", *arguments.split(), "--stats").out.splitlines()
    figures = [int(line.split()[-1].replace(",", "")) for line in lines[:3]]
    assert figures == [words, distinct, signatures]
    listed = wordpack("words", *arguments.split()).out.split()
    kinds = {frozenset(word) for word in listed if len(set(word)) == len(word)}
    share = {
        letter: sum(letter in kind for kind in kinds) for letter in "abcdefghijklmnopqrstuvwxyz"
    }
    by_share = sorted(share.items(), key=lambda pair: (-pair[1], pair[0]))
    assert lines[3].split()[2:] == [cell for a, n in by_share for cell in (a, f"{n:,}")]


def test_doctor_says_what_can_run(wordpack: Command) -> None:
    """The text has the machine and one line per backend."""
    status, out, err = wordpack("doctor")
    assert (status, err) == (0, "")
    for name in (
        "Python",
        "numpy",
        "numba",
        "CPU",
        "usable",
        "memory",
        "GPU",
        sys.version.split()[0],
    ):
        assert name in out
    for row in registry.ROWS:
        assert f"  {row.name} " in out


def test_doctor_json(wordpack: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every backend runs or has a reason; a backend's own reason is shown unchanged."""
    monkeypatch.syspath_prepend(TESTS)
    broken = registry.Row("broken", "fakes.unavailable:Fake", "broken", "a fake")
    monkeypatch.setattr("wordpack.library.diagnosis.ROWS", (*registry.ROWS, broken))
    found = json.loads(wordpack("doctor", "--format", "json").out)
    assert found["wordpack"] == __version__
    assert {"cpu", "cores", "memory_bytes", "os", "python", "libraries", "gpu", "gpus"} == set(
        found["machine"]
    )
    assert found["machine"]["cores"] == usable_cores()
    backends = {each["backend"]: each for each in found["backends"]}
    assert list(backends) == [*(row.name for row in registry.ROWS), "broken"]
    reason = "The library is missing: pip install 'wordpack[gpu]'."
    assert backends.pop("broken") == {"backend": "broken", "runs": False, "why_not": reason}
    devices = {row.name for row in registry.ROWS if row.start_up}
    for name, each in backends.items():
        assert each["with"] if each["runs"] else name in devices and each["why_not"]
    assert f"cannot run: {reason}" in wordpack("doctor").out


def test_the_machine_is_described_even_where_nothing_tells(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No PATH, no /proc, no sysconf, no libraries: None or a reason, never an error."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hardware, "CPUINFO", tmp_path / "none")
    monkeypatch.setattr("platform.processor", lambda: "")
    monkeypatch.setattr(hardware, "LIBRARIES", ("no-such-library",))

    def unknown(_name: str) -> int:
        raise ValueError

    monkeypatch.setattr("os.sysconf", unknown)
    found = hardware.describe()
    assert found["libraries"] == {"no-such-library": None}
    assert found["memory_bytes"] is None
    assert found["gpu"]["name"] is None
    assert "nvidia-smi" in found["gpu"]["why_not"]
    assert found["cores"] >= 1
    assert found["cpu"] is None


@pytest.mark.parametrize(
    ("script", "due"),
    [
        ("exit 9", {"name": None, "memory": None, "driver": None}),
        ("echo No devices were found", {"name": None, "memory": None, "driver": None}),
        (
            "echo NVIDIA H200, 143771 MiB, 570.1",
            {"name": "NVIDIA H200", "memory": "143771 MiB", "driver": "570.1"},
        ),
    ],
)
def test_a_gpu_is_what_its_tool_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, due: dict[str, str | None]
) -> None:
    """The tool fails, sees no device, or sees one."""
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = hardware.gpu([], "NVML is not here")
    seen = due["name"] is not None
    assert (found.pop("why_not") is None) == seen
    assert found.pop("unmeasured") == ("NVML is not here" if seen else None)
    assert found == due


def test_version(wordpack: Command) -> None:
    assert wordpack("--version").out == f"wordpack, version {__version__}\n"


@pytest.mark.parametrize("command", ["", *cli.commands])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_help_has_an_example(wordpack: Command, command: str, option: str) -> None:
    """Each example has its own line, as it would be typed."""
    status, out, err = wordpack(*command.split(), option)
    assert (status, err) == (0, "")
    assert re.search(rf"^  (\w+: .*)?wordpack {command}", out, re.MULTILINE)
    assert "\\b" not in out


def test_no_command_is_help(wordpack: Command) -> None:
    assert wordpack() == wordpack("--help")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(wordpack: Command, shell: str) -> None:
    out = wordpack("completion", shell).out
    assert f"_WORDPACK_COMPLETE={shell}_complete" in out


@pytest.mark.parametrize(
    ("typed", "due"),
    [
        ("solve park", {"parker", "parker-words"}),
        ("race both", {"both"}),
        ("words wordle-a", {"wordle-answers"}),
        ("solve toy --backend filtered_", {"filtered_lists", "filtered_arrays"}),
        ("solve --list words_", {"words_alpha"}),
        ("sweep 5x5 --list toy --list wordle-g", {"wordle-guesses"}),
    ],
)
def test_names_are_completed(typed: str, due: set[str]) -> None:
    """These are the names offered to bash; a key press does not load numpy."""
    program = (
        "import sys; from wordpack.commands.main import cli; from click.shell_completion import "
        "get_completion_class; kind = get_completion_class('bash')\n"
        "print(kind(cli, {}, 'wordpack', '_WORDPACK_COMPLETE').complete())\n"
        "assert 'numpy' not in sys.modules"
    )
    words = ["wordpack", *typed.split()]
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert {line.partition(",")[2] for line in done.stdout.split()} == due


@pytest.mark.parametrize(
    "command", ["", "list", "--help", "solve --help", "report --help", "--version"]
)
def test_light_commands_load_no_heavy_library(command: str) -> None:
    """`import wordpack` and commands that only print text load no numpy, numba or rich."""
    program = (
        "import sys, wordpack\n"
        "if sys.argv[1:]:\n"
        "    from wordpack.commands.main import main\n"
        "    assert main(sys.argv[1:]) == 0\n"
        "heavy = {'numpy', 'numba', 'llvmlite', 'rich', 'scipy'} & set(sys.modules)\n"
        "sys.exit(' '.join(heavy) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command.split()], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
