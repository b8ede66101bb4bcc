"""Take the words of one length from an ASCII text without looking at its other lines.

A word of `length` letters lies between two line feeds that are `length` + 1 apart. Comparing 64
bytes at a time with a line feed, here and `length` + 1 further on, gives these places as the bits
of one number. Only there does the scan look at letters. The same pass notices blanks and other
control characters, since they may have to be trimmed from a line. Compiled; one pass over the
text, at nearly the speed of memory.
"""

import numpy as np
import numpy.typing as npt

from wordpack.compiled.instructions import BYTES, below, equal, lowest
from wordpack.compiled.jit import Int64s, Uint8s, Uint64s, kernel
from wordpack.lexicon.alphabet import NONE

ROOM = 1 << 15
"""Words taken at a time: allocating for the worst case takes longer than the scan."""

LF, CR = b"\n\r"

VISIBLE = ord("!")
"""The first character of ASCII that is neither a blank nor a control character."""


def words_of_length(
    text: npt.NDArray[np.uint8], length: int, positions: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64], bool]:
    """Return the words of `length` letters in `text`, their signatures, and a flag.

    The flag tells whether `text` has a blank or a control character other than LF and CRLF.

    `text` is ASCII. `positions` (256,) uint8 has the bit position of each letter, and NONE for
    every other byte, including LF and CR. `length` is at least 1. A line ends with LF or CRLF; the
    last line may lack its end. Words are (n, length) uint8, unchanged, with repeats. Raises
    Unavailable if nothing can be compiled.
    """
    room = min(len(text), ROOM) + 3 * BYTES
    words, masks = np.empty((room, length), np.uint8), np.empty(room, np.uint64)
    at = np.zeros(2, np.int64)
    found: list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]] = []
    while at[0] <= len(text):
        many = kernel(_take_words)(text, at, length, positions, words.reshape(-1), masks)
        found.append((words[:many].copy(), masks[:many].copy()))
    if len(found) > 1:
        words, masks = (np.concatenate(each) for each in zip(*found, strict=True))
    else:
        words, masks = found[0]
    return words, masks, bool(at[1])


def _take_words(
    text: Uint8s, at: Int64s, length: int, positions: Uint8s, words: Uint8s, masks: Uint64s
) -> int:
    """Fill `words` and `masks` from the lines after each LF at at[0] or later.

    Returns the number of words. at[0] becomes the place to continue from, or is beyond the end of
    the text when the scan is done. at[1] becomes nonzero at a blank or a control character other
    than LF and CRLF.
    """
    found, place = 0, at[0]
    # there is no LF before the first line
    if place == 0 and _is_line(text, 0, length):
        found += _take(text, 0, length, positions, words, masks, found)
    while place + BYTES + length + 2 <= len(text):
        if found + 2 * BYTES > len(masks):
            at[0] = place
            return found
        further = place + length + 1
        feeds = equal(text, further, LF) | equal(text, further, CR) & equal(text, further + 1, LF)
        ends = equal(text, place, LF)
        low = below(text, place, VISIBLE) & ~ends
        if low:
            at[1] |= low & ~(equal(text, place, CR) & equal(text, place + 1, LF))
        left = np.uint64(ends & feeds)
        while left:
            start = place + lowest(left) + 1
            left &= left - np.uint64(1)
            found += _take(text, start, length, positions, words, masks, found)
        place += BYTES
    for last in range(place, len(text)):
        if text[last] == LF:
            if _is_line(text, last + 1, length):
                found += _take(text, last + 1, length, positions, words, masks, found)
        elif text[last] < VISIBLE and not _is_line(text, last, 0):
            at[1] |= 1
    at[0] = len(text) + 1
    return found


def _is_line(text: Uint8s, start: int, length: int) -> bool:
    """Return whether a line ends `length` bytes after `start`."""
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
    """Add the word at `start` and return 1, or return 0 if it is not all letters."""
    mask = np.uint64(0)
    for place in range(length):
        position = positions[text[start + place]]
        if position == NONE:
            return 0
        mask |= np.uint64(1) << np.uint64(position)
        words[found * length + place] = text[start + place]
    masks[found] = mask
    return 1
