"""Count many problems at once: shapes, lists, alphabets, random samples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Unpack

from wordpack.errors import InputError
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN
from wordpack.library.clusters import Cluster, planned
from wordpack.library.problems import Words, source_of
from wordpack.library.showing import data_frame, html_table, refuse_unknown
from wordpack.solving import sweep_counting
from wordpack.solving.sample import Sample
from wordpack.solving.spec import Source
from wordpack.solving.sweep import Axes
from wordpack.solving.sweep_counting import FIELDS
from wordpack.text.formatting import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHAPE = re.compile(r"([0-9]{1,30})x([0-9]{1,30})")

LIST = "words_alpha"
"""The default word list."""

SHOWN = 20
"""Number of rows that a notebook shows."""


class Rows(list[dict[str, Any]]):
    """The rows of a sweep, one dict per problem, with the columns of `wordpack sweep`."""

    def to_pandas(self) -> object:
        """Return a pandas DataFrame with a row per problem."""
        return data_frame([tuple(row.values()) for row in self], FIELDS)

    def __repr__(self) -> str:
        """Say in one line how many problems were counted."""
        return f"<sweep of {counted(len(self), 'problem')}>"

    def _repr_html_(self) -> str:
        """Show the first rows as a table."""
        rows = [tuple(row.values()) for row in self[:SHOWN]]
        return html_table(repr(self)[1:-1], FIELDS, rows, len(self) - len(rows))


def sweep(
    *shapes: str,
    lists: Sequence[Words] = (),
    letters: Sequence[str] = (),
    without_each: bool = False,
    samples: Sequence[str | float] = (),
    seeds: int = 1,
    encoding: str = "utf-8",
    **cluster: Unpack[Cluster],
) -> Rows:
    """Count every problem of the given shapes, lists, alphabets and samples by two algorithms.

    `shapes` are '5x5', '4x6', ...; `lists` are names of embedded lists, Paths, or iterables of
    words (default: words_alpha). `without_each` also sweeps each alphabet without each letter in
    turn. `samples` are shares of a list (0.25) or numbers of words (2000); each is drawn with the
    seeds 0 to `seeds` - 1. With `cluster`, the workers of a Dask cluster share the problems.
    Raises InputError for bad input.

    Examples
    --------
    >>> from wordpack import sweep
    >>> [row["packings"] for row in sweep("2x3", lists=[["cat", "dog", "pig"]])]
    [2]
    """
    refuse_unknown("sweep", cluster, Cluster.__optional_keys__)
    sources = [source_of(each, encoding) for each in lists]
    texts = [each if isinstance(each, str) else repr(each) for each in samples]
    axes = axes_of(shapes, sources, letters, without_each=without_each, samples=texts, seeds=seeds)
    plan = planned(cluster)
    if plan is None:
        return Rows(sweep_counting.sweep(axes))
    from wordpack.cluster.sweeping import sweep_on

    return Rows(sweep_on(plan.address, axes, plan.sharing, plan.certificates).rows)


def axes_of(
    shapes: Iterable[str],
    sources: Iterable[Source],
    letters: Iterable[str],
    *,
    without_each: bool,
    samples: Iterable[str],
    seeds: int,
) -> Axes:
    """Return the axes of a sweep; raise InputError for bad input."""
    pairs = []
    for text in shapes:
        shape = SHAPE.fullmatch(text)
        if shape is None:
            raise InputError(
                f"{text} is not a shape: give COUNTxLETTERS, such as 5x5, and lists by `list` NAME"
            )
        pairs.append((int(shape[1]), int(shape[2])))
    if not pairs:
        raise InputError("a sweep needs at least one shape, such as 5x5")
    alphabets = dict.fromkeys(Alphabet(each).spelled for each in tuple(letters) or (LATIN,))
    return Axes(
        tuple(dict.fromkeys(pairs)),
        tuple(dict.fromkeys(tuple(sources) or (Source(LIST),))),
        tuple(alphabets),
        without_each,
        tuple(dict.fromkeys(map(Sample, samples))),
        seeds,
    )
