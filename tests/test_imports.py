"""Who may import whom: the layers of the package, read from its source."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

DOMAIN = {
    *("alphabet", "arguments", "backend", "code_cache", "cutting", "errors", "hardware"),
    *("instructions", "jit", "leftovers", "letters", "lexicon", "libraries", "lines", "ownership"),
    *("lists", "loading", "nvml", "ordering", "packing", "phrases", "problem", "reading"),
    *(
        "contradiction",
        "feedback",
        "hint_scan",
        "hints",
        "play",
        "realization",
        "rules",
        "sampling",
        "scan",
        "sharing",
        "signature",
        "spec",
    ),
}
"""Modules of wordpack that backends may import, and that import nothing above them."""

THIRD_PARTY = {
    "cli": {"click"},
    "cli_cluster": {"click"},
    "cli_hints": {"click"},
    "cli_report": {"click"},
    "cli_results": {"click"},
    "cli_sweep": {"click"},
    "command": {"click", "numpy"},
    **{f"cluster/{name}": {"distributed", "numpy"} for name in ("members", "running")},
    **{f"cluster/{name}": {"distributed", "numpy"} for name in ("playing", "searching", "solving")},
    "cluster/connection": {"dask", "distributed"},
    "cluster/security": {"distributed"},
    "cluster/sweeping": {"distributed", "numpy"},
    "completion": {"click"},
    "hints_command": {"click", "numpy"},
    "play_command": {"click", "numpy"},
    "leaderboard": {"rich"},
    "report/check_output": {"rich"},
    "report/regressions": {"scipy"},
    "printing": {"rich"},
    "progress": {"rich"},
    "instructions": {"llvmlite", "numpy"},
    "code_cache": {"platformdirs"},
    "jit": {"llvmlite", "numba", "numpy"},
    "nvml": {"pynvml"},
    "report/page": {"jinja2", "markupsafe", "plotly"},
}
"""What modules of wordpack may import from outside; the others may import numpy."""


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports anywhere, `from a import b` as a.b."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        yield from names(node)


def names(node: ast.AST) -> Iterator[str]:
    """Yield the dotted names that one statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "it imports relatively"
        assert node.module is not None
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ours(path: Path) -> set[str]:
    """Return the modules of wordpack that a file imports, by their second name."""
    names = [name.split(".") for name in imported(path)]
    return {parts[1] for parts in names if parts[0] == "wordpack" and parts[1] != "__version__"}


def outside(path: Path) -> set[str]:
    """Return the third-party packages that a file imports."""
    tops = {name.split(".")[0] for name in imported(path)}
    return tops - set(sys.stdlib_module_names) - {"wordpack", "__future__"}


FOLDERS = ("wordpack", "baselines", "kernels")
REPORT = sorted((ROOT / "wordpack" / "report").glob("*.py"))
CLUSTER = sorted((ROOT / "wordpack" / "cluster").glob("*.py"))
PACKAGE = sorted((ROOT / "wordpack").glob("*.py")) + REPORT + CLUSTER
PARTS = {
    "exact_cover": "dancing_links",
    "algorithm_x": "exact_cover",
    "triples": "partitioned_triples",
}
"""Files that are no backend but a part of the one baseline that imports them."""

KERNEL_PARTS = {
    *("cuda_code", "cuda_device", "cuda_start", "device_games", "device_sums", "letter_sets"),
    *("children", "feedback_codes", "frontier", "slice_nodes", "slicing", "subtrees"),
    *("batch", "descent", "device", "device_search", "dual", "explain", "filed", "files"),
    *("filing", "frontiers", "hitting", "last_word", "levels", "on_device", "open_node"),
    *("opencl_device", "plan", "planner", "pocl_cache", "probes", "state_table"),
    *("steps", "structs", "trivial"),
}
"""Files of kernels/ that are no backend but a part of some."""


DOORS = {"cuda_start": {"cupy"}, "opencl": {"pyopencl"}}
"""The one module that speaks to each GPU library."""


HOSTS = {"cuda", "opencl"}
"""Backends that another one on the same device takes their start from."""


def place(path: Path) -> str:
    """Return a module of wordpack as the tables above name it: race, report/check."""
    return path.relative_to(ROOT / "wordpack").with_suffix("").as_posix()


def modules(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).glob("*.py") if path.stem != "__init__")


BASELINES, KERNELS = modules("baselines"), modules("kernels")
BACKENDS = [path for path in BASELINES if path.stem not in PARTS]
BACKENDS += [path for path in KERNELS if path.stem not in KERNEL_PARTS]


@pytest.mark.parametrize("path", PACKAGE, ids=place)
def test_third_party_imports_are_the_few_that_are_listed(path: Path) -> None:
    """A module imports numpy at most, or what the table above allows it."""
    assert outside(path) <= THIRD_PARTY.get(place(path), {"numpy"})


