"""Realization against itertools.product: every choice of words, each once, in printing order."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_text
from wordpack.lexicon.signature import Signatures, group
from wordpack.packing import realization
from wordpack.packing.answer import Packings
from wordpack.packing.problem import Group, Problem

DANISH = "abcdefghijklmnopqrstuvwxyzæøå"
Words = tuple[str, ...]


class Case:
    """Packings over word lists, with the words of each mask found independently."""

    def __init__(
        self, lists: list[list[str]], counts: list[int], letters: str, *, apart: bool
    ) -> None:
        self.letters = letters
        alphabet = Alphabet(letters)
        self.signatures: list[Signatures] = [
            group(read_text("\n".join(words), "a test", alphabet), keep_anagrams=apart)
            for words in lists
        ]
        self.classes = [[[word] for word in words] if apart else classes(words) for words in lists]
        self.counts = counts
        groups = tuple(
            Group(own.masks, count, own.weights)
            for own, count in zip(self.signatures, counts, strict=True)
        )
        self.problem = Problem(groups, len(letters))

    def packings(self, rows: list[tuple[tuple[int, ...], ...]]) -> Packings:
        """Return packings with these indices."""
        tables = tuple(
            np.array([row[g] for row in rows], np.int32).reshape(len(rows), count)
            for g, count in enumerate(self.counts)
        )
        return Packings(self.problem, tables, len(rows))

    def key(self, row: Words) -> list[list[int]]:
        """Return a sort key in the alphabet's order; '/' comes before every letter."""
        return [[("/" + self.letters).index(letter) for letter in word] for word in row]

    def choices(self, row: tuple[tuple[int, ...], ...]) -> Iterator[Words]:
        """Yield each choice of words for one packing, words sorted inside their group."""
        pools = [self.classes[g][i] for g, picked in enumerate(row) for i in picked]
        for words in itertools.product(*pools):
            chosen, flat = list(words), []
            for count in self.counts:
                flat += sorted(chosen[:count], key=lambda word: self.key((word,)))
                del chosen[:count]
            yield tuple(flat)

    def joined(self, row: tuple[tuple[int, ...], ...]) -> Words:
        """Return one packing as each mask's words joined by '/', sorted by the first of them."""
        flat: list[str] = []
        for g, picked in enumerate(row):
            sets = [sorted(self.classes[g][i], key=lambda word: self.key((word,))) for i in picked]
            flat += ["/".join(words) for words in sorted(sets, key=lambda s: self.key((s[0],)))]
        return tuple(flat)


def classes(words: list[str]) -> list[list[str]]:
    """Return the words grouped by their letters, in the order of the groups' first words."""
    found: dict[frozenset[str], list[str]] = {}
    for word in words:
        found.setdefault(frozenset(word), []).append(word)
    return list(found.values())


@st.composite
def cases(draw: st.DrawFn) -> tuple[Case, list[tuple[tuple[int, ...], ...]]]:
    letters = draw(st.sampled_from(["åbøæa", "abcde", DANISH]))
    apart = draw(st.booleans())
    word = st.text(st.sampled_from(letters[:2] + letters[-2:]), min_size=1, max_size=3)
    lists = draw(
        st.lists(st.lists(word, min_size=1, max_size=9, unique=True), min_size=1, max_size=2)
    )
    sizes = [len(words) if apart else len(classes(words)) for words in lists]
    counts = [draw(st.integers(0, min(3, size))) for size in sizes]
    row = st.tuples(
        *(
            st.lists(st.integers(0, size - 1), min_size=count, max_size=count, unique=True)
            for size, count in zip(sizes, counts, strict=True)
        )
    ).map(lambda picked: tuple(map(tuple, picked)))
    rows = draw(st.lists(row, max_size=4, unique_by=lambda r: tuple(tuple(sorted(p)) for p in r)))
    return Case(lists, counts, letters, apart=apart), rows


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(cases())
def test_solutions_are_all_choices_of_words_in_printing_order(
    drawn: tuple[Case, list[tuple[tuple[int, ...], ...]]],
) -> None:
    """Rows sorted by words, groups in order, words in the alphabet's order inside a group."""
    case, rows = drawn
    packings = case.packings(rows)
    expected = sorted((words for row in rows for words in case.choices(row)), key=case.key)
    table = realization.solution_ranks(packings, case.signatures)
    labels = realization.solution_labels(packings, case.signatures)
    assert list(realization.to_words(table, labels)) == expected
    assert packings.solutions() == len(expected)
    lazy = realization.solutions(packings, case.signatures)
    assert sorted(lazy, key=case.key) == expected


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(cases())
def test_packing_rows_name_every_word_of_each_mask(
    drawn: tuple[Case, list[tuple[tuple[int, ...], ...]]],
) -> None:
    """A mask's words are sorted and joined by '/'; masks and rows sort by their first words."""
    case, rows = drawn
    packings = case.packings(rows)
    table = realization.packing_ranks(packings, case.signatures)
    labels = realization.packing_labels(packings, case.signatures)

    def by_first_words(row: Words) -> list[list[int]]:
        return case.key(tuple(cell.split("/")[0] for cell in row))

    expected = sorted(map(case.joined, rows), key=by_first_words)
    assert list(realization.to_words(table, labels)) == expected


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(cases(), st.integers(1, 6))
def test_blocks_respect_their_limit(
    drawn: tuple[Case, list[tuple[tuple[int, ...], ...]]], limit: int
) -> None:
    """Every packing comes once and in order, in the longest runs that the limit allows."""
    case, rows = drawn
    blocks = list(realization.blocks(case.packings(rows), limit))
    assert all(len(block) == 1 or block.solutions() <= limit for block in blocks)
    assert all(len(block) for block in blocks)
    for block, following in itertools.pairwise(blocks):
        first = next(following.split(1))
        assert block.solutions() + first.solutions() > limit
    tables = [
        tuple(map(tuple, (table[i].tolist() for table in block.rows)))
        for block in blocks
        for i in range(len(block))
    ]
    assert tables == rows


def test_danish_words_sort_as_danes_sort_them() -> None:
    """The alphabet ends with æ, ø, å in this order, unlike their code points."""
    case = Case([["ål", "øl", "æl", "åh", "zu"]], [2], DANISH, apart=False)
    packings = case.packings([((0, 4),), ((1, 3),), ((2, 3),)])
    assert list(
        realization.to_words(
            realization.solution_ranks(packings, case.signatures),
            realization.solution_labels(packings, case.signatures),
        )
    ) == [("zu", "ål"), ("æl", "åh"), ("øl", "åh")]


@pytest.mark.parametrize("apart", [False, True])
def test_anagrams_kept_apart_are_packings_of_their_own(apart: bool) -> None:
    """Joined they are one row of two words; kept apart they are two rows of one."""
    case = Case([["kyung", "gunky"], ["waltz"]], [1, 1], "abcdefghijklmnopqrstuvwxyz", apart=apart)
    packings = case.packings([((0,), (0,)), ((1,), (0,))] if apart else [((0,), (0,))])
    table = realization.packing_ranks(packings, case.signatures)
    labels = realization.packing_labels(packings, case.signatures)
    shown = list(realization.to_words(table, labels))
    assert shown == (
        [("gunky", "waltz"), ("kyung", "waltz")] if apart else [("gunky/kyung", "waltz")]
    )
    assert sorted(realization.solutions(packings, case.signatures)) == [
        ("gunky", "waltz"),
        ("kyung", "waltz"),
    ]
