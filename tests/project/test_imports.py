"""Who may import whom: one rule per room of the package, checked on its source."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tree import ROOT

DOMAIN = {"compiled", "lexicon", "packing"}
SEES: dict[str, set[str]] = {
    "text": set(),
    "system": {"text"},
    "compiled": {"system"},
    "lexicon": {"compiled", "text"},
    "packing": {"compiled", "lexicon"},
    "games": {"compiled", "lexicon", "text"},
    "backend": {"compiled", "packing", "text"},
    "machine": {"backend", "compiled", "packing", "system"},
    "solving": DOMAIN | {"backend", "games", "machine", "system", "text"},
    "racing": {"backend", "compiled", "machine", "solving", "system", "text"},
    "testing": {"backend", "packing", "racing"},
    "results": {"backend", "machine", "system", "text"},
    "report": {"results", "solving", "system", "text"},
    "cluster": DOMAIN | {"backend", "games", "solving", "system", "text"},
    "library": DOMAIN
    | {"backend", "cluster", "games", "machine", "racing", "solving", "system", "text"},
    "commands": DOMAIN
    | {"backend", "cluster", "games", "library", "machine", "racing", "report", "results"}
    | {"solving"}
    | {"system", "text"},
    "baselines": {"backend", "compiled", "games", "packing"},
    "kernels.search": {"backend", "compiled", "packing"},
    "kernels.device": {"backend", "compiled", "kernels.search", "packing", "system"},
    "kernels.counting": {"backend", "compiled", "kernels.device", "packing"},
    "kernels.games": {"backend", "compiled", "games", "kernels.device"},
}
"""The rooms that each room may import; all may import `wordpack.errors` and the version."""

OUTSIDE: dict[str, set[str]] = {
    "text": {"rich"},
    "compiled": {"llvmlite", "numba", "numpy", "platformdirs"},
    "machine": {"numpy", "pynvml"},
    "report": {"jinja2", "markupsafe", "numpy", "plotly", "rich", "scipy"},
    "cluster": {"dask", "distributed", "numpy"},
    "racing": {"numpy", "rich"},
    "testing": {"numpy", "pytest"},
    "library": {"cloudpickle", "numpy", "pandas", "rich"},
    "commands": {"click", "numpy"},
    "kernels.device": {"cupy", "numpy", "pyopencl"},
}
"""The third-party packages that a room may import; any other room may import only numpy."""

LAZY = {
    *(
        "cloudpickle",
        "cupy",
        "dask",
        "distributed",
        "jinja2",
        "pandas",
        "plotly",
        "pynvml",
        "pyopencl",
        "rich",
    ),
    "scipy",
}
"""Heavy or optional packages, imported where they are used and never at module level."""

DOORS = ("cupy", "pyopencl", "pynvml")
"""Libraries that only one module may import."""

FOLDERS = {
    **{room: ROOT / "src" / "wordpack" / room for room in SEES if "." not in room},
    "baselines": ROOT / "baselines",
    **{room: ROOT / room.replace(".", "/") for room in SEES if room.startswith("kernels.")},
}
ROOMS = list(SEES)


def modules(room: str) -> list[Path]:
    """Return the Python files of a room and its subfolders."""
    return sorted(FOLDERS[room].rglob("*.py"))


FILES = [path for room in ROOMS for path in modules(room)]
FILES += [*sorted((ROOT / "src" / "wordpack").glob("*.py")), ROOT / "kernels" / "__init__.py"]


def dotted(path: Path) -> str:
    """Return the name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts[1:] if parts[0] == "src" else ("wordpack", *parts))
    return name.removesuffix(".__init__")


NAMES = {dotted(path): path for path in FILES}


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names that a syntax tree imports, `from a import b` as a.b."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "it imports relatively"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def ours(path: Path) -> set[str]:
    """Return the modules of wordpack that a file imports; a name in a module counts as it."""
    found = set()
    for name in imported(parsed(path)):
        if name.split(".")[0] == "wordpack":
            found.add(name if name in NAMES else name.rpartition(".")[0])
    return found - {"wordpack", "wordpack.errors"}


def room_of(name: str) -> str:
    """Return the room of a module by its dotted name."""
    parts = name.split(".")[1:]
    return ".".join(parts[:2]) if parts[0] == "kernels" else parts[0]


