"""Feedback and filters of hints in every notation, against the rules in plain Python."""

import plain_hints
from generators.hints import LISTS, Hints
from plain_letters import plain_spelt
from wordpack.errors import InputError
from wordpack.games.feedback import Clue, consistent
from wordpack.games.hint_scan import HintScan
from wordpack.games.hints import Filters, ranked
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_text
from wordpack.testing.agreement import agree

RANKED = {
    letters: ranked(read_text("\n".join(words), "words", Alphabet(letters)).select(5, repeats=True))
    for letters, words in LISTS.items()
}
SCANS = {letters: HintScan(listed) for letters, listed in RANKED.items()}


def try_hints(given: Hints) -> bool:
    """Read a marked guess and filters; compare both, and the words that fit, with the rules."""
    letters, text = given.letters, given.guess
    listed, alphabet = RANKED[letters], Alphabet(letters)
    right = plain_hints.clue(text, letters)
    try:
        clue = Clue.of(text, alphabet)
    except InputError:
        agree(None, right, f"guess {text!r} of {letters}")
        return False
    guess, marks = (
        "".join(letters[at] for at in clue.guess),
        "".join(".YG"[at] for at in clue.marks),
    )
    agree((guess, marks), right, f"guess {text!r} of {letters}")
    fits = [
        len(guess) == len(word) and plain_hints.crossed_out(guess, word) == marks
        for word in listed.words
    ]
    agree(consistent([clue], listed.rows).tolist(), fits, f"what fits {text!r}")
    allowed = plain_hints.pattern(given.pattern, letters)
    *away, absent = (plain_spelt(each, letters) for each in (*given.away, given.absent))
    bad = (
        allowed is None or len(away) > len(allowed) or set("".join([*away, absent])) - set(letters)
    )
    try:
        filters = Filters.of(given.pattern, given.away, given.absent, alphabet)
    except InputError:
        agree("refused", "refused" if bad else "read", f"filters {given}")
        return True
    agree("read", "refused" if bad else "read", f"filters {given}")
    there = [
        at
        for at, word in enumerate(listed.words)
        if fits[at] and plain_hints.fits(word, allowed or [], away, absent)
    ]
    agree(SCANS[letters].fitting(filters, [clue]).tolist(), there, f"what fits {given}")
    return True
