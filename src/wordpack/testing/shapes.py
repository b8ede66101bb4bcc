"""Groups of words in difficult shapes; the simplest shape comes first."""

from collections.abc import Callable
from math import comb

from wordpack.testing.draw import Draw
from wordpack.testing.plain_packings import PlainGroup

CHOICES = 300
"""Most choices of the words to pick, for most shapes, which bounds the packings."""

HEAVY = (1, 2, 3, (1 << 31) - 1, 1 << 31, 1 << 32, (1 << 40) + 1, 1 << 62, (1 << 63) - 1)
"""Weights near the limits of 32 and 64 bits; the product of two has up to 126 bits."""

BORDERS = (63, 64, 65, 63, 64, 65, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257)
"""Numbers of words around which a row of bits gets another 64-bit number; small ones repeat."""

Groups = list[PlainGroup]


def places(draw: Draw, letters: int, most: int) -> list[int]:
    """Return up to `most` bits of the alphabet, always including the top one."""
    others = draw.sample(range(letters - 1), min(most, letters) - 1)
    return [letters - 1, *others]


def words(draw: Draw, bits: list[int], n: int, sizes: list[int]) -> list[int]:
    """Return n masks, each with one of these numbers of letters, or all letters if fewer."""
    return [
        sum(1 << bit for bit in draw.sample(bits, min(draw.choice(sizes), len(bits))))
        for _ in range(n)
    ]


def split(draw: Draw, picks: int, groups: int) -> list[int]:
    """Return `groups` numbers that add up to `picks`; some may be 0."""
    edges = sorted(draw.integers(0, picks) for _ in range(groups - 1))
    return [high - low for low, high in zip([0, *edges], [*edges, picks], strict=True)]


def group(draw: Draw, masks: list[int], count: int, most: int = CHOICES) -> PlainGroup:
    """Return a group with weights 1 to 3, shortened to at most `most` choices."""
    masks = draw.sample(masks, len(masks))
    while comb(len(masks), count) > most:
        masks.pop()
    return PlainGroup(masks, count, [draw.integers(1, 3) for _ in masks])


def several(draw: Draw, masks: list[int], counts: list[int]) -> Groups:
    """Return groups of one list that together have no more choices than one group."""
    return [group(draw, masks, count, share(counts)) for count in counts]


def share(counts: list[int]) -> int:
    """Return how many choices each group may have for CHOICES in all."""
    root: float = CHOICES ** (1 / max(1, sum(count > 0 for count in counts)))
    return max(2, round(root))


def few(draw: Draw, letters: int) -> Groups:
    """No word or one word, with 0 to 2 to pick."""
    bits = places(draw, letters, letters)
    return [
        group(draw, words(draw, bits, draw.choice([1, 1, 1, 0]), [1, 5, 0]), count)
        for count in draw.choices([1, 1, 1, 1, 0, 2], draw.choice([1, 1, 2]))
    ]


def nothing(draw: Draw, letters: int) -> Groups:
    """No groups, or groups that pick nothing, perhaps beside one that does."""
    bits = places(draw, letters, 8)
    counts = [0] * draw.integers(0, 3) + draw.choice([[], [1], [2]])
    return [
        group(draw, words(draw, bits, draw.integers(0, 4), [0, 1, 2, 3]), count)
        for count in draw.sample(counts, len(counts))
    ]


def empty(draw: Draw, letters: int) -> Groups:
    """Several words without letters, with or without other words."""
    masks = words(draw, places(draw, letters, 14), draw.integers(0, 7), [0, 1, 2, 3])
    masks += [0] * draw.integers(1, 5)
    return several(draw, masks, split(draw, draw.integers(1, 8), draw.integers(1, 4)))


def equal(draw: Draw, letters: int) -> Groups:
    """Few different masks, each many times, in one group or several."""
    masks = words(draw, places(draw, letters, 12), draw.integers(2, 6), [1, 1, 2])
    counts = [draw.integers(1, 3) for _ in range(draw.integers(1, 3))]
    return several(draw, draw.choices(masks, draw.integers(4, 12)), counts)


