"""Feedback as a small number, compiled: of one guess for all answers, or of one pair.

A letter that is not in place is elsewhere as long as the answer has more of it, at places where
the guess has another letter, than the guess had before it out of place. Said so, each pair of
letters is a comparison of a whole column of answers with one letter, with nothing to branch on:
vector instructions do sixty answers at a time.
Cost: for five letters a nanosecond for each answer.
"""

from typing import Any

import numpy as np

from wordpack.compiled.jit import Int64s, Uint8s, Uint8Table, Uint16Table
from wordpack.games.hints import Letters

BIAS = 64
"""Stands for no letter more than the guess had: an unsigned number may then be less."""

NARROW, WIDE = 5, 10
"""Letters of a word whose feedbacks have numbers of 8, and of 16 bits."""


def kinds(length: int, *names: str) -> dict[str, Any]:
    """Return the types that parameters `names` of a kernel have for words of so many letters."""
    return dict.fromkeys(names, Uint8Table if length <= NARROW else Uint16Table)


def dtype(length: int) -> type[np.unsignedinteger[Any]]:
    """Return what the number of a feedback fits in."""
    return np.uint8 if length <= NARROW else np.uint16


def columns(rows: Letters) -> Letters:
    """Return words (n, length) as columns (length, n)."""
    return np.ascontiguousarray(rows.T)


def row_codes(guess: Uint8s, answers: Uint8Table, free: Uint8s, codes: Any) -> None:
    """Write the feedback of `guess` for each of `answers` (length, n) into `codes` (n,).

    Base 3, the first letter's digit the lowest: 2 in place, 1 elsewhere, 0 absent. `free` (n,) is
    room to work in.
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
    """Write the feedback of the first guesses, as many as `held` (k, n) has rows, for all answers.

    `guess` (length,) and `free` (n,) are room to work in.
    """
    for row in range(len(held)):
        if stop[0]:
            break
        for place in range(len(guess)):
            guess[place] = answers[place, row]
        row_codes(guess, answers, free, held[row])
    return 0
