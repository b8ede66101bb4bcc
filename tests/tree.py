"""The folders of the project and of its tests."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
