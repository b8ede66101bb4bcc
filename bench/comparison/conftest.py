"""Make pytest-benchmark store the machine with its GPU, and no time of a wrong answer.

It leaves failed benchmarks out of its files, but not out of its table.
"""

from typing import Any

import pytest

from wordpack.machine import hardware

failed: set[str] = set()


def pytest_benchmark_update_machine_info(machine_info: dict[str, Any]) -> None:
    """Add our description of this machine to pytest-benchmark's."""
    machine_info["wordpack"] = hardware.describe()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record which benchmarks failed, in any phase."""
    if report.failed:
        failed.add(report.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_benchmark_group_stats(benchmarks: list[dict[str, Any]]) -> None:
    """Leave failed benchmarks out of the table, and let pytest-benchmark group the others."""
    benchmarks[:] = [each for each in benchmarks if each["fullname"] not in failed]
