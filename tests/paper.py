"""Feedback as it is worked out on paper, which shares no code with the package."""


def crossed_out(guess: str, answer: str) -> str:
    """Cross letters out on paper: those in place first, then each guess letter its first match."""
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
