"""A folder that keeps the finished tasks of a run, so that another run can go on from there.

`run.json` says what is run; `done.jsonl` gets a line for each finished task, written by the client
only; packings stand beside it as .npy parts, each written whole or not at all. Whatever is killed,
a task is finished or it is not, and one that is not is run again.
"""

import fcntl
import json
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from wordpack.backend import cutting
from wordpack.cluster.parts import is_whole, said_failed
from wordpack.errors import InputError
from wordpack.system import leftovers
from wordpack.system.paths import exists
from wordpack.system.writing import replaced
from wordpack.text.output import tell

Record = dict[str, Any]
"""What is kept of a finished task; `files`, where it has any, are its parts."""

RUN, DONE = "run.json", "done.jsonl"

LOCK = "lock"
"""The file, empty and never replaced, that the process at work holds."""

DIFFER = {
    "wordpack": "it was begun by wordpack {old}, and this is {new}",
    "kind": "it is of another kind of work ({old}, and not {new})",
    "words": "it is of other words",
    "problem": "it is of another problem: its words, how many of them, or its letters differ",
    "games": "it is of other games: their answers or start words differ",
    "points": "it is of other points: shapes, words, alphabets, samples or seeds differ",
    "listing": "it keeps counts where packings are asked for, or the other way round",
    "tasks": "it was cut into {old} tasks, and not {new}",
    "plan": "its tasks are of another plan (which numpy and numba can change)",
}
"""What is said of a folder that belongs to another run, by what differs."""

NEEDED: dict[str, dict[str, type]] = {
    "search": {"backend": str, "packings": int, "solutions": int, "seconds": float},
    "sweep": {"found": list},
    "play": {"backend": str, "files": list},
}
"""What a record has, by the kind of work; one without is not of a finished task."""

LONG = 1 << 20
"""Characters of RUN, at most: it has some hundred."""


