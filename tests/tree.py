"""Where the project and its tests are, for tests in any room."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
