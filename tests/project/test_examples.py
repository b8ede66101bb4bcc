"""Every example of the documents and docstrings runs here, or says beside it why it does not."""

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest

import wordpack
from tree import ROOT
from wordpack.commands.main import cli

PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for glob in ("*.md", "docs/*.md", "kernels/*.md")
    for path in sorted(ROOT.glob(glob))
}

ELSEWHERE = {
    "README.md": "tests/project/test_readme.py",
    "docs/tutorial.md": "tests/project/test_site.py",
    "docs/cluster.md": "tests/howto.py",
    "docs/plugins.md": "tests/racing/test_plugins.py",
}
"""Pages whose blocks other tests run."""

REASON = r"<!-- not run: .+ -->"

BLOCK = re.compile(rf"(?:({REASON})\n)?```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

BLOCKS = {name: BLOCK.findall(page) for name, page in PAGES.items() if name not in ELSEWHERE}

ROOMS = ("backend", "games", "lexicon", "library", "packing")

INLINE = sorted(
    {
        command
        for page in PAGES.values()
        for command in re.findall(r"`wordpack ([^`]+)`", page)
        if not re.search(r"\.\.\.|COMMAND|OPTION", command)
    }
)
"""Commands within sentences and tables."""


def written(languages: set[str]) -> list[str]:
    """Return the pages that have a block of such a language that is to run."""
    return [
        name
        for name, blocks in BLOCKS.items()
        if any(not reason and language in languages for reason, language, _ in blocks)
    ]


def run_by(page: str, languages: set[str]) -> list[str]:
    return [body for reason, language, body in BLOCKS[page] if not reason and language in languages]


@pytest.mark.parametrize("page", written({"python"}))
def test_the_python_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its blocks in order, in one namespace and a folder of their own."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for body in run_by(page, {"python"}):
        exec(compile(body, page, "exec"), names)  # noqa: S102  the page's own code


@pytest.mark.slow
@pytest.mark.parametrize("page", written({"sh"}))
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    """Its blocks in order, in one folder; each command must succeed."""
    tool = tmp_path / "bin" / "wordpack"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m wordpack "$@"\n')
    tool.chmod(0o755)
    for body in run_by(page, {"sh"}):
        done = subprocess.run(
            ["/bin/sh", "-e", "-c", body],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env=os.environ | {"PATH": f"{tool.parent}:{os.environ['PATH']}"},
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", BLOCKS)
def test_what_does_not_run_says_why(page: str) -> None:
    """A block runs above, shows output, or has its reason in the line before it."""
    silent = [
        body
        for reason, language, body in BLOCKS[page]
        if not reason and language not in ("python", "sh", "console", "text", "toml")
    ]
    assert silent == []
    for body in re.findall(r"^```(?:console|text)\n(.*?)^```$", PAGES[page], re.DOTALL | re.M):
        assert body.startswith("$ ") or not re.search(r"^(wordpack|make|import) ", body, re.M)


@pytest.mark.parametrize("line", INLINE)
def test_a_command_in_a_sentence_has_options_that_there_are(line: str) -> None:
    """It is read as the command line reads it, and not run."""
    words = shlex.split(line.replace("\\|", "|"))
    command: click.Command = cli
    with click.Context(cli) as context:
        while isinstance(command, click.Group):
            _, found, words = command.resolve_command(context, words)
            assert found is not None
            command = found
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
    asked = {word.split("=")[0] for word in words if word.startswith("-") and word != "-"}
    assert asked <= known | {"--help"}


def modules() -> list[ModuleType]:
    """Return the modules of the library that can be imported anywhere."""
    names = [each.name for each in pkgutil.walk_packages(wordpack.__path__, "wordpack.")]
    return [importlib.import_module(name) for name in names if name.split(".")[1] in ROOMS]


def test_the_examples_of_docstrings_run() -> None:
    """And there are some."""
    results = [doctest.testmod(module) for module in modules()]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= 5
