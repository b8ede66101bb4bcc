"""Check README and docs/commands.md: examples print what is shown, commands run."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tree import ROOT
from wordpack.backend.registry import ROWS

Command = Callable[..., Any]

README = (ROOT / "README.md").read_text(encoding="utf-8")

PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

EXAMPLES = [
    example
    for block in re.findall(r"^```console\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    for example in re.findall(r"^\$ wordpack (.+)\n((?:(?!\$).+\n)+)", block, re.MULTILINE)
]

COMMANDS = [
    words
    for words in dict.fromkeys(
        re.findall(r"`wordpack ((?:solve|list|doctor|words|hints|play)[^`]*)`", README + PAGE)
    )
    if not re.search(r"FILE|\.txt", words)
]
"""Commands that need neither a reader's file nor the time of a race."""


@pytest.mark.parametrize(("arguments", "shown"), EXAMPLES, ids=lambda value: value.split("\n")[0])
def test_examples_print_what_is_shown(wordpack: Command, arguments: str, shown: str) -> None:
    outcome = wordpack(*shlex.split(arguments))
    assert outcome.status == 0
    assert outcome.out == shown


@pytest.mark.parametrize("arguments", COMMANDS)
def test_commands_run(wordpack: Command, arguments: str) -> None:
    outcome = wordpack(*shlex.split(arguments))
    assert outcome.status == 0
    assert outcome.out


def test_there_are_examples_and_commands() -> None:
    """The two tests above would pass on an empty page."""
    assert len(EXAMPLES) >= 2
    assert len(COMMANDS) >= 8


def test_every_backend_is_introduced_and_no_other() -> None:
    table = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| \[`(\w+)`\]", table, re.MULTILINE)) == {row.name for row in ROWS}


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints the numbers shown beside it, and the ten packings of Wordle's list."""
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102  the page's own code
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "538 831 expected"
    assert "fjord gucks nymph vibex waltz" in lines
    assert "470983892906" in lines


def test_the_readme_is_short() -> None:
    """It has about 700 words, command output aside; the rest is in docs/."""
    assert len(re.sub(r"(?ms)^```\w+\n.*?^```$", "", README).split()) < 800


PAGES = [path for glob in ("*.md", "docs/*.md", "kernels/*.md") for path in sorted(ROOT.glob(glob))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    """Each link into the repository leads to an existing file or folder."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
