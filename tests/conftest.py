"""What several test files share: the command in this process, and the backends by name."""

import os
from collections.abc import Callable
from typing import NamedTuple

import pytest

from wordpack import registry
from wordpack.cli import main

# Processes that tests start import the package that is installed, not the folder they stand in.
os.environ["PYTHONSAFEPATH"] = "1"


class Outcome(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def wordpack(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a wordpack command in this process: `wordpack("solve", "toy")`."""

    def run(*arguments: str) -> Outcome:
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Outcome(status, out, err)

    return run


PACKING_BACKENDS = [row.name for row in registry.ROWS if row.workload == "packing"]


@pytest.fixture(params=PACKING_BACKENDS, scope="session")
def backend(request: pytest.FixtureRequest) -> registry.Row:
    """Every backend in turn: the same tests must pass for each."""
    return registry.row(request.param)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what takes minutes last, when all else is known to pass."""
    items.sort(key=lambda item: item.path.stem == "test_published_slow")
