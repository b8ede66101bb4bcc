"""Files that another user of the machine could have written are never run or overwritten."""

import hashlib
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from wordpack.compiled import code_cache
from wordpack.compiled.jit import Kernel
from wordpack.kernels.device.pocl_cache import PoclCache
from wordpack.system.writing import replaced

pytestmark = pytest.mark.slow

OTHER = 12345
"""A user number that is neither root's nor ours."""

PLANTED, OURS = b"planted", b"ours"


@pytest.fixture
def shared() -> Iterator[Path]:
    """Return a folder that others can enter, inside one to which everyone can write."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(os.path.realpath(name))
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def cache(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return our cache folder, with planted code in the file `name`."""
    place = shared / "above" / "cache"
    place.mkdir(parents=True)
    for path in (place, place.parent):
        path.chmod(0o755)
    (place / "name").write_bytes(hashlib.sha256(PLANTED).hexdigest().encode() + b"\n" + PLANTED)
    (place / "name").chmod(0o644)
    monkeypatch.setenv(code_cache.CACHE, str(place))
    return place


def found() -> bytes:
    """Return the code that would be run; it is made if no trusted file has it."""
    return code_cache.once("name", lambda: OURS)


def content(folder: Path) -> dict[str, bytes]:
    """Return the content of the folder's files, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it another user's: by chown as root, else by changing who we seem to be."""
    if os.geteuid() == 0:
        os.chown(path, OTHER, OTHER)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)


@pytest.mark.usefixtures("cache")
def test_code_in_a_folder_of_ours_is_used() -> None:
    """Even planted code is used; without this check, the tests below would prove nothing."""
    assert found() == PLANTED
    assert code_cache.for_children() == {}


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o1777])
def test_a_folder_that_others_can_write_to(
    cache: Path, caplog: pytest.LogCaptureFixture, mode: int
) -> None:
    """Its code is not used, nothing is added to it, and one warning says why."""
    cache.chmod(mode)
    before = content(cache)
    assert found() == found() == OURS
    assert content(cache) == before
    assert code_cache.for_children() == {code_cache.CACHE: os.devnull}
    (said,) = caplog.messages
    assert f"other users can write to {cache}" in said
    assert code_cache.CACHE in said


@pytest.mark.parametrize("mode", [0o775, 0o757])
def test_a_folder_in_one_that_others_can_write_to(
    cache: Path, caplog: pytest.LogCaptureFixture, mode: int
) -> None:
    """Others could replace the folder."""
    cache.parent.chmod(mode)
    assert found() == OURS
    assert f"other users can write to {cache.parent}," in caplog.text


def test_a_folder_in_a_sticky_one(cache: Path) -> None:
    """As in /tmp, others can add files to it but replace none."""
    cache.parent.chmod(0o1777)
    assert found() == PLANTED


@pytest.mark.parametrize("above", [False, True])
def test_a_folder_of_another_user(
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    *,
    above: bool,
) -> None:
    """Another user may have taken the folder's name in /tmp first."""
    give_away(cache.parent if above else cache, monkeypatch)
    assert found() == OURS
    (said,) = caplog.messages
    assert "belongs to another user" in said


