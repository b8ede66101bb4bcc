"""Random small problems of shapes that hurt, for `differential.py`."""

from collections.abc import Callable
from math import comb
from random import Random

from plain_packings import PlainGroup, PlainProblem

ALPHABETS = (1, 26, 32, 33, 63, 64)

CHOICES = 300
"""Choices of as many words as are due, of most shapes: a bound of the packings."""

HEAVY = (1, 2, 3, (1 << 31) - 1, 1 << 31, 1 << 32, (1 << 40) + 1, 1 << 62, (1 << 63) - 1)
"""Weights around the edges of 32 and 64 bits; of two of them the product has up to 126."""

BORDERS = (63, 64, 65, 63, 64, 65, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257)
"""Words at which a row of bits gets one more number of 64 bits, the first the most often."""

Groups = list[PlainGroup]


def places(random: Random, letters: int, most: int) -> list[int]:
    """Return up to `most` bits of the alphabet; the top one is always among them."""
    others = random.sample(range(letters - 1), min(most, letters) - 1)
    return [letters - 1, *others]


def drawn(random: Random, bits: list[int], n: int, sizes: list[int]) -> list[int]:
    """Return n masks with one of these numbers of letters each, or as many as there are."""
    return [
        sum(1 << bit for bit in random.sample(bits, min(random.choice(sizes), len(bits))))
        for _ in range(n)
    ]


def split(random: Random, picks: int, groups: int) -> list[int]:
    """Return `groups` numbers, some of them perhaps 0, that add up to `picks`."""
    edges = sorted(random.randint(0, picks) for _ in range(groups - 1))
    return [high - low for low, high in zip([0, *edges], [*edges, picks], strict=True)]


def group(random: Random, masks: list[int], count: int, most: int = CHOICES) -> PlainGroup:
    """Return a group with weights of 1 to 3, cut where there are more than `most` choices."""
    masks = list(masks)
    random.shuffle(masks)
    while comb(len(masks), count) > most:
        masks.pop()
    return PlainGroup(masks, count, [random.randint(1, 3) for _ in masks])


def several(random: Random, masks: list[int], counts: list[int]) -> Groups:
    """Return groups of one list; no more choices together than of one group."""
    return [group(random, masks, count, share(counts)) for count in counts]


def share(counts: list[int]) -> int:
    """Return how many choices each group may have, so that all have CHOICES together."""
    root: float = CHOICES ** (1 / max(1, sum(count > 0 for count in counts)))
    return max(2, round(root))