@pytest.mark.parametrize("path", PACKAGE, ids=place)
def test_the_domain_knows_nothing_above_it(path: Path) -> None:
    """Domain modules import domain modules; nobody in wordpack imports a backend or bench."""
    used = ours(path)
    assert not used & {"baselines", "kernels"}, "backends are named in the registry, as strings"
    if place(path) in DOMAIN:
        assert used <= DOMAIN


@pytest.mark.parametrize("path", PACKAGE, ids=place)
def test_only_its_command_knows_the_report(path: Path) -> None:
    """The report reads results: it neither searches nor races."""
    used = ours(path)
    if path in REPORT:
        assert not used & {"race", "racer", "solve", "leaderboard", "command", "cli"}
    elif path.stem != "cli_report":
        assert "report" not in used


@pytest.mark.parametrize("path", BASELINES, ids=lambda path: path.stem)
def test_baselines_stand_alone(path: Path) -> None:
    """A baseline imports the domain: no registry, no other backend, no command."""
    own = {f"wordpack.baselines.{part}" for part, of in PARTS.items() if of == path.stem}
    others = {name for name in imported(path) if name.startswith("wordpack.baselines")}
    assert all(any(name.startswith(part) for part in own) for name in others)
    assert ours(path) - {"baselines"} <= DOMAIN
    assert outside(path) <= {"numpy"}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels_import_the_domain_and_their_own_parts(path: Path) -> None:
    """A kernel's file imports no registry, no command, no baseline, and no other backend."""
    others = {name for name in imported(path) if name.startswith("wordpack.kernels.")}
    assert {name.split(".")[2] for name in others} <= KERNEL_PARTS | HOSTS
    assert ours(path) - {"kernels"} <= DOMAIN
    assert outside(path) <= {"numpy"} | DOORS.get(path.stem, set())


def test_the_two_counters_share_no_code() -> None:
    """They confirm each other: neither they nor their parts import one file of kernels/."""
    parts = {}
    for name in ("subset_sums", "merged_states"):
        used = imported(ROOT / "kernels" / f"{name}.py")
        parts[name] = {each.split(".")[2] for each in used if each.startswith("wordpack.kernels.")}
    assert parts == {"subset_sums": {"letter_sets"}, "merged_states": {"state_table"}}


def test_every_backend_file_has_its_row() -> None:
    """A backend is one file and one row of the table."""
    from wordpack.registry import ROWS

    rows = {row.module for row in ROWS}
    assert {f"wordpack.{path.parent.name}.{path.stem}" for path in BACKENDS} <= rows
    for row in ROWS:
        backend = row.load()
        assert all(callable(getattr(backend, name)) for name in ("probe", "accepts", "prepare"))


def test_one_module_each_speaks_to_a_gpu_library() -> None:
    """Neither cupy, pyopencl nor pynvml has more than one door."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    for library in ("cupy", "pyopencl", "pynvml"):
        assert sum(library in outside(path) for path in files) <= 1


ASKED = """
import sys
from wordpack import registry
from wordpack.cli import main
for row in registry.ROWS:
    row.load()
assert main(sys.argv[1:]) == 0
print([name for name in ("cupy", "pyopencl") if name in sys.modules])
"""


@pytest.mark.parametrize(
    "arguments", [["solve", "parker"], ["solve", "wrong-wordle", "--count-only"]]
)
def test_ordinary_problems_open_no_gpu_library(arguments: list[str]) -> None:
    """Neither loading every backend nor solving with 'auto' imports cupy or pyopencl."""
    command = [sys.executable, "-c", ASKED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("library", ["cupy", "pyopencl", "pynvml"])
def test_gpu_libraries_are_imported_where_they_are_used(library: str) -> None:
    """No file imports one when it is itself imported."""
    for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            assert library not in {name.split(".")[0] for name in names(node)}


@pytest.mark.parametrize("library", ["rich", "scipy", "plotly", "jinja2"])
def test_the_report_imports_libraries_where_they_are_used(library: str) -> None:
    """Reading results and comparing intervals needs none of them."""
    for path in REPORT:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            assert library not in {name.split(".")[0] for name in names(node)}


@pytest.mark.parametrize("path", CLUSTER, ids=place)
def test_four_modules_speak_to_dask(path: Path) -> None:
    """The others name a client's type at most, and none imports Dask when it is itself imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        assert "distributed" not in {name.split(".")[0] for name in names(node)}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    used = {name for each in functions for node in ast.walk(each) for name in names(node)}
    if path.stem not in {"connection", "members", "running", "security"}:
        assert not [name for name in used if name.startswith(("dask", "distributed"))]


def test_only_commands_know_the_cluster() -> None:
    """They import it when a cluster is asked for; the package works without Dask."""
    knowing = {path.stem for path in PACKAGE if path not in CLUSTER and "cluster" in ours(path)}
    assert knowing <= {"cli_cluster", "command", "play_command", "sweep_command"}
    for path in set(PACKAGE) - set(CLUSTER):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            assert not [name for name in names(node) if name.startswith("wordpack.cluster.")]


def test_nothing_imports_bench() -> None:
    """The suite uses the package, never the other way round."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    assert not [path for path in files if "bench" in outside(path)]
