"""The README keeps its word: its examples print what it shows, its commands run."""

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

EXAMPLES = re.findall(r"^    \$ wordpack (.+)\n((?:    (?!\$).+\n)+)", README, re.MULTILINE)

COMMANDS = [
    words
    for words in re.findall(r"`wordpack ((?:solve|list|doctor|words|hints|play)[^`]*)`", README)
    if not re.search(r"FILE|\.txt", words)
]
"""Those that need no file of the reader's, and no race's time."""


@pytest.mark.parametrize(("arguments", "shown"), EXAMPLES, ids=lambda value: value.split("\n")[0])
def test_examples_print_what_is_shown(wordpack: Command, arguments: str, shown: str) -> None:
    outcome = wordpack(*shlex.split(arguments))
    assert outcome.status == 0
    assert outcome.out == re.sub(r"^    ", "", shown, flags=re.MULTILINE)


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
    table = README[README.index("## The algorithms") : README.index("## Adding a backend")]
    assert set(re.findall(r"^\| \[`(\w+)`\]", table, re.MULTILINE)) == {row.name for row in ROWS}


def test_linked_files_exist() -> None:
    root = ROOT
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert links
    assert not [link for link in links if not (root / link).exists()]


PAGES = [path for glob in ("*.md", "docs/*.md", "kernels/*.md") for path in sorted(ROOT.glob(glob))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    """A link to a place in the repository leads to something that is there."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
