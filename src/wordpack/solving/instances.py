"""The named problems with their known answers, and KxL families."""

import re
from dataclasses import dataclass, replace

from wordpack.errors import InputError
from wordpack.solving.spec import GroupSpec, Source, Spec, group_spec
from wordpack.text.formatting import nearest


@dataclass(frozen=True)
class Expected:
    """An instance's known answer, found by two programs that share no code (see `source`)."""

    packings: int
    solutions: int
    digest: str | None = None


@dataclass(frozen=True)
class Instance:
    """A named problem."""

    name: str
    title: str
    spec: Spec
    expected: Expected | None = None
    source: str = ""
    """Where its counts were published, or how they were computed."""
    workload: str = "packing"


def _five(name: str, **rules: bool | int | tuple[Source, ...]) -> Spec:
    base = GroupSpec(Source(name), count=5, length=5)
    return Spec((replace(base, **rules),))  # type: ignore[arg-type]


_TWO_WAYS = "by rarest_letter and filtered_lists, which share no code"

INSTANCES: dict[str, Instance] = {
    instance.name: instance
    for instance in (
        Instance(
            "parker",
            "5 words of words_alpha with 25 different letters",
            _five("words_alpha"),
            Expected(538, 831, "40e4126b2e0d76b975ec074c46f0e4207235eec767118f390c1d429653115452"),
            f"published by Matt Parker's viewers (2022); digest {_TWO_WAYS}",
        ),
        Instance(
            "parker-words",
            "the same, with anagrams as separate words",
            _five("words_alpha", keep_anagrams=True),
            Expected(831, 831, "26e4c18e193dba3c164ed93dd5e6e3fe5c212c8fcaee5e580325786286e37b72"),
            f"published by davidad (dancing links); digest {_TWO_WAYS}",
        ),
        Instance(
            "wordle",
            "5 words of Wordle's original list",
            _five("wordle"),
            Expected(10, 11, "1e53e739b54ad5d93a10ce465982eef9c711c954fca3460e897353ee4a9a5c75"),
            f"published by Brian Jones (filtered lists); digest {_TWO_WAYS}",
        ),
        Instance(
            "wordle-12974",
            "5 words of the list of the Rust dancing-links program",
            _five("wordle-12974"),
            Expected(10, 11, "1e53e739b54ad5d93a10ce465982eef9c711c954fca3460e897353ee4a9a5c75"),
            f"published by davidad (dancing links); digest {_TWO_WAYS}",
        ),
        Instance(
            "wordle-12947",
            "5 words of the C neighbour-pairs program's list, at most two vowels each",
            _five("wordle-12947", max_vowels=2),
            Expected(10, 11, "1e53e739b54ad5d93a10ce465982eef9c711c954fca3460e897353ee4a9a5c75"),
            f"published by Lukakva (neighbour pairs); digest {_TWO_WAYS}",
        ),
        Instance(
            "both",
            "5 words that are in both words_alpha and wordle-12974",
            _five("words_alpha", shared_with=(Source("wordle-12974"),)),
            Expected(1, 1, "ce357fa2cbff27b36e1b65ef54502cb58312f60275d70d9a209fab9314e7f771"),
            f"published by davidad (dancing links); digest {_TWO_WAYS}",
        ),
        Instance(
            "wrong-wordle",
            "an answer of answers-2331 and six guesses that share no letter with it or each other",
            Spec(
                (
                    GroupSpec(Source("answers-2331"), count=1, length=5, repeats=True),
                    GroupSpec(Source("wordle-guesses"), count=6, length=5, repeats=True),
                )
            ),
            Expected(
                565_783,
                1_122_348,
                "b0d7710c975006d6b6c2c4f156fd0253560fb8ae45a2232b7c5c434142eca749",
            ),
            "'Optimally wrong Wordle' by pure-chance, packings corrected from 1,131,566, which "
            "counted each in two orders; digest by partitioned_triples and filtered_arrays, "
            "which share no code",
        ),
        Instance(
            "toy",
            "5 words of a list of fifty, small enough for every backend",
            _five("toy"),
            Expected(5, 10, "9251c9dc2d30f343d723d6acfeccd896c1b27cc37fd953939087435cfd03fd11"),
            "by itertools.combinations over the fifty words, without this package",
        ),
    )
}

COUNTED: dict[str, Expected] = {
    "1x5": Expected(5_977, 10_175),
    "4x5": Expected(26_133_319, 56_692_666),
    "4x6": Expected(5, 5),
    "5x4": Expected(3_798_887_026, 15_312_359_714),
    "6x4": Expected(41_658_816, 111_898_839),
    "7x3": Expected(470_983_892_906, 5_688_839_367_648),
    "8x3": Expected(66_565_740_391, 704_865_566_084),
    "13x2": Expected(152_715_448_791, 24_444_045_205_461),
    "3x7": Expected(1_593, 1_877),
    "3x8": Expected(0, 0),
    "2x9": Expected(753, 798),
    "2x10": Expected(1, 1),
    "2x11": Expected(0, 0),
    "2x12": Expected(0, 0),
    "2x13": Expected(0, 0),
}
"""Families of words_alpha whose counts were found by two backends that share no code."""

_TWO_COUNTERS = "by subset_sums and merged_states, which share no code, with --count-only"

FAMILY = re.compile(r"(?P<count>[0-9]{1,30})x(?P<length>[0-9]{1,30})(?:@(?P<list>.+))?")


def instance(name: str) -> Instance:
    """Return a named instance, or the family `KxL` or `KxL@LIST`; raise InputError for others."""
    if name in INSTANCES:
        return INSTANCES[name]
    spec = _family(name)
    if spec is None:
        raise InputError(
            f"no instance is called {name}{nearest(name, list(INSTANCES))} "
            "(or a family such as 5x5@wordle: five words of five different letters)"
        )
    return identify(name, spec)


def identify(name: str, spec: Spec) -> Instance:
    """Return an instance of `spec` called `name`, with its expected answer if it is known."""
    for known in INSTANCES.values():
        if known.spec == spec:
            return replace(known, name=name)
    lists = " and ".join(
        f"{part.count} x {part.length} letters of {part.source.name}" for part in spec.groups
    )
    for family, expected in COUNTED.items():
        if spec == _family(family):
            return Instance(name, lists, spec, expected, _TWO_COUNTERS)
    return Instance(name, lists, spec)


def _family(name: str) -> Spec | None:
    """Return the spec of `KxL` or `KxL@LIST`; None if `name` is neither."""
    family = FAMILY.fullmatch(name)
    if not family:
        return None
    count, length = int(family["count"]), int(family["length"])
    return Spec((group_spec(family["list"] or "words_alpha", count, length),))