def mixed(draw: Draw, letters: int) -> Groups:
    """Up to four words from each of up to three lists of words of any length, some twice."""
    bits = places(draw, letters, draw.choice([12, 8, 5, 64]))
    fewest = draw.choice([1, 0])
    sizes = [*range(fewest, max(2, min(len(bits) // 2, 20) + 1))]
    groups, counts = [], [draw.integers(0, 4) for _ in range(draw.choice([1, 1, 0, 2, 3]))]
    for count in counts:
        masks = words(draw, bits, draw.integers(0, 10), sizes)
        masks += draw.choices(masks, draw.integers(0, 2)) if masks else []
        groups.append(group(draw, masks, count, share(counts)))
    return groups


def any_shape(draw: Draw, letters: int) -> Groups:
    """1 to 12 words from 1 to 4 lists, which may share masks."""
    picks = draw.integers(1, 12)
    counts = split(draw, picks, draw.integers(1, 4))
    sizes = [1, 1, 1, 2] if picks > 4 else [1, 2, 3, 4]  # noqa: PLR2004  so that many fit
    bits, groups = places(draw, letters, 40), []
    masks: list[int] = []
    for count in counts:
        masks = draw.sample(masks, len(masks) // 4)
        masks += words(draw, bits, count + draw.integers(0, 5), sizes)
        groups.append(group(draw, masks, count, share(counts)))
    return groups


def common_letter(draw: Draw, letters: int) -> Groups:
    """All words share a letter; another group or empty masks may still allow a packing."""
    first, *others = places(draw, letters, 10)
    masks = [mask | 1 << first for mask in words(draw, others, 9, [0, 1, 2, 3])]
    masks += [0] * draw.choice([0, 0, 1, 2])
    groups = [group(draw, masks, draw.choice([1, 1, 2, 3]))]
    if draw.often(0.5):
        groups.append(group(draw, words(draw, others, 6, [1, 2]), draw.integers(0, 2)))
    return groups


def top_bits(draw: Draw, letters: int) -> Groups:
    """Words of the last letters of the alphabet."""
    bits = list(range(max(0, letters - draw.integers(4, 9)), letters))
    counts = split(draw, draw.integers(1, 4), draw.integers(1, 3))
    return several(draw, words(draw, bits, 10, [1, 2]), counts)


def lengths(draw: Draw, letters: int) -> Groups:
    """Words from one letter to the whole alphabet, and the complements of some."""
    every, bits = (1 << letters) - 1, list(range(letters))
    masks = words(draw, bits, 8, [1, 1, 2, 3, letters // 4, letters // 2, letters])
    masks += [every ^ mask for mask in draw.sample(masks, 4)]
    counts = split(draw, draw.choice([1, 2, 2, 3, 4]), draw.choice([1, 1, 2]))
    return several(draw, masks, counts)


def weights(draw: Draw, letters: int) -> Groups:
    """Weights whose products exceed 64 bits."""
    bits = places(draw, letters, 20)
    counts = split(draw, draw.integers(1, 6), draw.integers(1, 3))
    groups = several(draw, words(draw, bits, draw.integers(6, 12), [1, 1, 2, 3]), counts)
    return [each._replace(weights=draw.choices(HEAVY, len(each.masks))) for each in groups]


def twelve(draw: Draw, letters: int) -> Groups:
    """6 to 12 words from one list of single letters, nearly all different."""
    bits = places(draw, letters, draw.integers(11, 17))
    masks = [1 << bit for bit in bits] + words(draw, bits, draw.integers(0, 2), [1, 2])
    return [group(draw, masks, draw.choice([6, 9, 11, 12, 12, 12]))]


def shared_lists(draw: Draw, letters: int) -> Groups:
    """5 to 12 words from 2 to 4 groups of the same list."""
    counts = split(draw, draw.integers(5, 12), draw.integers(2, 4))
    bits = places(draw, letters, draw.integers(11, 16))
    return several(draw, [1 << bit for bit in bits], counts)


def one_and_six(draw: Draw, letters: int) -> Groups:
    """One word from one list and six from another."""
    bits = places(draw, letters, draw.integers(8, 24))
    guesses = words(draw, bits, draw.integers(6, 12), [1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 0])
    answers = words(draw, bits, draw.integers(1, 6), [1, 1, 1, 2, 2, 2, 3, 3, 3, 0])
    return [group(draw, answers, 1), group(draw, guesses, 6, 600)]


def one_length(draw: Draw, letters: int) -> Groups:
    """Words of one length over few letters, so that subset sums can count them."""
    size = draw.choice([1, 2, 2, 3, 3, 4, 5])
    bits = places(draw, letters, 19 if draw.often(1 / 60) else draw.integers(6, 14))
    picks = max(1, min(12, draw.integers(1, max(1, len(bits) // size))))
    masks = words(draw, bits, picks + draw.integers(1, 24), [size])
    made = group(draw, masks, picks)
    heavy = draw.choice([1, 3, 1000, 50_000])
    return [made._replace(weights=[draw.integers(1, heavy) for _ in made.masks])]


def borders(draw: Draw, letters: int) -> Groups:
    """As many words as fill whole 64-bit numbers, or one less or more; 1 to 3 are picked."""
    sizes, counts = draw.choice([([4, 5, 6], [1]), ([5, 6, 7], [2]), ([6], [2]), ([6], [1, 1])])
    bits, n = places(draw, letters, 15), draw.choice(BORDERS)
    if draw.often(1 / 3):
        sizes, counts, n = [5], [3], draw.choice(BORDERS[:3])
    every = 1 << 20
    return [group(draw, words(draw, bits, n, sizes), count, every) for count in counts]


def deep(draw: Draw, letters: int) -> Groups:
    """3 to 5 words from lists of several 64-bit numbers, with too many choices to try all."""
    bits, n = places(draw, letters, draw.integers(18, 20)), draw.choice(BORDERS)
    picks = draw.choice([3, 4, 5])
    masks = words(draw, bits, n, [7, 8] if picks == 3 else [5, 6])  # noqa: PLR2004
    # few packings this deep occur by chance, so plant some
    for first in range(0, draw.choice([0, 2, 4]) * picks * (letters > picks), picks):
        mixture = draw.sample(bits, len(bits))
        for pick in range(picks):
            masks[first + pick] = sum(1 << bit for bit in mixture[pick::picks])
    return [group(draw, masks, picks, 1 << 60)]


Shape = Callable[[Draw, int], Groups]
SMALL: list[Shape] = [
    *(few, nothing, empty, equal, mixed, any_shape, common_letter, top_bits, lengths, weights),
    *(twelve, shared_lists, one_and_six, one_length),
]
"""Shapes with at most 30 words per group."""
SHAPES: list[Shape] = [*SMALL, borders, deep]
