# From a fresh clone: `make race` for the leaderboard, `make test` for the tests.
#
#   make race [BUDGET=10] [INSTANCE=wordle]   race the backends, each within BUDGET seconds
#   make test [TESTS=tests/test_race.py]      run the tests
#   make check                                all that CI runs: linters, types, tests
#   make bench                                the ratios of bench/startup.py
#   make clean                                remove what these made
#
# PYTHON=python3.13 chooses the interpreter; CONSTRAINTS=ci/constraints.txt pins what is installed.

PYTHON ?= python3
BUDGET ?= 900
INSTANCE ?= parker
TESTS ?= tests
CONSTRAINTS ?=
VENV = .venv
BIN = $(VENV)/bin
SOURCES = pyproject.toml README.md LICENSE $(shell find wordpack baselines -name '*.py' -o -name '*.gz' -o -name '*.json')
INSTALL = rm -rf build && $(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))

.PHONY: race test check lint bench clean

race: $(VENV)/installed
	$(BIN)/wordpack race $(INSTANCE) --budget $(BUDGET)

test: $(VENV)/installed-for-tests
	$(BIN)/pytest $(TESTS)

check: lint test

lint: $(VENV)/installed-for-checks
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/installed
	$(BIN)/python bench/startup.py

clean:
	rm -rf $(VENV) build wordpack.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# A stamp says what is installed from which sources, so that a second call starts at once. The
# package is installed as a user has it, not in place: the tests see what a wheel holds.
$(VENV)/installed: $(VENV)/made $(SOURCES)
	$(INSTALL) . && touch $@

$(VENV)/installed-for-tests: $(VENV)/made $(SOURCES)
	$(INSTALL) '.[test]' && touch $@ $(VENV)/installed

$(VENV)/installed-for-checks: $(VENV)/made $(SOURCES)
	$(INSTALL) '.[test,check]' && touch $@ $(VENV)/installed $(VENV)/installed-for-tests

$(VENV)/made:
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) was not found: install Python 3.11 or later, or name one with PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is `$(PYTHON) -V 2>&1`, and wordpack needs Python 3.11 or later: name one with PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "make: $(PYTHON) lacks venv or ensurepip: install them (Debian and Ubuntu: apt install python3-venv; Fedora: dnf install python3-pip)" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV) && touch $@
