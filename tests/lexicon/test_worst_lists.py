"""Extreme word lists: endless, huge, slow, right to left, or with a very long line."""

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell import refused, run

from wordpack.lexicon import reading

pytestmark = pytest.mark.slow

Command = Callable[..., Any]


@pytest.mark.parametrize("words", ["/dev/zero", "-"])
def test_a_list_without_an_end_is_refused(words: str) -> None:
    """Reading stops at the size limit of a word list, so memory is bounded."""
    if not Path("/dev/zero").exists():
        pytest.skip("there is no /dev/zero")
    refused(run(f"wordpack solve --words {words} < /dev/zero"), "128 MiB", "grep")


def test_the_largest_list_is_read(
    wordpack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of the largest size is read, in blocks that end anywhere; one more byte is refused."""
    text = "fjord\ngucks\nnymph\nvibex\nwaltz\n"
    (tmp_path / "words").write_text(text)
    monkeypatch.setattr(reading, "BLOCK", 7)
    monkeypatch.setattr(reading, "LARGEST", len(text))
    assert wordpack("solve", "--words", tmp_path / "words").out == "fjord gucks nymph vibex waltz\n"
    monkeypatch.setattr(reading, "LARGEST", len(text) - 1)
    assert wordpack("solve", "--words", tmp_path / "words").status == 2


def test_a_long_line_is_a_line(wordpack: Command, tmp_path: Path) -> None:
    """A line of ten million letters is read beside a word."""
    (tmp_path / "words").write_text("abcde\n" + "a" * 10_000_000 + "\nfghij")
    status, out, err = wordpack("solve", "--words", tmp_path / "words", "--count", "2")
    assert (status, out) == (0, "abcde fghij\n")
    assert "1 of 3 lines were dropped: 1 length" in err


def test_a_million_random_words_are_counted_right(tmp_path: Path) -> None:
    """Pairs of disjoint signatures and words, against a sum over letter sets in plain Python.

    A pair of signatures is disjoint if one lies in the complement of the other. Few letters are
    used, so that a million words have few signatures and very many duplicates.
    """
    letters = "abcdefghijkl"
    generator = random.Random(8)  # noqa: S311  no secret
    words = ["".join(generator.choices(letters, k=5)) for _ in range(1_000_000)]
    (tmp_path / "words").write_text("\n".join(words) + "\n")
    apart = {word for word in words if len(set(word)) == 5}
    sizes = Counter(frozenset(word) for word in apart)
    pairs = [(a, b) for a in sizes for b in sizes if not a & b]
    solutions = sum(sizes[a] * sizes[b] for a, b in pairs)
    done = run(f"wordpack solve --words {tmp_path}/words --count 2 --count-only")
    assert done.stdout == f"{len(pairs) // 2} packings, {solutions // 2} solutions\n"
    assert f"{1_000_000 - len(set(words)):,} duplicate" in done.stderr


def test_a_named_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    """It is read to its end however slowly it is filled."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def fill() -> None:
        with pipe.open("w") as stream:
            for word in ("fjord", "gucks", "nymph", "vibex", "waltz"):
                stream.write(word + "\n")
                stream.flush()
                time.sleep(0.01)

    threading.Thread(target=fill).start()
    assert run(f"wordpack solve --words {pipe}").stdout == "fjord gucks nymph vibex waltz\n"


def test_text_from_right_to_left_and_with_marks(wordpack: Command, tmp_path: Path) -> None:
    """Hebrew letters are an alphabet like any other; marks of direction are not letters."""
    words = "אבג\nדהו\nאב\u200fג\n\u202eזחט\nd\u0301hi\n"  # noqa: RUF001  they are Hebrew
    (tmp_path / "words").write_text(words, encoding="utf-8")
    options = ("--letters", "אבגדהוזחט", "--length", "3", "--count", "2")
    status, out, err = wordpack("solve", "--words", tmp_path / "words", *options)
    assert (status, out) == (0, "אבג דהו\n")
    assert "3 alphabet" in err
