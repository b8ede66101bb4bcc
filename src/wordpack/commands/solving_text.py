"""What `wordpack solve` tells a person: its summary on standard error, and --explain."""

from wordpack.backend import choosing, fallback
from wordpack.backend.base import Options
from wordpack.backend.row import Row
from wordpack.commands.faults import with_options
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.rules import RULES
from wordpack.solving.loading import Loaded
from wordpack.solving.report import Report
from wordpack.text.formatting import counted, duration


def explanation(loaded: Loaded) -> str:
    """Return what was read and what was dropped, one item per line."""
    lines = [RULES, "", *_letters(Alphabet(loaded.spec.letters))]
    for words, signatures, part in zip(
        loaded.lexicons, loaded.signatures, loaded.spec.groups, strict=True
    ):
        lines.append(f"{words.name}: {words.lines:,} lines, pick {part.count}")
        lines.append(f"  {words.trimmed:>9,} trimmed")
        for kind, count in words.dropped.counts().items():
            example = f"  the first: {words.examples[kind]!r}" if kind in words.examples else ""
            lines.append(f"  {count:>9,} dropped: {kind}{example}")
        lines.append(f"  {len(words):>9,} words kept, with {len(signatures):,} signatures")
    lines += lost(loaded)
    if loaded.problem.impossible:
        lines.append(loaded.problem.impossible)
    return "\n".join(lines)


def _letters(alphabet: Alphabet) -> list[str]:
    """Return the lines about letters with other forms than one lower case and one upper case."""
    lines = []
    if alphabet.unusual:
        pairs = ", ".join(" = ".join(forms) for forms in alphabet.unusual)
        lines.append(f"read as one letter: {pairs}")
    if alphabet.has_jamo:
        lines.append("the alphabet has conjoining jamo: Hangul syllables are split into jamo")
    return lines


def lost(loaded: Loaded) -> list[str]:
    """Return a line for each list that loses most words of its length to the alphabet."""
    parts = zip(loaded.lexicons, loaded.spec.groups, strict=True)
    said = (words.lost_to_alphabet(part.length) for words, part in parts)
    return [with_options(line) for line in dict.fromkeys(said) if line]


def how(loaded: Loaded, backend: str, options: Options) -> str:
    """Return the backend that would solve it, and the backend's plan if it has one."""

    def plan(row: Row) -> list[str]:
        return row.load().explain(loaded.problem, loaded.spec.letters, options)

    row, times, lines, unusable = fallback.prepared(
        lambda unusable: choosing.choose(backend, loaded.problem, options, unusable),
        plan,
        auto=backend == "auto",
    )
    instead = fallback.said(row, unusable)
    why = [with_options(instead)] if instead else []
    head = [f"{row.name}: {row.summary}", *why, *_compared(times)]
    return "\n".join(head + lines)


def _compared(times: dict[str, float]) -> list[str]:
    """Return the line with the estimated times by which a counting backend was chosen."""
    if len(times) < 2:  # noqa: PLR2004  only one could count
        return []
    order = sorted(times, key=lambda name: times[name])
    return ["about " + ", ".join(f"{duration(times[name])} by {name}" for name in order)]


def summary(report: Report) -> str:
    """Return what was found, how it was verified, and the times, one item per line."""
    strength = {
        "expected": "as expected: the counts and the digest known for this instance",
        "agreed": f"{report.agreed_with} counts the same by another algorithm",
        "valid": "every row is valid; completeness is not shown",
        None: "not verified, so no search time is shown",
    }[report.verified]
    if report.loaded.problem.impossible:
        few = report.loaded.problem.has_too_few
        strength = "too few words are left" if few else "counting letters proves it"
    elif report.verified == "expected" and report.digest is None:
        strength = "as expected: the counts known for this instance"
    packings = counted(report.counts.packings, "packing")
    solutions = counted(report.counts.solutions, "solution")
    times = ", ".join(
        f"{what} {duration(taken)}" for what, taken in report.seconds.items() if taken
    )
    lines = [
        f"{packings}, {solutions} ({strength})",
        f"{report.row.name} on {report.search.device}: {times}",
        *_compared(report.estimates),
    ]
    gone = {kind: n for kind, n in report.loaded.dropped.counts().items() if n}
    if gone:
        total = sum(words.lines for words in report.loaded.lexicons)
        kinds = ", ".join(f"{n:,} {kind.replace('_', ' ')}" for kind, n in gone.items())
        lines.append(f"{sum(gone.values()):,} of {total:,} lines were dropped: {kinds}")
    if not report.counts.packings:
        lines += lost(report.loaded)
    if report.work:
        lines.append(", ".join(f"{name} {n:,}" for name, n in report.work.items()))
    if report.loaded.problem.impossible:
        lines.append(report.loaded.problem.impossible)
    if report.streamed and not report.cluster:
        lines.append("too many rows to sort: listed in search order")
    if report.cluster:
        lines.append(_shared(report))
    return "\n".join(lines)


def _shared(report: Report) -> str:
    """Return how a cluster shared the work."""
    slices, resumed = report.cluster["slices"], report.cluster["resumed"]
    line = f"{counted(slices, 'slice')}, {duration(report.cluster['busy_seconds'])} of work"
    if resumed:
        line += f"; {resumed:,} were kept from an earlier run, so no search time is shown"
    return line
