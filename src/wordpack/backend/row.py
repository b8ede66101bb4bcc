"""A row of the table of backends: its name, where its class is, the options it honours."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from wordpack.errors import InputError

if TYPE_CHECKING:
    from wordpack.backend.base import Backend, Options


@dataclass(frozen=True)
class Row:
    """A row for one backend; `auto` tries rows from the top."""

    name: str
    backend: str
    """Its class, as 'package.module:Class'."""
    algorithm: str
    """Backends of one algorithm do not confirm each other: they may share a mistake."""
    summary: str
    options: tuple[str, ...] = ()
    """The fields of Options that it honours, other than count_only."""
    workload: str = "packing"
    counts_only: bool = False
    """It only counts: it refuses every problem without count_only."""
    slices: bool = False
    """It can cut a search into slices (`cut`) and run one (`prepare_slice`), for clusters."""
    needs: str = ""
    """The library that it needs besides numpy, one of those in `wordpack.racing.trial`."""
    start_up: float = 0.0
    """For a device, the seconds to open it: 'auto' skips it if another backend is faster."""
    host: str = ""
    """For a device, the host class that the backend is constructed with."""
    distribution: str = ""
    """The package that it comes from, with its version, if it is not ours."""
    file: str = ""
    """The Python file with the class, if perhaps no importable module has it."""
    pickled: str = ""
    """The class pickled with cloudpickle, in base64, if no file has it, as in a notebook."""

    def load(self) -> Backend:
        """Import the backend and return it; a process has one instance of it."""
        return _loaded(self.backend, self.host, self.file, self.pickled)

    def using(self) -> str:
        """Return what `probe` says it would run on, after the package that it comes from."""
        said = self.load().probe()
        return f"{self.distribution}: {said}" if self.distribution else said

    def check(self, options: Options) -> None:
        """Raise InputError if an option was given that this backend ignores."""
        for option in self.ignored(options):
            raise InputError(
                f"{self.name} does not support `{option}`: leave it out, "
                "or choose another `backend`"
            )

    def ignored(self, options: Options) -> list[str]:
        """Return the names of the given options that this backend ignores."""
        return [option for option in options.given() if option not in self.options]

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain values, for another process."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Row:
        """Return the row that `to_json` made these plain values from."""
        return cls(**(values | {"options": tuple(values["options"])}))

    def honoured(self, options: Options) -> Options:
        """Return `options` without those that this backend ignores."""
        ignored: dict[str, Any] = dict.fromkeys(self.ignored(options))
        return replace(options, **ignored)


@cache
def _loaded(backend: str, host: str, file: str, pickled: str) -> Backend:
    kind = _own(backend, file, pickled) if file or pickled else resolve_name(backend)
    made: Backend = kind(*([resolve_name(host)()] if host else []))
    return made


def _own(backend: str, file: str, pickled: str) -> Any:
    """Return a backend's class from a script, a module near it, or a notebook's pickle."""
    # slow to import, and no other backend needs them
    import pickle
    from base64 import b64decode
    from operator import attrgetter
    from runpy import run_path
    from types import SimpleNamespace

    if pickled:
        return pickle.loads(b64decode(pickled))  # noqa: S301  the caller's own class
    module, _, name = backend.partition(":")
    if module != "__main__" or getattr(sys.modules[module], "__file__", None) == file:
        with suppress(ModuleNotFoundError):
            return resolve_name(backend)
    # as multiprocessing does, so that code under `if __name__ == "__main__"` does not run again
    return attrgetter(name)(SimpleNamespace(**run_path(file, run_name="__mp_main__")))
