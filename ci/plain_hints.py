"""Feedback and filters of hints as worked out on paper, without any code of wordpack."""

from plain_letters import plain_spelt, plain_trimmed

SQUARES = ["\u2b1b\u2b1c", "\U0001f7e8\U0001f7e6", "\U0001f7e9\U0001f7e7"]
"""Marks of absent, misplaced and placed letters."""


def crossed_out(guess: str, answer: str) -> str:
    """Cross letters out: those in place first, then for each guess letter its first match."""
    paper: list[str] = list(answer)
    found = ["."] * len(guess)
    for place, letter in enumerate(guess):
        if answer[place] == letter:
            found[place], paper[place] = "G", ""
    for place, letter in enumerate(guess):
        if found[place] == "." and letter in paper:
            paper[paper.index(letter)] = ""
            found[place] = "Y"
    return "".join(found)


def clue(text: str, letters: str) -> tuple[str, str] | None:
    """Return guess and marks of `--guess`, None if it must be refused."""
    text = plain_trimmed(text.replace("\ufe0f", ""))
    guess, equals, said = plain_spelt(text, letters).partition("=")
    cells, plus, elsewhere = said.partition("+")
    if not equals or not guess or set(guess) - set(letters) or len(cells) != len(guess):
        return None
    if not plus:
        for signs in (".yg", SQUARES):
            known = {sign: mark for mark, all_ in zip(".YG", signs, strict=True) for sign in all_}
            if set(cells) <= set(known):
                return guess, "".join(known[cell] for cell in cells)
    shown = text.partition("=")[2].partition("+")[0]
    if any(each != each.lower() for each in shown) and any(each != each.upper() for each in shown):
        return None
    if any(cell not in (letter, ".") for letter, cell in zip(guess, cells, strict=True)):
        return None
    found = ["." if cell == "." else "G" for cell in cells]
    for letter in elsewhere:
        free = [at for at, mark in enumerate(found) if mark == "." and guess[at] == letter]
        if not free:
            return None
        found[free[0]] = "Y"
    return guess, "".join(found)


def pattern(text: str, letters: str) -> list[set[str]] | None:
    """Return the letters that each cell of a pattern allows, None if it must be refused."""
    rest, found = plain_spelt(text, letters), []
    while rest:
        end = rest.find("]") if rest[0] == "[" else 0
        cell, rest = rest[: end + 1], rest[end + 1 :]
        inside = cell[1:-1] if cell[:1] == "[" else cell
        negated = cell[:1] == "[" and inside.startswith("^")
        inside = inside.removeprefix("^") if negated else inside
        if not cell or (cell != "." and set(inside) - set(letters)):
            return None
        allowed = set(letters) if cell == "." else set(inside)
        found.append(set(letters) - allowed if negated else allowed)
    return found or None


def fits(word: str, allowed: list[set[str]], away: list[str], absent: str) -> bool:
    """Return whether a word passes the filters, letter by letter."""
    if len(word) != len(allowed) or not set("".join(away)) <= set(word):
        return False
    barred = [*away, *[""] * len(word)]
    return all(
        letter in allowed[at] and letter not in absent and letter not in barred[at]
        for at, letter in enumerate(word)
    )
