"""Write a page for each backend: its module's docstring, and pictures of its own counters.

Every backend searches a toy problem during the build. A new row in the table of backends, or a
better docstring, needs no change here.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import search_pictures
import wordpack
from wordpack.backend import registry
from wordpack.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

    from wordpack.backend.row import Row

FOLDER = Path(__file__).parent / "algorithms"

TRIPLES = "partitioned_triples"
"""It only takes one answer and six guesses, so it has a toy problem of its own."""

LETTERS = 3
"""Different letters of its words, at most."""

START = "slant"
"""The start word of the games that are drawn."""

PAGE = """\
# {name}

{text}

## What it does with {problem}

{pictures}

{how}

## Its class

Options: {options}. {lists}

{described}
"""

CLASS = """\
```{{eval-rst}}
.. autoclass:: {module}.{kind}
   :members: accepts, prepare
```
"""


def write_pages(_app: Sphinx) -> None:
    """Write a page for each backend, and remove those of backends that are gone."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for row in registry.ROWS:
        (FOLDER / f"{row.name}.md").write_text(page(row), encoding="utf-8")


def page(row: Row) -> str:
    """Return the Markdown page of a backend."""
    problem, pictures, how = games(row) if row.workload == "play" else packings(row)
    module, _, kind = row.backend.partition(":")
    first = next(each.name for each in registry.ROWS if each.backend == row.backend)
    described = CLASS.format(module=module, kind=kind)
    if first != row.name:
        described = f"It is the class of [{first}]({first}.md) with another library."
    return PAGE.format(
        name=row.name,
        text=docstring(row),
        problem=problem,
        pictures=pictures,
        how=how,
        options=", ".join(f"`{option}`" for option in row.options) or "`count_only` alone",
        lists="It counts packings and lists none." if row.counts_only else "",
        described=described,
    )


def docstring(row: Row) -> str:
    """Return the module's docstring as Markdown: its last lines (Cost:, Source:) become a list."""
    module = inspect.getmodule(type(row.load()))
    text = inspect.getdoc(module) or ""
    for label in ("Cost:", "Memory", "Source:", "Departures"):
        text = text.replace(f"\n{label}", f"\n\n{label}")
    return text


def packings(row: Row) -> tuple[str, str, str]:
    """Return the problem that a backend has searched, its pictures, and how to repeat them."""
    ran, work = counters(row)
    picture = search_pictures.tree(work)
    if row.name == TRIPLES:
        problem = "a small answer-and-guesses problem"
        said = (
            f"Searched: one of Wordle's answers and six guesses, words with at most {LETTERS} "
            "different letters."
        )
    else:
        problem = "toy"
        said = f"Repeat it with `wordpack solve toy --backend {ran} --work`" + (
            " and `--count-only`." if row.counts_only else "."
        )
        others = {
            each.name: sum(counters(each)[1].values())
            for each in registry.of_workload("packing")
            if each.name != TRIPLES
        }
        picture += search_pictures.comparison(others, row.name)
    if ran != row.name:
        said += f" {row.name} cannot run here; {ran} walks the same tree, and was drawn."
    return problem, picture, said


@cache
def counters(row: Row) -> tuple[str, dict[str, int]]:
    """Return a backend's counters on the toy problem, and which of its algorithm ran."""
    ran = usable([row, *(each for each in registry.ROWS if each.algorithm == row.algorithm)])
    if row.counts_only:
        return ran, wordpack.count("toy", backend=ran, work=True).work
    if row.name != TRIPLES:
        return ran, wordpack.solve("toy", backend=ran, work=True).work
    guesses, answers = (
        [word for word in wordpack.words(name, 5) if len(set(word)) <= LETTERS]
        for name in ("wordle", "answers-2331")
    )
    found = wordpack.solve(answers=answers, guesses=guesses, count=6, backend=ran, work=True)
    return ran, found.work


def games(row: Row) -> tuple[str, str, str]:
    """Return which games a backend has played, the picture of their rounds, and how to repeat."""
    ran = usable([row, registry.row("game_tree")])
    played = wordpack.play_all(start=START, backend=ran)
    said = f"Repeat it with `wordpack play --start {START} --backend {ran}`."
    if ran != row.name:
        said += f" {row.name} cannot run here; {ran} plays the same games."
    return f"all games that begin with {START}", search_pictures.rounds(played.distribution), said


def usable(rows: Iterable[Row]) -> str:
    """Return the name of the first backend that can run on this machine."""
    for row in rows:
        with suppress(Unavailable):
            row.load().probe()
            return row.name
    raise Unavailable("no backend of this algorithm can run here: pip install 'wordpack[opencl]'")


def list_pages(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the pages to the table of contents of docs/algorithms.md."""
    if page == "docs/algorithms":
        names = "\n".join(f"algorithms/{row.name}" for row in registry.ROWS)
        source[0] += f"\n```{{toctree}}\n:hidden:\n{names}\n```\n"


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call it before it looks for pages."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", list_pages)
    return {"parallel_read_safe": True}
