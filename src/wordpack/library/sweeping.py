"""Many problems counted at once: shapes, lists, alphabets, random samples."""

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
"""The list if none is named."""

SHOWN = 20
"""Rows that a notebook shows."""


class Rows(list[dict[str, Any]]):
    """A row for each problem of a sweep, a dict with the columns that `wordpack sweep` writes."""

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
    """Count every problem of some shapes, lists, alphabets and samples, each by two algorithms.

    `shapes` are '5x5', '4x6', ...; `lists` are embedded lists by name, Paths, or iterables of words
    (default: words_alpha). With `without_each` each alphabet is also swept without each of its
    letters. `samples` are shares of a list (0.25) or numbers of words (2000), and each is drawn
    with the seeds 0 to `seeds` - 1. With `cluster` the workers of a Dask cluster share the
    problems. Raises InputError for bad input.

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
    """Return what a sweep goes over; InputError for what it cannot."""
    pairs = []
    for text in shapes:
        shape = SHAPE.fullmatch(text)
        if shape is None:
            raise InputError(
                f"{text} is no shape: give COUNTxLETTERS, as 5x5, and lists by `list` NAME"
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
