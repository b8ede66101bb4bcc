"""Explain why no word can fit some feedback: find a minimal set of contradictory guesses.

Filters and feedback restrict the letters at each position, and bound how often each letter is in
the word (`hint_scan.known`). A word that meets all of this exists if each required letter can have
a position of its own, and each position a letter of its own. These are two matchings, which can
then be joined (Mendelsohn and Dulmage). If one fails, its last search has reached the letters that
need more positions than they have, or the positions that have too few letters.
Cost: some milliseconds for each guess, once no word of the list fits.
"""

from collections.abc import Callable, Sequence

from wordpack.games.feedback import ABSENT, MISPLACED, PLACED, Clue
from wordpack.games.hint_scan import Known, known
from wordpack.games.hints import Filters
from wordpack.lexicon.alphabet import Alphabet
from wordpack.text.formatting import counted


def impossible(
    filters: Filters, clues: Sequence[Clue], names: Sequence[str], alphabet: Alphabet
) -> str | None:
    """Return why no word over `alphabet` fits, using the guesses' `names`; None if one may."""

    def why(chosen: Sequence[int], given: Filters) -> str | None:
        for place in chosen:
            if said := _order(clues[place], alphabet):
                return said
        return _unmet(known(given, [clues[place] for place in chosen]), alphabet)

    everything = range(len(clues))
    if why(everything, filters) is None:
        return None
    length = len(filters.allowed)
    free = Filters(((1 << len(alphabet)) - 1,) * length, 0)
    # leave out the pattern and filters if the guesses already contradict each other
    own = free if why(everything, free) else filters
    guilty = _smallest(list(everything), lambda chosen: why(chosen, own) is not None)
    reason = _at_one_position([clues[place] for place in guilty], alphabet) or why(guilty, own)
    parties = [f"`guesses` {names[place]}" for place in guilty]
    parties += ["the pattern and its letters"] * (own is filters)
    verb = "contradicts itself" if own is free and len(guilty) == 1 else "contradict each other"
    return f"no word can fit: {_listed(parties)} {verb}: {reason}"


def _smallest(places: list[int], fails: Callable[[list[int]], bool]) -> list[int]:
    """Return a minimal failing subset: none of its proper subsets fails."""
    for place in tuple(places):
        fewer = [each for each in places if each != place]
        if fails(fewer):
            places = fewer
    return places


def _order(clue: Clue, alphabet: Alphabet) -> str | None:
    """Return the contradiction if a letter is absent before it is misplaced."""
    absent: dict[int, int] = {}
    for place, (letter, mark) in enumerate(zip(clue.guess, clue.marks, strict=True), 1):
        if mark == ABSENT:
            absent.setdefault(letter, place)
        elif mark == MISPLACED and letter in absent:
            return (
                f"{_name(letter, alphabet)} is absent at position {absent[letter]} but misplaced "
                f"at position {place}, and the game marks the first copies of a letter as misplaced"
            )
    return None


def _at_one_position(clues: Sequence[Clue], alphabet: Alphabet) -> str | None:
    """Return how two guesses contradict each other at one position, if they do."""
    for one in clues:
        for other in clues:
            for place, (letter, mark) in enumerate(zip(one.guess, one.marks, strict=True)):
                if mark != PLACED:
                    continue
                second, its = other.guess[place], other.marks[place]
                where = f"at position {place + 1}"
                if its == PLACED and second != letter:
                    return (
                        f"{_name(letter, alphabet)} and {_name(second, alphabet)} are both in "
                        f"place {where}"
                    )
                if its != PLACED and second == letter:
                    return f"{_name(letter, alphabet)} is both in place and not in place {where}"
    return None


def _unmet(what: Known, alphabet: Alphabet) -> str | None:
    """Return which letters or positions cannot be filled; None if all can."""
    length = len(what.allowed)
    bounds = {letter: (least, most) for letter, least, most in what.bounds}
    for letter, (least, most) in bounds.items():
        if least > most:
            name = _name(letter, alphabet)
            return f"{name} is in the word {counted(least, 'time')} or more, and {most} at most"
    needed = sum(least for least, _ in bounds.values())
    if needed > length:
        must = [letter for letter, (least, _) in bounds.items() if least]
        return (
            f"{_listed([_name(letter, alphabet) for letter in must])} need {needed} positions, "
            f"and the word has {length}"
        )
    slots = [letter for letter, (least, _) in bounds.items() for _ in range(least)]
    ways = [
        [place for place in range(length) if what.allowed[place] >> letter & 1] for letter in slots
    ]
    if stuck := _unmatched(ways):
        letters = dict.fromkeys(slots[slot] for slot in stuck)
        left = sorted({place for slot in stuck for place in ways[slot]})
        where = f"only {_positions(left)} left" if left else "no position is left"
        verb = "is" if len(stuck) == 1 else "are"
        times = "" if len(letters) == len(stuck) else f", {len(stuck)} in all"
        names = _listed([_name(letter, alphabet) for letter in letters])
        whom = "it" if len(stuck) == 1 else "them"
        return f"{names} {verb} in the word{times}, and {where} for {whom}"
    copies = [
        letter for letter in range(len(alphabet)) for _ in range(bounds.get(letter, (0, length))[1])
    ]
    ways = [
        [copy for copy, letter in enumerate(copies) if allowed >> letter & 1]
        for allowed in what.allowed
    ]
    if stuck := _unmatched(ways):
        letters = dict.fromkeys(copies[copy] for place in stuck for copy in ways[place])
        rest = _listed([_name(letter, alphabet) for letter in letters])
        return (
            f"{_positions(sorted(stuck))} left with {f'too few of {rest}' if rest else 'no letter'}"
        )
    return None


def _unmatched(ways: Sequence[Sequence[int]]) -> list[int]:
    """Return entries that together have too few choices; [] if each can have its own.

    `ways` lists the choices of each entry.
    """
    holder: dict[int, int] = {}

    def placed(entry: int, seen: set[int]) -> bool:
        for choice in ways[entry]:
            if choice not in seen:
                seen.add(choice)
                if choice not in holder or placed(holder[choice], seen):
                    holder[choice] = entry
                    return True
        return False

    for entry in range(len(ways)):
        seen: set[int] = set()
        if not placed(entry, seen):
            return sorted({entry, *(holder[choice] for choice in seen)})
    return []


def _name(letter: int, alphabet: Alphabet) -> str:
    return repr(alphabet.letters[letter])


def _positions(places: Sequence[int]) -> str:
    names = _listed([str(place + 1) for place in places])
    return f"position {names} is" if len(places) == 1 else f"positions {names} are"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