def outside(tree: ast.AST) -> set[str]:
    """Return the third-party packages that a syntax tree imports."""
    tops = {name.split(".")[0] for name in imported(tree)}
    return tops - set(sys.stdlib_module_names) - {"wordpack", "__future__"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_the_rooms_that_it_may_see(room: str) -> None:
    seen = {room_of(name) for path in modules(room) for name in ours(path)}
    assert seen - {room} <= SEES[room]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_the_packages_that_it_may_use(room: str) -> None:
    used = set().union(*(outside(parsed(path)) for path in modules(room)))
    assert used <= OUTSIDE.get(room, {"numpy"})


def test_rooms_have_no_circle() -> None:
    """A circle in the table would raise; no room imports kernels or baselines."""
    assert set(TopologicalSorter(SEES).static_order()) == set(ROOMS)
    for room, seen in SEES.items():
        above = {name for name in seen if name == "baselines" or name.startswith("kernels.")}
        assert room.startswith("kernels.") or not above, room


def test_modules_have_no_circle() -> None:
    """Imports for type checkers count too."""
    TopologicalSorter({name: ours(path) for name, path in NAMES.items()}).prepare()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_what_enters_and_what_leaves(room: str) -> None:
    """Each room's docstring says what it is for."""
    text = ast.get_docstring(parsed(FOLDERS[room] / "__init__.py")) or ""
    assert "Uses " in text
    assert "Offers " in text


@pytest.mark.parametrize("path", FILES, ids=dotted)
def test_heavy_packages_are_imported_where_they_are_used(path: Path) -> None:
    """No module imports one of them at module level, except for type checkers."""
    top = ast.Module([node for node in parsed(path).body if not isinstance(node, ast.If)], [])
    at_once = {
        name
        for node in top.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in outside(node)
    }
    # the leaderboard is a rich table, and only the race imports it
    assert not at_once & LAZY - ({"rich"} if path.stem == "leaderboard" else set())


@pytest.mark.parametrize("library", DOORS)
def test_one_module_speaks_to_a_gpu_library(library: str) -> None:
    assert sum(library in outside(parsed(path)) for path in FILES) == 1


def test_only_commands_that_share_work_know_the_cluster() -> None:
    """Dask is imported only for a cluster; the package works without it."""
    for path in FILES:
        top = ast.Module([n for n in parsed(path).body if isinstance(n, ast.ImportFrom)], [])
        if room_of(dotted(path) + ".") != "cluster":
            assert not [name for name in imported(top) if name.startswith("wordpack.cluster.")]


BACKENDS = {"wordpack.baselines." + name for name in ("algorithm_x", "exact_cover", "triples")}
"""Files of baselines/ that are not a backend but a part of one baseline."""


def test_baselines_stand_alone() -> None:
    """A baseline shares no file with another one."""
    users: dict[str, set[str]] = {}
    for path in modules("baselines"):
        for name in ours(path):
            if name.startswith("wordpack.baselines."):
                users.setdefault(name, set()).add(dotted(path))
    assert set(users) == BACKENDS
    assert all(len(by) == 1 for by in users.values())


def test_the_two_counters_share_no_code() -> None:
    """They confirm each other, so neither they nor their parts import a file of kernels/."""
    parts = {}
    for name in ("subset_sums", "merged_states"):
        used = ours(ROOT / "kernels" / "counting" / f"{name}.py")
        parts[name] = {each for each in used if each.startswith("wordpack.kernels.")}
    assert parts == {
        "subset_sums": {"wordpack.kernels.counting.letter_sets"},
        "merged_states": {"wordpack.kernels.counting.state_table"},
    }


def test_every_baseline_has_its_row() -> None:
    """A backend is one file and one row of the table, and the row names an existing file."""
    from wordpack.backend.base import Backend
    from wordpack.backend.registry import ROWS

    rows = {row.backend.partition(":")[0] for row in ROWS}
    assert rows <= set(NAMES)
    baselines = {dotted(path) for path in modules("baselines") if path.stem != "__init__"}
    assert baselines - BACKENDS <= rows
    for row in ROWS:
        assert isinstance(row.load(), Backend)


ASKED = """
import sys
from wordpack.backend import registry
from wordpack.commands.main import main
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


def test_nothing_imports_bench() -> None:
    """The suite imports the package, never the reverse."""
    assert not [path for path in FILES if {"bench", "series"} & outside(parsed(path))]


def test_every_room_is_on_the_map() -> None:
    """CONTRIBUTING has a line for each room."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for room in ROOMS:
        assert f"| `{room.replace('.', '/')}" in text, room