def test_a_link_to_another_folder(
    cache: Path, shared: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link's target and the folders above it are what counts."""
    cache.chmod(0o777)
    (shared / "link").symlink_to(cache)
    monkeypatch.setenv(code_cache.CACHE, str(shared / "link"))
    assert found() == OURS
    assert f"{cache}," in caplog.text


def test_a_folder_below_one_that_nobody_else_enters(cache: Path) -> None:
    """Group permissions do not matter there, as in a home of mode 700 with umask 002."""
    cache.chmod(0o775)
    cache.parent.chmod(0o700)
    assert found() == PLANTED


@pytest.mark.parametrize("whose", ["everybody's", "another's"])
def test_a_file_that_another_could_have_written(
    cache: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    """The code is made again, and our file replaces it."""
    file = cache / "name"
    if whose == "everybody's":
        file.chmod(0o666)
    elif os.geteuid():
        pytest.skip("only root can give a file away")
    else:
        give_away(file, monkeypatch)
    assert found() == OURS
    assert (file.stat().st_uid, stat.S_IMODE(file.stat().st_mode)) == (os.geteuid(), 0o600)
    assert code_cache.read("name") == OURS


def test_what_is_made_is_for_us_alone(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file and new folders above it are private, whatever the umask."""
    place = shared / "home" / ".cache" / "wordpack"
    monkeypatch.setenv(code_cache.CACHE, str(place))
    before = os.umask(0)
    try:
        code_cache.keep("name", OURS)
    finally:
        os.umask(before)
    assert code_cache.read("name") == OURS
    for path in (place, *list(place.parents)[:2]):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE((place / "name").stat().st_mode) == 0o600


def test_a_link_under_the_name_of_an_unfinished_file(cache: Path) -> None:
    """The link is not followed: nothing is kept, and its target is unchanged."""
    (cache / "name").unlink()
    (cache.parent / "precious").write_text("kept")
    (cache / f".name.{os.getpid()}").symlink_to(cache.parent / "precious")
    assert found() == OURS
    assert (cache.parent / "precious").read_text() == "kept"


def honest(number: int) -> int:
    """Return the number."""
    return number


def planted(number: int) -> int:
    """Return a number that `honest` never returns."""
    return -number


def test_machine_code_of_another_is_not_run(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code of `planted`, stored as that of `honest`, is run only if the file is ours."""
    files = {}
    for function in (honest, planted):
        place = shared / function.__name__
        monkeypatch.setenv(code_cache.CACHE, str(place))
        Kernel(function)
        (files[function.__name__],) = place.iterdir()
    files["honest"].write_bytes(files["planted"].read_bytes())
    monkeypatch.setenv(code_cache.CACHE, str(shared / "honest"))
    assert Kernel(honest)(7) == -7
    (shared / "honest").rename(shared / "another's")
    (shared / "another's").chmod(0o777)
    monkeypatch.setenv(code_cache.CACHE, str(shared / "another's"))
    assert Kernel(honest)(7) == 7


def test_root_with_the_home_of_a_user(shared: Path) -> None:
    """`sudo` can keep HOME: the answer is right, and the user's cache is not touched."""
    if os.geteuid():
        pytest.skip("only root can act for two users")
    home = shared / "home"
    (home / ".cache" / "wordpack").mkdir(parents=True)
    for path in (home, home / ".cache", home / ".cache" / "wordpack"):
        os.chown(path, OTHER, OTHER)
    environment = {**os.environ, "HOME": str(home)}
    for name in (code_cache.CACHE, "XDG_CACHE_HOME"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "wordpack", "solve", "toy"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "5 packings, 10 solutions" in done.stderr
    assert done.stderr.count(f"wordpack: {home} belongs to another user") == 1
    assert not list((home / ".cache" / "wordpack").iterdir())


def test_a_race_warns_once(shared: Path) -> None:
    """Its child processes also keep nothing, and do not warn."""
    shared.chmod(0o777)
    command = [sys.executable, "-m", "wordpack", "race", "toy", "--budget", "1", "--repeat", "1"]
    command += ["--backend", "filtered_lists", "--backend", "filtered_arrays"]
    environment = os.environ | {code_cache.CACHE: str(shared)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stderr.count("other users can write to") == 1
    assert not list(shared.iterdir())


@pytest.mark.parametrize("mode", [0o700, 0o777])
def test_the_kernels_of_pocl(shared: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    """A correctly sealed folder is trusted only if nobody else can write to it."""
    for name in ("POCL_CACHE_DIR", "POCL_KERNEL_CACHE"):
        monkeypatch.delenv(name, raising=False)
    kept = shared / "pocl"
    first = PoclCache(kept)
    with first.in_use():
        (Path(os.environ["POCL_CACHE_DIR"]) / "kernel.so").write_bytes(b"code")
    first.seal()
    kept.chmod(mode)
    with PoclCache(kept).in_use():
        assert (os.environ["POCL_CACHE_DIR"] == str(kept)) == (mode == 0o700)


def test_links_that_wait_for_our_files(shared: Path) -> None:
    """In a shared folder nobody can predict the temporary name of a file being written."""
    (shared / "precious").write_text("kept")
    (shared / f".rows.{os.getpid()}.part").symlink_to("precious")
    with replaced(str(shared / "rows")) as stream:
        stream.write("new")
    assert (shared / "precious").read_text() == "kept"
    assert (shared / "rows").read_text() == "new"
    assert not (shared / "rows").is_symlink()


RUNS = """
import sys
from wordpack.commands.main import main
if __name__ == "__main__":
    sys.exit(main())
"""

MARKS = """
import os, sys
with open(os.environ["MARKS"], "a") as marks:
    print(__name__, sys.orig_argv, file=marks)
raise ImportError("planted")
"""

PACKAGES = ("click", "cloudpickle", "dask", "distributed", "llvmlite", "numba", "numpy", "rich")


@pytest.mark.parametrize(
    "arguments",
    [
        ["race", "toy", "--budget", "1", "--backend", "filtered_lists"],
        ["solve", "toy", "--cluster", "local:1"],
        None,
    ],
    ids=["race", "cluster", "control"],
)
def test_modules_in_the_current_folder(shared: Path, arguments: list[str] | None) -> None:
    """No process of a command imports modules from there, such as /tmp; `python -c` does."""
    (shared / "bin").mkdir()
    (shared / "bin" / "run.py").write_text(RUNS)
    (shared / "here").mkdir()
    for name in {*sys.stdlib_module_names, *PACKAGES}:
        (shared / "here" / f"{name}.py").write_text(MARKS)
    environment = {**os.environ, "MARKS": str(shared / "marks")}
    environment.pop("PYTHONSAFEPATH", None)
    asked = [str(shared / "bin" / "run.py"), *arguments] if arguments else ["-c", "import json"]
    done = subprocess.run(
        [sys.executable, *asked],
        capture_output=True,
        text=True,
        check=False,
        cwd=shared / "here",
        env=environment,
    )
    if arguments is None:
        assert "json" in (shared / "marks").read_text()
        return
    assert not (shared / "marks").exists()
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("asked", [False, True])
def test_the_files_of_local_workers(
    shared: Path, monkeypatch: pytest.MonkeyPatch, *, asked: bool
) -> None:
    """They are in a private folder, removed with them; Dask's usual folder may be a trap."""
    dask = pytest.importorskip("dask")
    pytest.importorskip("distributed")
    from wordpack.cluster.connection import SCRATCH, connected

    if asked:
        monkeypatch.setitem(dask.config.config, SCRATCH, str(shared))
    else:
        monkeypatch.setattr(tempfile, "tempdir", str(shared))
        monkeypatch.setenv("TMPDIR", str(shared))
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    (shared / "dask-scratch-space").mkdir()
    (shared / "dask-scratch-space").chmod(0o777)
    with connected("local:1") as client:
        used = [
            *client.run(lambda dask_worker: dask_worker.local_directory).values(),
            client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.local_directory),
        ]
        (ours,) = (path for path in shared.iterdir() if path.name != "dask-scratch-space")
        assert stat.S_IMODE(ours.stat().st_mode) == 0o700
        assert all(ours in Path(folder).parents for folder in used)
        assert not list((shared / "dask-scratch-space").iterdir())
    assert [path.name for path in shared.iterdir()] == ["dask-scratch-space"]
    assert "PYTHONSAFEPATH" not in os.environ
