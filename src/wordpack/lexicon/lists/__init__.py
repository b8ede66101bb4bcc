"""The embedded word lists; SOURCES.md beside this file says where each comes from."""

from typing import NamedTuple


class ListFacts(NamedTuple):
    """The title, size and hash of a list."""

    title: str
    words: int
    sha256: str
    """Hash of the words in code point order, one per line, each line ended with LF."""


CATALOGUE: dict[str, ListFacts] = {
    "words_alpha": ListFacts(
        "dwyl's words_alpha as of 2022: the list of the 538 packings",
        370105,
        "aa6ba888c5584c513fbc0450ac73ccc68b6d441b84e4ec8753ec5324fefdc435",
    ),
    "wordle": ListFacts(
        "Wordle's original list: its answers, then its further guesses",
        12972,
        "feacc549249b5dcb43e2799fbbcda14ebc33d55904fb15d043779104e60c1579",
    ),
    "wordle-answers": ListFacts(
        "the 2,315 answers of the original Wordle",
        2315,
        "f40e47975cf360ff9febe7d49c8e285054d8fa3fb9644cea575922060951d6ee",
    ),
    "wordle-guesses": ListFacts(
        "the 10,657 further guesses of the original Wordle",
        10657,
        "f012ef5ecdbeb94274186abcbbd5388d92bb86fe8ae0635fffcc5e9be4aa3d33",
    ),
    "answers-2331": ListFacts(
        "the answers of 'Optimally wrong Wordle'",
        2331,
        "7c4d1df9045c878bacc8372a1e54d78a8db037a62ba0380008fb05b51f7637ff",
    ),
    "wordle-12974": ListFacts(
        "wordle and koran, quran: the list of the Rust dancing-links program",
        12974,
        "dfcc8b7d253af3c22670c075db6afe3c31a6d304b415aab8531f5eca220e9636",
    ),
    "wordle-12947": ListFacts(
        "the list of the C neighbour-pairs program",
        12947,
        "48f16611619aa3f9d259d04b9b08d6a24ca28944ab1515c747c0ead6da2ba663",
    ),
    "toy": ListFacts(
        "fifty words of words_alpha with five packings, for slow backends",
        50,
        "d8ee64958dba4b7acd50c94ab3bf8b87f3b46e3ac9049e30ef942349f0b4ed39",
    ),
}
