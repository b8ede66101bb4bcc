"""GitHub Actions workflows: they run our commands, have few rights, and judge no times."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tree import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@(v\d+|[0-9a-f]{40})")


@pytest.fixture(params=WORKFLOWS, ids=lambda path: path.stem)
def workflow(request: pytest.FixtureRequest) -> dict[Any, Any]:
    """Each workflow in turn."""
    read: dict[Any, Any] = yaml.safe_load(request.param.read_text(encoding="utf-8"))
    return read


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    """Return the steps of all jobs."""
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def commands(workflow: dict[Any, Any]) -> list[list[str]]:
    """Return the commands of all steps, line by line, as words."""
    runs = [step["run"] for step in steps(workflow) if "run" in step]
    return [shlex.split(line) for run in runs for line in run.splitlines()]


def test_each_command_is_one_that_a_user_can_run(workflow: dict[Any, Any]) -> None:
    """Each step runs a Makefile target or a script of ci/, never a program in the workflow."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert commands(workflow)
    for program, *arguments in commands(workflow):
        if program == "make":
            assert arguments[0] in targets
        else:
            assert Path(program).parts[0] == "ci"
            assert (ROOT / program).stat().st_mode & 0o111, f"{program} cannot be run"


def test_what_is_typed_by_a_person_is_no_part_of_a_command(workflow: dict[Any, Any]) -> None:
    """Expressions go through the environment: inside `run` they would be pasted into a shell."""
    assert not [word for words in commands(workflow) for word in words if "${{" in word]


def test_a_workflow_may_do_little_and_not_for_long(workflow: dict[Any, Any]) -> None:
    """It may only read, its actions are pinned, and each job has a time limit."""
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]
    assert all("permissions" not in job for job in workflow["jobs"].values())
    assert all(job["timeout-minutes"] <= 180 for job in workflow["jobs"].values())
    used = [step for step in steps(workflow) if "uses" in step]
    assert all(PINNED.fullmatch(step["uses"]) for step in used)
    for step in used:
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_files_that_actions_read_are_there(workflow: dict[Any, Any]) -> None:
    for step in steps(workflow):
        if named := step.get("with", {}).get("cache-dependency-path"):
            assert (ROOT / named).is_file()


def workflow_of(name: str) -> dict[Any, Any]:
    """Return the workflow called `name`."""
    (path,) = (path for path in WORKFLOWS if path.stem == name)
    read: dict[Any, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return read


def test_every_change_is_checked() -> None:
    """Every push and pull request is checked; a newer one cancels the older."""
    # YAML reads the key `on` as true
    assert set(workflow_of("checks")[True]) == {"push", "pull_request"}
    assert workflow_of("checks")["concurrency"]["cancel-in-progress"] is True
    assert ["make", "lint", "CONSTRAINTS=ci/constraints.txt"] in commands(workflow_of("checks"))


def test_the_tests_run_on_every_python_that_we_name() -> None:
    """pyproject.toml's Pythons run on Linux and macOS: quick tests per change, all nightly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    for name, target in (("checks", "make test "), ("nightly", "make test-all ")):
        job = workflow_of(name)["jobs"]["tests"]
        matrix = job["strategy"]["matrix"]
        assert matrix["python"] == named
        assert [re.sub(r"-.*", "", system) for system in matrix["os"]] == ["ubuntu", "macos"]
        assert all(more["os"] in matrix["os"] for more in matrix["include"])
        assert job["steps"][-1]["run"].startswith(target)


def test_no_time_is_judged_on_a_shared_machine() -> None:
    """The gate runs on one's own runner, and only by hand."""
    assert not [words for words in commands(workflow_of("checks")) if words[0] == "ci/gate"]
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        for job in workflow["jobs"].values():
            if any("ci/gate" in step.get("run", "") for step in job["steps"]):
                assert "self-hosted" in job["runs-on"]
                assert set(workflow[True]) == {"workflow_dispatch"}