def any_shape(random: Random, letters: int) -> Groups:
    """1 to 12 words from 1 to 4 lists of their own, which may lend each other masks."""
    picks = random.randint(1, 12)
    counts = split(random, picks, random.randint(1, 4))
    sizes = [1, 1, 1, 2] if picks > 4 else [1, 2, 3, 4]  # noqa: PLR2004  so that many fit
    bits, groups = places(random, letters, 40), []
    masks: list[int] = []
    for count in counts:
        masks = random.sample(masks, len(masks) // 4)
        masks += drawn(random, bits, count + random.randint(0, 5), sizes)
        groups.append(group(random, masks, count, share(counts)))
    return groups


def twelve(random: Random, letters: int) -> Groups:
    """6 to 12 words from one list of single letters, nearly all different."""
    bits = places(random, letters, random.randint(11, 17))
    masks = [1 << bit for bit in bits] + drawn(random, bits, random.randint(0, 2), [1, 2])
    return [group(random, masks, random.choice([6, 9, 11, 12, 12, 12]))]


def shared_lists(random: Random, letters: int) -> Groups:
    """5 to 12 words from 2 to 4 groups of one and the same list."""
    counts = split(random, random.randint(5, 12), random.randint(2, 4))
    bits = places(random, letters, random.randint(11, 16))
    return several(random, [1 << bit for bit in bits], counts)


def one_and_six(random: Random, letters: int) -> Groups:
    """One word of a list and six of another."""
    bits = places(random, letters, random.randint(8, 24))
    guesses = drawn(random, bits, random.randint(6, 12), [1, 1, 1, 2, 3])
    return [
        group(random, drawn(random, bits, random.randint(1, 5), [1, 2, 3]), 1),
        group(random, guesses, 6, 600),
    ]


def nothing(random: Random, letters: int) -> Groups:
    """No groups, or groups that supply nothing, perhaps beside one that does."""
    bits = places(random, letters, 8)
    counts = [0] * random.randint(0, 3) + random.choice([[], [1], [2]])
    random.shuffle(counts)
    return [
        group(random, drawn(random, bits, random.randint(0, 4), [0, 1, 2, 3]), count)
        for count in counts
    ]


def equal(random: Random, letters: int) -> Groups:
    """Few different masks, each many times, in one group and in several."""
    masks = drawn(random, places(random, letters, 12), random.randint(2, 6), [1, 1, 2])
    counts = [random.randint(1, 3) for _ in range(random.randint(1, 3))]
    return several(random, random.choices(masks, k=random.randint(4, 12)), counts)


def empty(random: Random, letters: int) -> Groups:
    """Several words without letters, among others or alone."""
    masks = drawn(random, places(random, letters, 14), random.randint(0, 7), [0, 1, 2, 3])
    masks += [0] * random.randint(1, 5)
    counts = split(random, random.randint(1, 8), random.randint(1, 4))
    return several(random, masks, counts)


def few(random: Random, letters: int) -> Groups:
    """No word or one word, of which 0 to 2 are due."""
    bits, counts = places(random, letters, letters), [0, 1, 1, 1, 1, 2]
    return [
        group(random, drawn(random, bits, random.choice([0, 1, 1, 1]), [0, 1, 5]), count)
        for count in random.choices(counts, k=random.choice([1, 1, 2]))
    ]


def common_letter(random: Random, letters: int) -> Groups:
    """All words share a letter; another group and empty masks may let one of them be picked."""
    first, *others = places(random, letters, 10)
    masks = [mask | 1 << first for mask in drawn(random, others, 9, [0, 1, 2, 3])]
    masks += [0] * random.choice([0, 0, 1, 2])
    groups = [group(random, masks, random.choice([1, 1, 2, 3]))]
    if random.randrange(2):
        groups.append(group(random, drawn(random, others, 6, [1, 2]), random.randint(0, 2)))
    return groups


def lengths(random: Random, letters: int) -> Groups:
    """From one letter to the whole alphabet; of some words also what they lack."""
    every, bits = (1 << letters) - 1, list(range(letters))
    masks = drawn(random, bits, 8, [1, 1, 2, 3, letters // 4, letters // 2, letters])
    masks += [every ^ mask for mask in random.sample(masks, 4)]
    counts = split(random, random.choice([1, 2, 2, 3, 4]), random.choice([1, 1, 2]))
    return several(random, masks, counts)


def weights(random: Random, letters: int) -> Groups:
    """Weights whose products pass 64 bits."""
    bits = places(random, letters, 20)
    counts = split(random, random.randint(1, 6), random.randint(1, 3))
    groups = several(random, drawn(random, bits, random.randint(6, 12), [1, 1, 2, 3]), counts)
    return [g._replace(weights=[random.choice(HEAVY) for _ in g.masks]) for g in groups]


def borders(random: Random, letters: int) -> Groups:
    """As many words as fill a number of bits, one less, one more; 1 to 3 of them."""
    sizes, counts = random.choice([([4, 5, 6], [1]), ([5, 6, 7], [2]), ([6], [2]), ([6], [1, 1])])
    bits, n = places(random, letters, 15), random.choice(BORDERS)
    if random.randrange(3) == 0:
        sizes, counts, n = [5], [3], random.choice(BORDERS[:3])
    every = 1 << 20
    return [group(random, drawn(random, bits, n, sizes), count, every) for count in counts]


def deep(random: Random, letters: int) -> Groups:
    """3 to 5 words from lists that fill several numbers of bits: more choices than can be tried."""
    bits, n = places(random, letters, random.randint(18, 20)), random.choice(BORDERS)
    picks = random.choice([3, 4, 5])
    masks = drawn(random, bits, n, [7, 8] if picks == 3 else [5, 6])  # noqa: PLR2004
    # few pass so deep by chance: some packings are put in
    for first in range(0, random.choice([0, 2, 4]) * picks * (letters > picks), picks):
        random.shuffle(bits)
        for pick in range(picks):
            masks[first + pick] = sum(1 << bit for bit in bits[pick::picks])
    return [group(random, masks, picks, 1 << 60)]


def one_length(random: Random, letters: int) -> Groups:
    """Words of one length over few letters, for which sets of letters can be summed."""
    size = random.choice([1, 2, 2, 3, 3, 4, 5])
    bits = places(random, letters, 19 if random.randrange(60) == 0 else random.randint(6, 14))
    picks = max(1, min(12, random.randint(1, max(1, len(bits) // size))))
    masks = drawn(random, bits, picks + random.randint(1, 24), [size])
    made = group(random, masks, picks)
    heavy = random.choice([1, 3, 1000, 50_000])
    return [made._replace(weights=[random.randint(1, heavy) for _ in made.masks])]


def top_bits(random: Random, letters: int) -> Groups:
    """Words of the last letters of the alphabet."""
    bits = list(range(max(0, letters - random.randint(4, 9)), letters))
    counts = split(random, random.randint(1, 4), random.randint(1, 3))
    return several(random, drawn(random, bits, 10, [1, 2]), counts)


SHAPES: dict[str, Callable[[Random, int], Groups]] = {
    shape.__name__: shape
    for shape in (
        *(any_shape, twelve, shared_lists, one_and_six, nothing, equal, empty, few),
        *(common_letter, lengths, weights, borders, deep, one_length, top_bits),
    )
}


def problem(random: Random, shape: str) -> PlainProblem:
    """Draw a problem of this shape; one letter in three in a hundred, since little fits there."""
    letters = random.choices(ALPHABETS, [3, 20, 20, 20, 17, 20])[0]
    bits = 64 if letters > 32 or random.randrange(2) else 32  # noqa: PLR2004  bits of a mask
    return PlainProblem(letters, bits, SHAPES[shape](random, letters))
