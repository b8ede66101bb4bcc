"""Shared fixtures: the command in this process, backends by name, a browser."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import pytest

from series import verified
from wordpack import schemas
from wordpack.backend import registry
from wordpack.errors import Unavailable
from wordpack.machine import nvml

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Processes that tests start import the installed package, not the current folder.
os.environ["PYTHONSAFEPATH"] = "1"
# A pytest started by a test is not a worker of this one; otherwise pytest-benchmark is disabled.
os.environ.pop("PYTEST_XDIST_WORKER", None)


class Outcome(NamedTuple):
    """A command's exit status and output."""

    status: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def wordpack(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a wordpack command in this process: `wordpack("solve", "toy")`."""
    # imported here: a GPU machine may lack the command line's dependencies
    from wordpack.commands.main import main

    def run(*arguments: str) -> Outcome:
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Outcome(status, out, err)

    return run


Asv = Callable[..., subprocess.CompletedProcess[str]]


def asv_in(clone: Path, environment: dict[str, str]) -> Asv:
    """Name the machine test-2026 in the environment's home; return a function that runs asv."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "asv", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=clone,
            env=environment,
        )

    named = [sys.executable, "-m", "wordpack", "machine", "--name", "test-2026"]
    subprocess.run(named, check=True, capture_output=True, env=environment)
    return run


PACKING_BACKENDS = [row.name for row in registry.of_workload("packing")]


@pytest.fixture(params=PACKING_BACKENDS, scope="session")
def backend(request: pytest.FixtureRequest) -> registry.Row:
    """Provide every backend in turn: the same tests must pass for each."""
    return registry.row(request.param)


def absent(reason: str, required: str = "WORDPACK_REQUIRE_GPU") -> NoReturn:
    """Skip a test for `reason`, or fail if the environment variable `required` is 1."""
    if os.environ.get(required) == "1":
        pytest.fail(f"{required} is 1, and {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def gpu() -> None:
    """Skip or fail without an NVIDIA GPU that this process may use."""
    try:
        found = nvml.devices()
    except Unavailable as reason:
        absent(str(reason))
    if not found:
        absent("no NVIDIA GPU is visible")


Install = Callable[[Any], Any]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install the argument as pynvml (None for a missing one), with no GPU hidden."""
    monkeypatch.delenv(nvml.VISIBLE, raising=False)

    def put(library: Any) -> Any:
        monkeypatch.setitem(sys.modules, "pynvml", library)
        return library

    return put


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that take minutes first, so that no core waits for them at the end."""
    items.sort(key=lambda item: item.path.stem != "test_published_slow")


REQUIRED = {
    "cuda": "WORDPACK_REQUIRE_GPU",
    "game_tree_cuda": "WORDPACK_REQUIRE_GPU",
    "game_tree_opencl": "WORDPACK_REQUIRE_OPENCL",
    "opencl": "WORDPACK_REQUIRE_OPENCL",
    "subset_sums_cuda": "WORDPACK_REQUIRE_GPU",
    "subset_sums_opencl": "WORDPACK_REQUIRE_OPENCL",
}
"""Environment variables that turn skips of a device's tests into failures if set to 1."""


def needs(name: str) -> None:
    """Skip the test if the device backend `name` cannot run, or fail if it is required."""
    try:
        registry.row(name).load().probe()
    except Unavailable as reason:
        absent(f"{name} cannot run: {reason}", REQUIRED[name])


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look for the device before a test that has a device backend as a parameter."""
    parameters = getattr(item, "callspec", None)
    for value in parameters.params.values() if parameters else ():
        name = value.name if isinstance(value, registry.Row) else value
        if isinstance(name, str) and name in REQUIRED:
            needs(name)


@pytest.fixture
def fakes_in_series(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the asv suite the fakes as backends, and forget their results afterwards."""
    names = ("honest", "liar", "unavailable", "costly", "duplicate", "overlapping")
    fakes = [registry.Row(name, f"fakes.{name}:Fake", name, "a fake") for name in names]
    monkeypatch.setattr(registry, "ROWS", (*registry.ROWS, *fakes))
    yield
    for each in (verified.instance, verified.loaded, verified.prepared, verified.answers):
        each.cache_clear()


@pytest.fixture
def merge(wordpack: Command, tmp_path: Path) -> Command:
    """Merge results into the test's own folder, tmp_path / "into"."""
    return lambda *sources: wordpack("results", "merge", *sources, "--results", tmp_path / "into")


@pytest.fixture
def check(wordpack: Command) -> Command:
    """Compare two sources; return the exit status, the JSON and its lines by backend."""
    import jsonschema

    schema = json.loads((Path(schemas.__file__).parent / "check.json").read_text())

    def run(base: Path | str, new: Path | str, *options: str) -> Any:
        arguments = ("report", "--check", base, new, *options)
        outcome = wordpack(*arguments, "--format", "json")
        assert outcome.err == ""
        found = json.loads(outcome.out)
        jsonschema.validate(found, schema)
        assert outcome.status == found["status"]
        assert sum(found["totals"].values()) == len(found["lines"])
        assert wordpack(*arguments).status == outcome.status
        return found

    return run


@pytest.fixture
def refused(wordpack: Command) -> Command:
    """Expect exit status 2 and one line with all of these fragments."""

    def run(base: object, new: object, *options: str, says: Sequence[str]) -> None:
        outcome = wordpack("report", "--check", base, new, *options)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        for words in says:
            assert words in outcome.err

    return run


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Start the system's Chromium; skip or fail if it or playwright is missing."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent(
            "playwright is not installed: pip install 'wordpack[browser]'",
            "WORDPACK_REQUIRE_BROWSER",
        )
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        absent("there is no chromium: apt install chromium", "WORDPACK_REQUIRE_BROWSER")
    # Chromium has no sandbox as root, which CI often is
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium, args=alone)
        yield started
        started.close()


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page of three machines."""
    from handmade_page import page_of_three

    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page_of_three(), encoding="utf-8")
    return path


@pytest.fixture
def visit(browser: "Browser") -> "Iterator[Callable[..., Page]]":
    """Open a file; afterwards check for errors, console messages and network requests."""
    seen: list[str] = []
    contexts = []

    def go(path: Path, **options: Any) -> "Page":
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                seen.append(f"request: {request.url[:100]}")
                if not request.url.startswith((path.as_uri(), "data:", "blob:"))
                else None
            ),
        )
        page.goto(path.as_uri())
        return page

    yield go
    for context in contexts:
        context.close()
    assert seen == []
