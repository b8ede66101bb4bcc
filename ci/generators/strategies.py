"""Use generators as Hypothesis strategies, and shrink a failing seeded value."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import Flaky, NoSuchExample

from wordpack.testing.draw import Draw

T = TypeVar("T")
KEY = b"seeded"


class _Chosen(Draw):
    """Choices drawn by Hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def _integer(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))


@st.composite
def _drawn(draw: st.DrawFn, generator: Callable[[Draw], T]) -> T:
    return generator(_Chosen(draw))


def strategy(generator: Callable[[Draw], T]) -> st.SearchStrategy[T]:
    """Return what Hypothesis draws from a generator."""
    return _drawn(generator)


def smallest(
    generator: Callable[[Draw], T], fails: Callable[[T], bool], drawn: Sequence[int]
) -> T | None:
    """Return the simplest value that fails; None if these integers' own value does not fail."""
    database = InMemoryExampleDatabase()
    # one integer too many, because Hypothesis takes an exact sequence for already shrunk
    database.save(KEY, choices_to_bytes([*drawn, 0]))
    # a one-in-a-million failure is not found again, so Hypothesis starts from it
    phases = settings(database=database, phases=(Phase.reuse, Phase.shrink), deadline=None)
    try:
        return find(strategy(generator), fails, settings=phases, database_key=KEY)
    except (NoSuchExample, Flaky):
        return None


def told(
    generator: Callable[[Draw], T],
    check: Callable[[T], object],
    drawn: Sequence[int],
    raised: Exception,
) -> str:
    """Describe a fault and the simplest input, shrunk from `drawn`, that raises its type."""

    def fault(value: T) -> Exception | None:
        try:
            check(value)
        except Exception as found:
            return found
        return None

    def same(value: T) -> bool:
        return type(fault(value)) is type(raised)

    kind = type(raised).__name__
    small = smallest(generator, same, drawn)
    if small is None:
        return f"{kind}: {raised}\nthe same input does not fail when it is tried again"
    return f"{kind}: {raised}\nmade small: {kind}: {fault(small)}\n{small!r:.3000}"
