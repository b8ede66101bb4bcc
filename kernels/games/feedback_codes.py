"""Compiled feedback as a small number: one guess for all answers, or one pair.

A letter out of place counts as elsewhere while the answer has more copies of it, at places where
the guess has another letter, than the guess has earlier misplaced copies. In this form every pair
of letters compares a whole column of answers with one letter, without a branch, so vector
instructions handle sixty answers at a time.
Cost: one nanosecond per answer for five letters.
"""

from typing import Any

import numpy as np

from wordpack.compiled.jit import Int64s, Uint8s, Uint8Table, Uint16Table
from wordpack.games.hints import Letters

BIAS = 64
"""The zero of a count that can go below zero, in unsigned bytes."""

NARROW, WIDE = 5, 10
"""Longest words whose feedback fits 8 bits, and 16 bits."""


def kinds(length: int, *names: str) -> dict[str, Any]:
    """Return the types of a kernel's parameters `names` for words of `length` letters."""
    return dict.fromkeys(names, Uint8Table if length <= NARROW else Uint16Table)


def dtype(length: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest dtype that holds a feedback number."""
    return np.uint8 if length <= NARROW else np.uint16


def columns(rows: Letters) -> Letters:
    """Return words (n, length) as columns (length, n)."""
    return np.ascontiguousarray(rows.T)


def row_codes(guess: Uint8s, answers: Uint8Table, free: Uint8s, codes: Any) -> None:
    """Write the feedback of `guess` for each of `answers` (length, n) into `codes` (n,).

    Base 3, the first letter's digit lowest: 2 in place, 1 elsewhere, 0 absent. `free` (n,) is
    scratch space.
    """
    codes[:] = 0
    weight = 1
    for place in range(len(guess)):
        letter = guess[place]
        free[:] = BIAS
        for other in range(len(guess)):
            if guess[other] != letter:
                for answer in range(len(free)):
                    free[answer] += answers[other, answer] == letter
            elif other < place:
                for answer in range(len(free)):
                    free[answer] -= answers[other, answer] != letter
        for answer in range(len(free)):
            digit = 1 if free[answer] > BIAS else 0
            if answers[place, answer] == letter:
                digit = 2
            codes[answer] += digit * weight
        weight *= 3


def pair_code(answers: Uint8Table, one: int, two: int) -> int:
    """Return the feedback of guess `one` for answer `two`, both of `answers` (length, n)."""
    code, weight = 0, 1
    for place in range(len(answers)):
        letter = answers[place, one]
        if answers[place, two] == letter:
            code += 2 * weight
        else:
            free = 0
            for other in range(len(answers)):
                if answers[other, one] != letter:
                    free += answers[other, two] == letter
                elif other < place:
                    free -= 1 if answers[other, two] != letter else 0
            if free > 0:
                code += weight
        weight *= 3
    return code


def fill(answers: Uint8Table, guess: Uint8s, free: Uint8s, held: Uint8Table, stop: Int64s) -> int:
    """Write the feedback of the first k guesses for all answers to `held` (k, n).

    `guess` (length,) and `free` (n,) are scratch space.
    """
    for row in range(len(held)):
        if stop[0]:
            break
        for place in range(len(guess)):
            guess[place] = answers[place, row]
        row_codes(guess, answers, free, held[row])
    return 0
