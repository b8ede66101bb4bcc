"""A folder that keeps the finished tasks of a run, so that a later run can resume it.

`run.json` describes the run. Only the client writes `done.jsonl`, one line per finished task.
Packings are in .npy parts in the same folder, each written atomically. A task is either finished
or not, whatever was killed, and an unfinished task is run again.
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
"""What is kept of a finished task; its parts, if it has any, are in `files`."""

RUN, DONE = "run.json", "done.jsonl"

LOCK = "lock"
"""The file that the running process locks; it is empty and never replaced."""

DIFFER = {
    "wordpack": "it was started by wordpack {old}, and this is {new}",
    "kind": "it holds another kind of work ({old}, not {new})",
    "words": "its words differ",
    "problem": "its problem differs: the words, how many of them, or the letters",
    "games": "its games differ: the answers or start words",
    "points": "its points differ: the shapes, words, alphabets, samples or seeds",
    "listing": "it keeps counts and this run lists packings, or the other way round",
    "tasks": "it was cut into {old} tasks, not {new}",
    "plan": "its tasks were cut differently (another numpy or numba can cause that)",
}
"""Why a folder that belongs to another run cannot be resumed, by what differs."""

NEEDED: dict[str, dict[str, type]] = {
    "search": {"backend": str, "packings": int, "solutions": int, "seconds": float},
    "sweep": {"found": list},
    "play": {"backend": str, "files": list},
}
"""The fields of a finished task's record, by the kind of work."""

LONG = 1 << 20
"""The most characters read of RUN, which has a few hundred."""


class Checkpoint:
    """The folder of one run, held by this process."""

    def __init__(self, folder: Path, identity: dict[str, Any], *, resume: bool) -> None:
        """Begin a run in `folder`, or resume the run in it.

        `identity` holds plain values by the names of DIFFER. Raises InputError if the folder
        cannot be written, holds another run, or holds any run and `resume` is False.
        """
        self.folder = folder
        self.done: dict[int, Record] = {}
        """Finished tasks by number, including those of earlier runs."""
        self.lasting = True
        """Whether the folder outlives this process."""
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
                    f"{self.folder} already holds a run: continue it with `resume`, or name "
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
            # after a power failure the file may hold any bytes
            for line in (self.folder / DONE).open(encoding="utf-8", errors="replace"):
                record = self._finished(line)
                if record is not None:
                    self.done[record["task"]] = record
        with replaced(str(self.folder / DONE)) as stream:
            stream.writelines(json.dumps(record) + "\n" for record in self.done.values())

    def _finished(self, line: str) -> Record | None:
        """Return the record in a line; None unless the line records a finished task."""
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return None  # the process was killed while it wrote this line
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
                raise InputError(f"{self.folder} was removed during the run")
        self.done[number] = record

    def close(self) -> None:
        """Release the folder to other processes."""
        with suppress(OSError):
            self._journal.close()
        self._held.close()


@contextmanager
def kept(folder: str | None, identity: dict[str, Any], *, resume: bool) -> Iterator[Checkpoint]:
    """Give the checkpoint in `folder`; without a folder, one that is deleted after the block."""
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
"""How the names of temporary folders begin."""


def _begun(folder: Path) -> dict[str, Any]:
    """Return the plain values that describe the run in `folder`; empty if it holds no run."""
    return _values(folder / RUN) if exists(folder / RUN) else {}


def asked_before(folder: str | None, *, resume: bool) -> int | None:
    """Return about how many tasks the run to be resumed had asked for; None if unknown."""
    known = _begun(Path(folder)).get("asked") if folder is not None and resume else None
    return known if type(known) is int and 0 < known <= cutting.MOST else None


@contextmanager
def said_kept(kept: Checkpoint, tasks: int, what: str) -> Iterator[None]:
    """Tell the user what is kept if the run ends by an error or Ctrl-C."""
    try:
        yield
    except BaseException:
        if kept.lasting and kept.done and exists(kept.folder):
            tell(
                f"wordpack: {len(kept.done):,} of {tasks:,} {what} are kept in {kept.folder}: "
                "continue with --resume"
            )
        raise


def _foreign(path: Path) -> bool:
    """Return whether a file cannot be left from a process that was killed as it began a run."""
    return path.name != LOCK and not path.name.startswith(f".{RUN}.")


def _hold(folder: Path) -> IO[bytes]:
    """Lock the run in `folder` for this process, if the file system has locks."""
    with said_failed(folder):
        stream = (folder / LOCK).open("ab")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise InputError(f"another process is using {folder}: wait until it ends") from None
    except OSError:
        pass  # without locks the user must run one process at a time
    return stream


def sees(folder: str, run: str) -> bool:
    """Return whether this process can read the folder of that run."""
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
        raise InputError(f"{path} is not a wordpack run: name another folder")
    return values
