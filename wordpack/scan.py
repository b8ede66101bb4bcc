"""Take the words of one length from an ASCII text without looking at its other lines.

A word of `length` letters stands between two line feeds that are `length` + 1 apart. Comparing
blocks of the text with themselves, shifted, marks such places at nearly the speed of memory; only
there is anything else looked at. Compiled; the cost is one pass over the text.
"""

import numpy as np
import numpy.typing as npt

from wordpack.alphabet import NONE
from wordpack.instructions import lowest
from wordpack.jit import Uint8s, Uint64s, kernel

BLOCK = 1 << 13
"""Bytes marked at a time, few enough for a core's nearest cache, and a multiple of 8."""

LF, CR = b"\n\r"


def words_of_length(
    text: npt.NDArray[np.uint8], length: int, positions: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]:
    """Return the words of `length` letters in `text`, and their signatures, in order.

    `positions` (256,) uint8 has the bit position of each letter, NONE for what is no letter, among
    these LF and CR. `length` is at least 1. A line ends with LF or CRLF; the last may lack its
    end. Words are (n, length) uint8, as they stand, also those that stand more than once.
    Unavailable is raised where nothing can be compiled.
    """
    most = len(text) // (length + 1) + 1
    words = np.empty((most, length), dtype=np.uint8)
    masks = np.empty(most, dtype=np.uint64)
    marks = np.zeros(BLOCK // 8, dtype=np.uint64)
    found = kernel(take_words)(
        text, length, positions, marks, marks.view(np.uint8), words.reshape(-1), masks
    )
    return words[:found].copy(), masks[:found].copy()


def take_words(
    text: Uint8s,
    length: int,
    positions: Uint8s,
    marks: Uint64s,
    bytewise: Uint8s,
    words: Uint8s,
    masks: Uint64s,
) -> int:
    """Fill `words` and `masks`, and return how many; `bytewise` is `marks` byte by byte."""
    found = 0
    if _is_line(text, 0, length):
        found += _take(text, 0, length, positions, words, masks, found)
    inner = max(0, len(text) - length - 2)
    for first in range(0, inner, BLOCK):
        size = min(BLOCK, inner - first)
        _mark(text[first:], text[first + length + 1 :], bytewise[:size])
        bytewise[size:] = 0  # of the block before
        for eighth in range((size + 7) // 8):
            # the first byte is the lowest: all processors that numba compiles for are so
            left = marks[eighth]
            while left:
                start = first + 8 * eighth + lowest(left) // 8 + 1
                left &= left - np.uint64(1)
                found += _take(text, start, length, positions, words, masks, found)
    for place in range(inner, len(text)):
        if text[place] == LF and _is_line(text, place + 1, length):
            found += _take(text, place + 1, length, positions, words, masks, found)
    return found


def _mark(text: Uint8s, further: Uint8s, marks: Uint8s) -> None:
    """Mark each LF of `text` that has another LF, or CRLF, at the same place of `further`."""
    next_one = further[1:]
    for place in range(len(marks)):
        feed = np.uint8(further[place] == LF)
        feed |= np.uint8(further[place] == CR) & np.uint8(next_one[place] == LF)
        marks[place] = np.uint8(text[place] == LF) & feed


def _is_line(text: Uint8s, start: int, length: int) -> bool:
    """Return whether `length` bytes from `start` end where a line does."""
    end = start + length
    if end >= len(text):
        return end == len(text)
    return text[end] == LF or (text[end] == CR and end + 1 < len(text) and text[end + 1] == LF)


def _take(
    text: Uint8s,
    start: int,
    length: int,
    positions: Uint8s,
    words: Uint8s,
    masks: Uint64s,
    found: int,
) -> int:
    """Add the word at `start`, and return 1; 0 where something there is no letter."""
    mask = np.uint64(0)
    for place in range(length):
        position = positions[text[start + place]]
        if position == NONE:
            return 0
        mask |= np.uint64(1) << np.uint64(position)
        words[found * length + place] = text[start + place]
    masks[found] = mask
    return 1
