"""How lines, words and alphabets are read, in plain Python: a check on the reader's own code."""

from unicodedata import combining, normalize

MOST_LETTERS = 64

WIDTHLESS = {0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF}

DOTLESS, DOTTED = "\u0131", "\u0130"
"""The letters that make an alphabet Turkic."""

THETA, THETA_SYMBOL = "\u03b8", "\u03f4"
"""The symbol is a capital without its own lower-case letter: lower() gives theta."""

SPECIAL = {"Σ": "\u03c3", "ς": "\u03c3", "ẞ": "ß", THETA_SYMBOL: THETA_SYMBOL}


def plain_lines(text: str) -> list[str]:
    """Return the lines, trimmed unless they hold nothing but white space."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if "\n" not in text.removesuffix("\n"):
        text = text.replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [plain_trimmed(line) or line for line in lines]


def plain_trimmed(line: str) -> str:
    """Return a line without the white space at its ends."""

    def empty(character: str) -> bool:
        return character.isspace() or ord(character) in WIDTHLESS

    while line and empty(line[0]):
        line = line[1:]
    while line and empty(line[-1]):
        line = line[:-1]
    return line


def plain_spelt(text: str, letters: str) -> str:
    """Return `text` in lower case, each letter of the alphabet as one character."""
    special = SPECIAL | {THETA: THETA_SYMBOL}
    if DOTLESS in letters or DOTTED in letters:
        special |= {"I": DOTLESS, DOTTED: "i"}
    alphabet = plain_alphabet(letters) or ""
    # the letters whose only capital is two characters
    capitals = {normalize("NFC", each.upper()): each for each in alphabet if each != each.upper()}
    text = normalize("NFC", text)
    for capital, small in capitals.items():
        if len(capital) == 2 and combining(capital[1]):  # noqa: PLR2004  a letter and its mark
            text = text.replace(capital, small)
    found = []
    for each in text:
        small = special[each] if special.get(each) in {*alphabet} else each.lower()
        if each == THETA_SYMBOL and THETA in alphabet:
            small = each
        found.append(small if len(small) == 1 else each)
    return "".join(found)


def plain_alphabet(letters: str) -> str | None:
    """Return an alphabet's letters in lower case, None if it must be refused."""
    each: list[str] = []
    for character in letters:
        if character.isspace() or character == ",":
            return None
        if each and combining(character):
            each[-1] += character
        else:
            each.append(character)
    each = [normalize("NFC", letter) for letter in each]
    turkic = {DOTLESS, DOTTED} & {*each}
    special = SPECIAL | ({"I": DOTLESS, DOTTED: "i"} if turkic else {})
    small = [special.get(letter) or normalize("NFC", letter.lower()) for letter in each]
    if not 1 <= len(small) <= MOST_LETTERS or any(len(letter) != 1 for letter in small):
        return None
    if any(not letter.isprintable() or combining(letter) for letter in small):
        return None
    shared = [letter if letter in ("i", DOTLESS) else letter.lower().upper() for letter in small]
    return "".join(small) if len({*shared}) == len(shared) else None
