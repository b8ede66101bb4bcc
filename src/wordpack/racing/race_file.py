"""The JSON file of a race."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from wordpack import __version__
from wordpack.racing.entry import Entry, Lineup


def as_json(
    lineup: Lineup,
    entries: Sequence[Entry],
    against: Entry | None,
    *,
    started: str,
    machine: dict[str, Any],
    finished: bool,
) -> dict[str, Any]:
    """Return a race as a document that fits wordpack/schemas/race.json.

    `entries` are in ranked order; `against` is the baseline.
    """
    expected = lineup.instance.expected
    return {
        "schema": 1,
        "wordpack": __version__,
        "started": started,
        "finished": finished,
        "instance": lineup.instance.name,
        "expected": asdict(expected) if expected else None,
        "budget": lineup.budget,
        "repeat": lineup.repeat,
        "threads": lineup.threads,
        "baseline": against.row.name if against else None,
        "machine": machine,
        "backends": [
            {
                "backend": entry.row.name,
                "status": entry.status,
                "reason": entry.reason,
                "device": entry.device,
                "using": entry.using,
                "device_facts": entry.facts,
                "readings": entry.readings,
                "seconds": {
                    "prepare": entry.prepare,
                    "first": entry.first,
                    "median": entry.median,
                    "samples": entry.times,
                },
                **{column: entry.found.get(column) for column in lineup.workload.columns},
                "digest": entry.digest,
                "verified": entry.verified,
            }
            for entry in entries
        ],
    }
