"""Split a text into lines in an alphabet's small letters, with white space trimmed."""

from dataclasses import dataclass
from functools import cache
from operator import ne

import numpy as np
import numpy.typing as npt

from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import WHITE


@dataclass(frozen=True)
class Lines:
    """A text in small letters, its code points, and the bounds of its lines."""

    text: str
    codes: npt.NDArray[np.unsignedinteger]
    """uint8 if the text is ASCII, else uint32."""
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    @classmethod
    def of(cls, text: str) -> "Lines":
        """Return the lines of `text`, which end with LF."""
        if text.isascii():
            codes: npt.NDArray[np.unsignedinteger] = np.frombuffer(text.encode(), dtype=np.uint8)
        else:
            codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        ends = np.flatnonzero(codes == ord("\n"))
        if text and not text.endswith("\n"):
            ends = np.append(ends, len(text))
        starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
        return cls(text, codes, starts, ends)

    def trimmable(self) -> bool:
        """Return whether any line begins or ends with a character that is trimmed."""
        filled = self.ends > self.starts
        edges = self.codes[np.concatenate((self.starts[filled], self.ends[filled] - 1))]
        return bool(_white().take(edges, mode="clip").any())


@cache
def _white() -> npt.NDArray[np.bool_]:
    """Return which code points are trimmed; the last entry, False, serves all beyond it."""
    table = np.zeros(max(map(ord, WHITE)) + 2, dtype=bool)
    table[[ord(each) for each in WHITE]] = True
    return table


def lines_of(text: str, alphabet: Alphabet) -> tuple[Lines, int]:
    """Return the trimmed lines of `text`, and how many lines with a word were trimmed."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        # lines end with CR alone, perhaps with an LF that an editor added at the end
        if "\n" not in text[:-1]:
            text = text.replace("\r", "\n")
    lines = Lines.of(alphabet.spelt(text))
    if not lines.trimmable():
        return lines, 0
    before = lines.text.split("\n")
    # a blank line stays as it is, since the account shows the first one
    after = [line.strip(WHITE) or line for line in before]
    trimmed = sum(map(ne, before, after))
    return Lines.of("\n".join(after)), trimmed
