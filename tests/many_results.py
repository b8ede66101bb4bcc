"""Made-up measurements of many machines, backends, instances and commits, for the page's size.

`python tests/many_results.py PAGE.html [machines backends instances commits]` writes their page.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from time import perf_counter

from wordpack.report import page
from wordpack.report.latest import latest, usual
from wordpack.report.level_shifts import Step
from wordpack.report.measurements import Key, Measurements, Point, Series, State
from wordpack.report.regressions import Verdict


def many(
    machines: int = 20, backends: int = 10, instances: int = 10, commits: int = 200
) -> tuple[Measurements, dict[Key, list[Step]]]:
    """Return measurements of the search only, with a change in every seventh line."""
    rng = random.Random(2022)  # noqa: S311  not a secret
    found, steps = Measurements(), {}
    search = Series("search", "Search: from prepared inputs to the complete answer", "seconds")
    hashes = [f"{rng.getrandbits(160):040x}" for _ in range(commits)]
    for m in range(machines):
        machine = found.machine(f"machine-{m}", {"cpu": f"processor {m}", "memory": "16.0 GiB"})
        origins = [
            found.origin(f"results/{machine}/{each[:8]}-py3.11.json", f"asv run {each}^!", "Python")
            for each in hashes
        ]
        for b in range(backends):
            for i in range(instances):
                key = Key(machine, "search", f"backend_{b}", f"instance-{i}", "", "py3.11")
                level = 10 ** rng.uniform(-4, 1)
                change = commits // 2 if (m + b + i) % 7 == 0 else commits
                if change < commits:
                    steps[key] = [Step(change, Verdict.SLOWER, level, 1.3 * level, seen=5)]
                for c, commit in enumerate(hashes):
                    value = level * rng.uniform(0.97, 1.03) * (1.3 if c >= change else 1)
                    date = 1_700_000_000_000 + 86_400_000 * c
                    point = (
                        Point(commit, date, State.FAILED, origins[c], reason="it failed")
                        if rng.random() < 0.01
                        else Point(
                            commit, date, State.MEASURED, origins[c],
                            value, 0.98 * value, 1.03 * value, 11,
                        )
                    )  # fmt: skip
                    found.add(key, search, point)
    return found, steps


if __name__ == "__main__":
    found, steps = many(*map(int, sys.argv[2:]))
    began = perf_counter()
    about = page.About(
        ("made up",), "python tests/many_results.py", "0", "2026", usual(latest(found))
    )
    text = page.render(found, about, steps)
    Path(sys.argv[1]).write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(text):,} characters in {perf_counter() - began:.1f} s\n")
