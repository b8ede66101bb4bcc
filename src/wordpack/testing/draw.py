"""A source of random choices for generators, all derived from integers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draw(ABC):
    """Draws choices as integers; smaller integers mean simpler choices."""

    @abstractmethod
    def _integer(self, low: int, high: int) -> int:
        """Return an integer between two different bounds, inclusive."""

    def integers(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, inclusive."""
        return low if low == high else self._integer(low, high)

    def choice(self, values: Sequence[T]) -> T:
        """Return one of the values; the first is the simplest."""
        return values[self.integers(0, len(values) - 1)]

    def choices(self, values: Sequence[T], count: int) -> list[T]:
        """Return `count` of the values, with repetition."""
        return [self.choice(values) for _ in range(count)]

    def often(self, share: float) -> bool:
        """Return True for this share of the draws."""
        return self.integers(1, 1000) > 1000 - round(1000 * share)

    def sample(self, values: Sequence[T], count: int) -> list[T]:
        """Return `count` of the values without repeating a place; the first are the simplest."""
        left = list(values)
        for at in range(count):
            other = self.integers(at, len(left) - 1)
            left[at], left[other] = left[other], left[at]
        return left[:count]

    def raw(self, count: int) -> bytes:
        """Return `count` bytes."""
        return bytes(self.integers(0, 255) for _ in range(count))

    def span(self, length: int) -> tuple[int, int]:
        """Return the begin and end of a piece of something `length` long."""
        at, to = self.integers(0, length), self.integers(0, length)
        return min(at, to), max(at, to)


class Seeded(Draw):
    """The same choices for the same seed, on every machine."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)  # noqa: S311  not a secret
        self.drawn: list[int] = []
        """The integers drawn so far, for Hypothesis to start from."""

    def _integer(self, low: int, high: int) -> int:
        self.drawn.append(self._random.randint(low, high))
        return self.drawn[-1]
