"""Backends of other packages, in distributions that this test builds and installs."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tree import ROOT
from wordpack.backend import registry
from wordpack.backend.base import About

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
PROJECT = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]

OTHERS = '''
import os, signal
from dataclasses import dataclass
from my_searches import AllChoices, AllChoicesSearch
from wordpack.backend.base import About
from wordpack.packing.answer import Packings

@dataclass(frozen=True)
class Wider(About):
    colour: str = ""

class Short(AllChoices):
    """Lacks the last packing."""
    def prepare(self, problem, options):
        return ShortSearch(problem, options)

class ShortSearch(AllChoicesSearch):
    def run(self, *, work=False):
        found = super().run()
        if self.options.count_only:
            return found
        return Packings.from_table(self.problem, found.rows[0][:-1])

class Killed(AllChoices):
    def probe(self):
        os.kill(os.getpid(), signal.SIGSEGV)

class NoBackend:
    pass

class More(AllChoices):
    """Its About has one more field."""
    about = Wider(summary="a wider about", colour="red")
'''
MORE = """short = "other_searches:Short"
killed = "other_searches:Killed"
no_backend = "other_searches:NoBackend"
missing = "no_such_module:Search"
bitset_rows = "other_searches:Short"
twice = "other_searches:Short"
wider = "other_searches:More"
"""
WRONG = {
    "options": (None, "threads", ("thread",), (3,)),
    "workload": ("paking", None),
    "summary": ("two\nlines", None),
    "algorithm": (1,),
    "counts_only": ("no",),
}
"""Values that the fields of an `about` must refuse."""


class Outcome(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the page's package and two with broken backends; install all into a folder."""
    folder = tmp_path_factory.mktemp("plugins")
    others = PROJECT.replace("my-searches", "other-searches").replace(
        'all_choices = "my_searches:AllChoices"\n', MORE
    )
    third = PROJECT.replace("my-searches", "third-searches").replace("all_choices", "twice")
    packages = {
        "mine": (PROJECT, "my_searches", CODE),
        "others": (others.replace('"my_searches"]', '"other_searches"]'), "other_searches", OTHERS),
        "third": (third.replace('py-modules = ["my_searches"]', "py-modules = []"), "unused", ""),
    }
    for name, (project, module, code) in packages.items():
        source = folder / name
        source.mkdir()
        (source / "pyproject.toml").write_text(project)
        (source / f"{module}.py").write_text(code)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        pip += ["--no-build-isolation", "--target", str(folder / "site"), str(source)]
        subprocess.run(pip, check=True, capture_output=True)
    # setuptools would refuse this entry point; other build systems may not
    (points,) = (folder / "site").glob("other_searches-*/entry_points.txt")
    points.write_text(points.read_text().rstrip() + "\nno_path = 1: no path\n")
    return folder / "site"