class Checkpoint:
    """The folder of one run, held by this process."""

    def __init__(self, folder: Path, identity: dict[str, Any], *, resume: bool) -> None:
        """Begin a run in `folder`, or go on with the one there is.

        `identity` are plain values, by the names of DIFFER. Raises InputError where the folder
        cannot be written, holds another run, or one that was not to be resumed.
        """
        self.folder = folder
        self.done: dict[int, Record] = {}
        """Finished tasks by number, those of earlier runs too."""
        self.lasting = True
        """Whether it is there when this process has ended."""
        self._identity = identity
        with said_failed(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not exists(folder / RUN) and any(map(_foreign, folder.iterdir())):
                raise InputError(f"{folder} is not empty: name a folder for this run alone")
        self._held = _hold(folder)
        try:
            self._begin(resume=resume)
            with said_failed(folder):
                self._journal = (folder / DONE).open("a", encoding="utf-8")
        except BaseException:
            self._held.close()
            raise

    def _begin(self, *, resume: bool) -> None:
        if exists(self.folder / RUN):
            if not resume:
                raise InputError(
                    f"{self.folder} holds a run already: go on with it by `resume`, or name "
                    "another folder"
                )
            self._go_on()
            return
        self.run = uuid.uuid4().hex
        with replaced(str(self.folder / RUN)) as stream:
            json.dump({"schema": 1, "run": self.run} | self._identity, stream, indent=1)

    def _go_on(self) -> None:
        known = _values(self.folder / RUN)
        for name, said in DIFFER.items():
            old, new = known.get(name), self._identity.get(name)
            if old != new:
                raise InputError(
                    f"{self.folder} cannot be resumed: {said.format(old=old, new=new)}; "
                    "begin in another folder"
                )
        self.run = known["run"]
        leftovers.sweep(self.folder, ".part-", ".part")
        with said_failed(self.folder), suppress(FileNotFoundError):
            # a disk that lost its power may leave any bytes
            for line in (self.folder / DONE).open(encoding="utf-8", errors="replace"):
                record = self._finished(line)
                if record is not None:
                    self.done[record["task"]] = record
        with replaced(str(self.folder / DONE)) as stream:
            stream.writelines(json.dumps(record) + "\n" for record in self.done.values())

    def _finished(self, line: str) -> Record | None:
        """Return the record in a line; None where it is not of a task that is finished."""
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return None  # it was being written when its process was killed
        if not isinstance(record, dict) or type(number := record.get("task")) is not int:
            return None
        needed = NEEDED[self._identity["kind"]]
        if "listing" in self._identity:
            needed = needed | ({"files": list} if self._identity["listing"] else {"work": dict})
        there = all(isinstance(record.get(name), kind) for name, kind in needed.items())
        if not there or not 0 <= number < self._identity["tasks"]:
            return None
        files = record.get("files", [])
        whole = isinstance(files, list) and all(is_whole(self.folder, part) for part in files)
        return record if whole else None

    def add(self, number: int, record: Record) -> None:
        """Keep a finished task."""
        with said_failed(self.folder):
            self._journal.write(json.dumps({"task": number} | record) + "\n")
            self._journal.flush()
            if not os.fstat(self._journal.fileno()).st_nlink:
                raise InputError(f"{self.folder} was removed while the run was at work in it")
        self.done[number] = record

    def close(self) -> None:
        """Let another process have the folder."""
        with suppress(OSError):
            self._journal.close()
        self._held.close()


@contextmanager
def kept(folder: str | None, identity: dict[str, Any], *, resume: bool) -> Iterator[Checkpoint]:
    """Give the checkpoint in `folder`; without one, one that is gone when the block ends."""
    if folder is not None:
        checkpoint = Checkpoint(Path(folder), identity, resume=resume)
        try:
            yield checkpoint
        finally:
            checkpoint.close()
        return
    leftovers.sweep(Path(tempfile.gettempdir()), SCRATCH)
    with said_failed(Path(tempfile.gettempdir())):
        place = Path(tempfile.mkdtemp(prefix=SCRATCH))
    held = leftovers.hold(place)
    try:
        checkpoint = Checkpoint(place / "run", identity, resume=False)
        checkpoint.lasting = False
        try:
            yield checkpoint
        finally:
            checkpoint.close()
    finally:
        shutil.rmtree(place, ignore_errors=True)
        if held is not None:
            os.close(held)


SCRATCH = "wordpack-run-"
"""How temporary folders begin."""


def _begun(folder: Path) -> dict[str, Any]:
    """Return what the run in `folder` is, plain values; nothing where there is none."""
    return _values(folder / RUN) if exists(folder / RUN) else {}


def asked_before(folder: str | None, *, resume: bool) -> int | None:
    """Return about how many tasks the run to be resumed was to be cut into; None without one."""
    known = _begun(Path(folder)).get("asked") if folder is not None and resume else None
    return known if type(known) is int and 0 < known <= cutting.MOST else None


@contextmanager
def said_kept(kept: Checkpoint, tasks: int, what: str) -> Iterator[None]:
    """Say what is kept of a run that ends by an error or Ctrl-C."""
    try:
        yield
    except BaseException:
        if kept.lasting and kept.done and exists(kept.folder):
            tell(
                f"wordpack: {len(kept.done):,} of {tasks:,} {what} are kept in {kept.folder}: "
                "--resume goes on with them"
            )
        raise


def _foreign(path: Path) -> bool:
    """Return whether a file is not what a process leaves that is killed while it begins a run."""
    return path.name != LOCK and not path.name.startswith(f".{RUN}.")


def _hold(folder: Path) -> IO[bytes]:
    """Lock the run in `folder` for this process, where its file system has locks."""
    with said_failed(folder):
        stream = (folder / LOCK).open("ab")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise InputError(
            f"another process is at work in {folder}: wait until it has ended"
        ) from None
    except OSError:
        pass  # without locks it is for the user to run one at a time
    return stream


def sees(folder: str, run: str) -> bool:
    """Return whether this process has the folder of that run."""
    try:
        return run in (Path(folder) / RUN).read_text(encoding="utf-8")
    except OSError:
        return False


def _values(path: Path) -> dict[str, Any]:
    try:
        with path.open(encoding="utf-8") as stream:
            values = json.loads(stream.read(LONG))
    except (OSError, ValueError, RecursionError):
        values = None
    if not isinstance(values, dict) or not isinstance(values.get("run"), str):
        raise InputError(f"{path} is no run of wordpack: name another folder")
    return values
