"""Problems that cannot be solved, shapes that are refused, and the choice of a backend."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordpack.backend import choosing, registry
from wordpack.backend.base import Options, Refusal
from wordpack.errors import InputError, Unavailable
from wordpack.packing.answer import Packings
from wordpack.packing.problem import Group, Problem


def problem(*groups: tuple[list[int], int], letters: int = 26) -> Problem:
    return Problem(
        tuple(
            Group(np.array(masks, np.uint32), count, np.ones(len(masks), np.int64))
            for masks, count in groups
        ),
        letters,
    )


SMALL = problem(([0b1, 0b10, 0b100], 2))
TWO_GROUPS = problem(([0b1], 1), ([0b10, 0b100], 2))
ONE_AND_SIX = problem(([0b1], 1), ([0b10] * 6, 6))
LARGE = problem(([1 << place % 26 for place in range(60_000)], 5))
HOPELESS = problem(([0] * 300, 20), ([0] * 300, 20))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (problem(([0b111111 << place for place in range(20)], 5)), "at least 30"),
        (problem(([0b1, 0b10], 3)), "3 different signatures are to be picked from 2"),
        (problem(([0b1], 1), ([], 1)), "1 different signatures are to be picked from 0"),
        (problem(([0b11], 1), ([0b11], 1), letters=3), "at least 4 different letters"),
    ],
)
def test_impossible_says_why(given: Problem, reason: str) -> None:
    """Cover five words of six letters from 26, too few masks, and too few letters overall."""
    assert given.impossible is not None
    assert reason in given.impossible


@pytest.mark.parametrize(
    "given",
    [
        problem(),
        problem(([], 0)),
        problem(([0b111111] * 9, 0)),
        problem(([0] * 9, 9), letters=1),
        problem(([0b11, 0b1100], 2), letters=4),
        problem(([0b111, 0b1, 0b10], 2), ([0b100], 1), letters=3),
    ],
)
def test_not_impossible_where_counting_shows_nothing(given: Problem) -> None:
    assert given.impossible is None


@settings(deadline=None)
@given(st.lists(st.tuples(st.lists(st.integers(0, 31), max_size=5), st.integers(0, 3)), max_size=2))
def test_what_is_impossible_has_no_packing(groups: list[tuple[list[int], int]]) -> None:
    """No problem that the oracle can solve is called impossible."""
    drawn = problem(*groups, letters=5)
    found = registry.row("combinations").load().prepare(drawn, Options()).run()
    assert isinstance(found, Packings)
    assert not (drawn.impossible and len(found))


def test_shapes_that_no_backend_could_serve_are_refused() -> None:
    ones = np.ones(2, np.int64)
    masks = np.array([1, 2], np.uint32)
    for wrong in (
        lambda: Group(masks.astype(np.int64), 1, ones),
        lambda: Group(masks.reshape(1, 2), 1, ones.reshape(1, 2)),
        lambda: Group(masks, 1, ones[:1]),
        lambda: Group(masks, 1, ones.astype(np.int32)),
        lambda: Group(masks, 1, ones - 1),
        lambda: Group(masks, -1, ones),
        lambda: Problem((), 0),
        lambda: Problem((), 65),
        lambda: Problem((Group(masks, 1, ones),), 1),
        lambda: Problem((Group(masks, 1, ones), Group(masks.astype(np.uint64), 1, ones)), 4),
    ):
        with pytest.raises(ValueError, match=r"."):
            wrong()


def test_auto_takes_the_first_row_that_can() -> None:
    """The top row takes everything; a chunk rules it out, and two groups a backend for one list."""
    assert choosing.choose("auto", SMALL, Options()).row is registry.ROWS[0]
    assert registry.ROWS[0].name == "bitset_rows"
    assert choosing.choose("auto", TWO_GROUPS, Options()).row is registry.ROWS[0]
    assert choosing.choose("auto", SMALL, Options(chunk=2)).row.name == "rarest_letter"
    assert choosing.choose("auto", TWO_GROUPS, Options(chunk=2)).row.name == "dancing_links"


def test_a_refusal_by_shape_holds_always() -> None:
    with pytest.raises(InputError, match=r"rarest_letter cannot take this problem: .*one list"):
        choosing.choose("rarest_letter", TWO_GROUPS, Options())
    with pytest.raises(InputError, match="filtered_lists cannot take this problem"):
        choosing.choose("filtered_lists", problem(([0, 1], 1)), Options())


def test_a_refusal_by_cost_holds_for_auto_only() -> None:
    """A name given explicitly overrides it; auto lists every reason."""
    for name in ("combinations", "filtered_arrays"):
        refusal = registry.row(name).load().accepts(HOPELESS, Options())
        assert isinstance(refusal, Refusal)
        assert refusal.kind == "cost"
        assert choosing.choose(name, HOPELESS, Options()).row.name == name
    assert choosing.choose("combinations", LARGE, Options()).row.name == "combinations"
    with pytest.raises(InputError) as caught:
        choosing.choose("auto", HOPELESS, Options())
    for row in registry.of_workload("packing"):
        assert f"{row.name}: " in str(caught.value)
    assert "`backend` NAME" in str(caught.value)


def test_an_option_that_a_backend_ignores_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every option that a backend does not support is an error, and no other option is."""
    for row in registry.of_workload("packing"):
        monkeypatch.setattr(row.load(), "probe", lambda: "a test")
    given = {"threads": 1, "chunk": 2, "max_buffer": 3}
    for row in registry.of_workload("packing"):
        taken = ONE_AND_SIX if row.name == "partitioned_triples" else SMALL
        counting = row.counts_only
        for option, value in given.items():
            options = Options(count_only=counting, **{option: value})  # type: ignore[arg-type]
            if option in row.options:
                assert choosing.choose(row.name, taken, options).row is row
                continue
            with pytest.raises(InputError, match=f"{row.name} .*`{option}`"):
                choosing.choose(row.name, taken, options)
        assert choosing.choose(row.name, taken, Options(count_only=True)).row is row


def test_auto_passes_over_rows_that_ignore_an_option() -> None:
    """The first row has no chunks; if the others refuse, no backend is left."""
    assert choosing.choose("auto", SMALL, Options(chunk=1)).row.name == "rarest_letter"
    assert choosing.choose("auto", TWO_GROUPS, Options(chunk=1)).row.name == "dancing_links"
    empty = problem(([0b1], 1), ([0, 0b100], 2))
    with pytest.raises(
        InputError, match=r"bitset_rows: does not support `chunk`.*filtered_arrays: does not"
    ):
        choosing.choose("auto", empty, Options(chunk=1))


def test_a_backend_that_cannot_run_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chosen by name, it is an error with the reason; auto goes on to the next."""

    def probe() -> str:
        raise Unavailable("the compiler is on holiday.")

    monkeypatch.setattr(registry.row("bitset_rows").load(), "probe", probe)
    assert choosing.choose("auto", SMALL, Options()).row.name == "rarest_letter"
    with pytest.raises(InputError, match="bitset_rows cannot run here: the compiler is on"):
        choosing.choose("bitset_rows", SMALL, Options())


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("rarest_leter", "did you mean rarest_letter?"),
        ("combination", "did you mean combinations?"),
        ("qqq", "there are bitset_rows, "),
    ],
)
def test_an_unknown_backend_is_an_error_that_helps(name: str, suggestion: str) -> None:
    with pytest.raises(InputError) as caught:
        choosing.choose(name, SMALL, Options())
    assert suggestion in str(caught.value)
