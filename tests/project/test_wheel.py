"""What an installation holds: the contents of a wheel, and an imported editable install."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tree import ROOT

pytestmark = pytest.mark.slow

SITE = sysconfig.get_path("purelib")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build a wheel from a copy of the sources, to leave no build folder in them."""
    folder = tmp_path_factory.mktemp("wheel")
    source = copied(folder / "source")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, source]
    subprocess.run(command, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def copied(target: Path) -> Path:
    """Copy the files that a build reads."""
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        target.mkdir(exist_ok=True)
        (target / name).write_bytes((ROOT / name).read_bytes())
    for path in sources():
        place = target / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    return target


def sources() -> list[Path]:
    """Return the package's files; a README is only for people who read the source."""
    kinds = (*(".c", ".cl", ".css", ".cu", ".gz", ".j2", ".js", ".json", ".md", ".py", ".typed"),)
    return [
        path
        for folder in ("src", "baselines", "kernels")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds and "__pycache__" not in path.parts and path.name != "README.md"
    ]


def test_nothing_but_wordpack_reaches_site_packages(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"wordpack"}


def test_the_wheel_has_every_file_of_the_package(wheel: zipfile.ZipFile) -> None:
    """It has modules, device code, lists and schemas; baselines/ and kernels/ become part of it."""
    wanted = set()
    for path in sources():
        parts = path.relative_to(ROOT).parts
        wanted.add("/".join(parts[1:] if parts[0] == "src" else ("wordpack", *parts)))
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == wanted


def test_the_wheel_names_its_licence_and_command(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert any(name.endswith("licenses/LICENSE") for name in names)
    scripts = next(name for name in names if name.endswith("entry_points.txt"))
    assert b"wordpack = wordpack.commands.main:main" in wheel.read(scripts)


def test_an_editable_install_finds_the_mapped_packages(tmp_path: Path) -> None:
    """`pip install -e .` makes both packages importable though their folders are elsewhere."""
    source = copied(tmp_path / "source")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    install = ["-m", "pip", "install", "--no-deps", "--no-build-isolation", "-e", source]
    # use setuptools from the environment that runs the tests, to need no network
    environment = os.environ | {"PYTHONPATH": SITE}
    subprocess.run([python, *install], check=True, capture_output=True, env=environment)
    find = (
        "import importlib.util as u; "
        "print(u.find_spec('wordpack.baselines.combinations').origin, u.find_spec('baselines'), "
        "u.find_spec('wordpack.kernels.counting.subset_sums').origin, u.find_spec('kernels'))"
    )
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.run(
        [python, "-c", find], check=True, capture_output=True, text=True, cwd=tmp_path, env=clean
    )
    assert found.stdout.split() == [
        *(str(source / "baselines" / "combinations.py"), "None"),
        *(str(source / "kernels" / "counting" / "subset_sums.py"), "None"),
    ]
