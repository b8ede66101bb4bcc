"""A row of the table of backends: a name, where its class is, and which options it honours."""

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
    """One backend. `auto` tries rows from the top."""

    name: str
    backend: str
    """Its class, as 'package.module:Class'."""
    algorithm: str
    """Two backends of one algorithm may share its mistake: they do not confirm each other."""
    summary: str
    options: tuple[str, ...] = ()
    """The fields of Options that it honours beside count_only."""
    workload: str = "packing"
    counts_only: bool = False
    """It counts packings and finds none: it takes no problem without count_only."""
    slices: bool = False
    """It cuts a search into slices (`cut`) and runs one (`prepare_slice`), for clusters."""
    needs: str = ""
    """The library that it needs beside numpy: one of those in `wordpack.racing.trial`."""
    start_up: float = 0.0
    """A device's: seconds to open it, so that 'auto' lets it be where another needs less."""
    host: str = ""
    """Of a backend on devices, the class of what reaches them, which it is made with."""
    distribution: str = ""
    """The package that it is from, with its version, if it is none of ours."""
    file: str = ""
    """A Python file that has the class, if it may be in no module that can be imported."""
    pickled: str = ""
    """The class by cloudpickle, in base64, if it is in no file: a notebook's."""

    def load(self) -> Backend:
        """Import the backend; the same one in all of a process."""
        return _loaded(self.backend, self.host, self.file, self.pickled)

    def using(self) -> str:
        """Return what it would run on, with versions, as `probe` does, and the package."""
        said = self.load().probe()
        return f"{self.distribution}: {said}" if self.distribution else said

    def check(self, options: Options) -> None:
        """Raise InputError for an option that was given and that this backend ignores."""
        for option in self.ignored(options):
            raise InputError(
                f"{self.name} does not support `{option}`: leave it out, "
                "or choose another `backend`"
            )

    def ignored(self, options: Options) -> list[str]:
        """Return the names of the options that were given and that this backend ignores."""
        return [option for option in options.given() if option not in self.options]

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain values, for another process."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Row:
        """Return the row of which `to_json` made these plain values."""
        return cls(**(values | {"options": tuple(values["options"])}))

    def honoured(self, options: Options) -> Options:
        """Return `options` without those that this backend has no use for."""
        ignored: dict[str, Any] = dict.fromkeys(self.ignored(options))
        return replace(options, **ignored)


@cache
def _loaded(backend: str, host: str, file: str, pickled: str) -> Backend:
    kind = _own(backend, file, pickled) if file or pickled else resolve_name(backend)
    made: Backend = kind(*([resolve_name(host)()] if host else []))
    return made


def _own(backend: str, file: str, pickled: str) -> Any:
    """Return the class of a backend that a script, a module near it or a notebook has."""
    # these take start-up time that no other backend needs
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
    # as multiprocessing does: what is under `if __name__ == "__main__"` does not run again
    return attrgetter(name)(SimpleNamespace(**run_path(file, run_name="__mp_main__")))