def run(site: Path, *arguments: str) -> Outcome:
    """Run wordpack with the packages installed."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "wordpack", *arguments],
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def test_solve_takes_one_by_name(site: Path) -> None:
    """The answer is right, and the other packages are not mentioned."""
    outcome = run(site, "solve", "toy", "--backend", "all_choices", "--format", "json")
    assert (outcome.status, json.loads(outcome.out)["verified"]) == (0, "expected")
    assert "other-searches" not in outcome.err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("short", "which has 5 and 10"),
        ("killed", "killed cannot run here: its probe ended the process: killed by SIGSEGV"),
        ("no_backend", "other_searches:NoBackend is not a subclass of wordpack's Backend"),
        ("missing", "cannot be imported: ModuleNotFoundError: No module named 'no_such_module'"),
        ("twice", "has one of this name too"),
        ("nowhere", "no backend is called nowhere"),
        ("no_path", "cannot be imported: ValueError: invalid format: '1: no path'"),
    ],
)
def test_one_that_cannot_be_used_is_a_line(site: Path, name: str, said: str) -> None:
    outcome = run(site, "solve", "toy", "--backend", name)
    assert outcome.status == (1 if name == "short" else 2)
    assert outcome.out == ""
    assert said in outcome.err
    assert outcome.err.count("wordpack: ") == 1
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, values in WRONG.items() for value in values]
)
def test_a_wrong_about_is_refused_where_it_is_written(field: str, value: Any) -> None:
    """The error names the field, the value and what it must be."""
    with pytest.raises(ValueError, match=rf"^{field} of About is .*: it must be ") as refused:
        About(**{field: value})
    assert repr(value) in str(refused.value)


def test_a_race_has_them_with_their_package(site: Path, tmp_path: Path) -> None:
    """A right one has times, a wrong one has not; each broken one is a line and stops no other."""
    path = tmp_path / "race.json"
    names = ("all_choices", "short", "killed", "combinations")
    globs = [part for name in names for part in ("--backend", name)]
    outcome = run(
        site, "race", "toy", *globs, "--repeat", "1", "--budget", "300", "--json", str(path)
    )
    assert outcome.status == 1, "one answer is wrong"
    found = {entry["backend"]: entry for entry in json.loads(path.read_text())["backends"]}
    assert found["all_choices"]["verified"] == "expected"
    assert found["all_choices"]["using"] == "my-searches 1.0: Python alone"
    assert (found["short"]["status"], found["short"]["seconds"]["samples"]) == ("wrong", [])
    assert found["killed"]["status"] == "crashed"
    assert found["combinations"]["status"] == "ok"
    lines = [line for line in outcome.err.splitlines() if "-searches 1.0 " in line]
    assert sorted(line.split()[3] for line in lines) == [
        *("bitset_rows", "missing", "no_backend", "no_path", "twice", "twice"),
    ]
    page = tmp_path / "report.html"
    assert run(site, "report", str(path), "--output", str(page)).status == 0
    assert "all_choices" in page.read_text()


def test_doctor_and_list_have_them(site: Path) -> None:
    told = json.loads(run(site, "doctor", "--format", "json").out)["backends"]
    found = {each["backend"]: each for each in told if "distribution" in each}
    assert set(found) == {"all_choices", "short", "killed", "wider"}
    assert found["all_choices"]["distribution"] == "my-searches 1.0"
    assert (found["all_choices"]["runs"], found["killed"]["runs"]) == (True, False)
    assert "every choice of words, tried in turn" in run(site, "list").out


@pytest.mark.parametrize(
    "arguments", [["solve", "toy"], ["solve", "toy", "--backend", "filtered_lists"]]
)
def test_other_packages_are_not_looked_for_without_need(site: Path, arguments: list[str]) -> None:
    """'auto' and built-in names start no processes: that would take time."""
    script = (
        "import sys\nfrom wordpack.commands.main import main\n"
        f"assert main({arguments}) == 0\nassert 'wordpack.racing.plugins' not in sys.modules"
    )
    environment = os.environ | {"PYTHONPATH": str(site)}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, capture_output=True)


def test_auto_takes_none() -> None:
    """A backend added by name is not in the list that 'auto' chooses from."""
    plain = registry.row("combinations")
    other = type(plain)("of_another", plain.backend, "of another", "", distribution="x 1.0")
    registry.add(other)
    assert registry.row("of_another") is other
    assert other not in registry.of_workload("packing")
    registry._ADDED.clear()


def test_the_tests_of_our_backends_run_on_it(site: Path) -> None:
    """`pytest --pyargs wordpack.testing` passes for a right backend and fails for a wrong one."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs"]
    done = subprocess.run(
        [*command, "wordpack.testing", "-k", "all_choices or short"],
        env=os.environ | {"PYTHONPATH": str(site), "PYTEST_ADDOPTS": ""},
        cwd=site.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    failed = {line for line in done.stdout.splitlines() if line.startswith("FAILED")}
    assert done.returncode == 1, done.stdout
    assert failed
    assert all("[short" in line for line in failed), done.stdout
