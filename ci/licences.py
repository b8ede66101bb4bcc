"""List the packages of ci/constraints.txt that are installed here: version, licence, what needs it.

    python ci/licences.py [--markdown]

A licence is what the package's metadata says (importlib.metadata): its SPDX expression, else its
licence classifiers, else its licence field. `run` means needed to run wordpack, `extra` needed by
an extra, and `test` needed only to build, test and check wordpack.

Exit status: 0 every package has a licence, and everything that wordpack needs to run is pinned;
1 a package has no licence or is not pinned, and is named.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PINS = Path(__file__).with_name("constraints.txt")
EXTRAS = ("cuda12", "cuda13", "dask", "opencl", "report")
"""The extras for users, not for developers of wordpack."""


def pinned() -> dict[str, str]:
    """Return the versions of ci/constraints.txt by canonical name."""
    lines = (line.partition("==") for line in PINS.read_text().splitlines() if "==" in line)
    return {canonicalize_name(name): version for name, _, version in lines}


def needs(name: str, extras: Iterable[str] = ()) -> Iterator[tuple[str, set[str]]]:
    """Yield what an installed package needs here, with the extras it asks for."""
    for line in metadata.requires(name) or ():
        need = Requirement(line)
        environments = [default_environment() | {"extra": extra} for extra in ("", *extras)]
        if need.marker is None or any(need.marker.evaluate(each) for each in environments):
            yield canonicalize_name(need.name), need.extras


def closure(extras: Iterable[str] = ()) -> set[str]:
    """Return the installed packages that wordpack with `extras` needs."""
    found: set[str] = set()
    waiting = list(needs("wordpack", extras))
    while waiting:
        name, more = waiting.pop()
        if name in found or name == "wordpack":
            continue
        found.add(name)
        try:
            waiting += needs(name, more)
        except metadata.PackageNotFoundError:
            continue
    return found


def licence(name: str) -> str | None:
    """Return an installed package's own statement of its licence in one line, or None."""
    about = metadata.metadata(name)
    said = about.get("License-Expression")
    kinds = [each for each in about.get_all("Classifier") or () if each.startswith("License ::")]
    said = said or ", ".join(each.rpartition(" :: ")[2] for each in kinds) or about.get("License")
    line = re.sub(r"\s+", " ", said or "").strip()
    return line if len(line) <= 60 else line[:57] + "..." if line else None  # noqa: PLR2004


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Yield name, version, what needs it, and licence of each pinned package, "" for none."""
    run, extra = closure(), closure(EXTRAS)
    for name, pin in pinned().items():
        role = "run" if name in run else "extra" if name in extra else "test"
        try:
            yield name, metadata.version(name), role, licence(name) or ""
        except metadata.PackageNotFoundError:
            yield name, pin, role, "not installed here"


def main() -> int:
    """Print the list; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--markdown", action="store_true")
    form = "| {} | {} | {} | {} |" if parser.parse_args().markdown else "{:<28}{:<16}{:<7}{}"
    listed = list(rows())
    for row in [("package", "version", "for", "licence"), *listed]:
        print(form.format(*row))  # noqa: T201  its purpose
        if form.startswith("|") and row[0] == "package":
            print("|---|---|---|---|")  # noqa: T201
    unnamed = [name for name, _, _, terms in listed if not terms]
    loose = sorted(closure() - set(pinned()))
    for name in unnamed:
        print(f"{name} says nothing of its licence", file=sys.stderr)  # noqa: T201
    for name in loose:
        print(f"{name} is needed to run and is not pinned", file=sys.stderr)  # noqa: T201
    return 1 if unnamed or loose else 0


if __name__ == "__main__":
    sys.exit(main())
