# From a fresh clone: `make race` for the leaderboard, `make test` for the tests.
#
#   make race [BUDGET=900] [INSTANCE=wordle]  race the backends, each within BUDGET seconds (10)
#   make test [TESTS=tests/racing/test_race.py]      run the quick tests, or all tests of a file
#   make check                                run all that CI runs: linters, types, every test
#   make bench MACHINE=i7-2010                run the asv suite for HEAD; you name the machine
#   make bench-quick [MACHINE=i7-2010]        compare the backends in one table, a minute
#   make report [RESULTS='docs/results .asv/results race.json'] [OUTPUT=report.html]
#                                             one page of results of any machines
#   make docs                                 build the documentation in site/
#   make figures                              print the figures of the scripts in bench/: start-up,
#                                             threads, reading, stages, growth, devices, ladder,
#                                             games
#   make bench-c PROGRAMS='...' WORDS=...     time our engine beside built C programs
#   make clean                                remove everything these commands created
#
# PYTHON=python3.13 chooses the interpreter and VENV=folder the environment. EXTRAS=cuda12 adds an
# extra for tests and benchmarks. CONSTRAINTS=ci/constraints.txt installs CI's pinned versions.

PYTHON ?= python3
VENV ?= .venv
BUDGET ?= 10
INSTANCE ?= parker
TESTS ?= tests
CONSTRAINTS ?=
MACHINE ?=
RESULTS ?= docs/results $(wildcard .asv/results)
OUTPUT ?= report.html
EXTRAS ?=
PROGRAMS ?=
WORDS ?=
COMMA = ,
MORE = $(if $(EXTRAS),$(COMMA)$(EXTRAS))
BIN = $(VENV)/bin
SOURCES = pyproject.toml README.md LICENSE \
	$(shell find src baselines kernels -name '*.py' -o -name '*.gz' -o -name '*.json' \
	-o -name '*.md' -o -name '*.c' -o -name '*.c[lu]' -o -path 'src/wordpack/report/templates/*')
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
PINNED = $(if $(CONSTRAINTS),-pinned)
MADE = $(VENV)/made-for-$(VERSION)
MEASURING = $(VENV)/installed-for-bench$(if $(EXTRAS),-$(EXTRAS))$(PINNED)
# an old build folder would put deleted files into the wheel
INSTALL = rm -rf build && $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	$(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))

.PHONY: race test test-all check lint bench bench-quick report docs figures bench-c clean

race: $(VENV)/installed$(PINNED)
	$(BIN)/wordpack race $(INSTANCE) --budget $(BUDGET)

# on all cores, at most eight, because each worker loads and compiles everything that it tests
WORKERS ?= logical
PYTEST = $(BIN)/pytest -n $(WORKERS) --maxprocesses 8 --dist worksteal

test: $(VENV)/installed-for-tests$(PINNED)
	$(PYTEST) $(if $(filter-out tests,$(TESTS)),,-m "not slow") $(TESTS)

check: lint test-all

test-all: $(VENV)/installed-for-tests$(PINNED)
	$(PYTEST) $(TESTS)

lint: $(VENV)/installed-for-checks$(PINNED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	cd tests && $(abspath $(BIN))/mypy --config-file ../pyproject.toml

ifeq ($(strip $(MACHINE)),)
bench:
	$(error make bench needs MACHINE=..., what to call this machine in all results: i7-2010)
else
bench: $(MEASURING)
	$(BIN)/wordpack machine --name $(MACHINE)
	WORDPACK_EXTRAS=$(EXTRAS) $(BIN)/asv run --machine $(MACHINE) HEAD^!
endif

bench-quick: $(MEASURING)
	$(BIN)/pytest bench/comparison --quiet --benchmark-name=short --benchmark-sort=min \
		--benchmark-columns=min,median,iqr,rounds $(if $(MACHINE),--benchmark-autosave \
		--benchmark-storage=file://.asv/comparison/$(MACHINE))

report: $(VENV)/installed-for-report$(PINNED)
	$(BIN)/wordpack report $(RESULTS) --output $(OUTPUT)

docs: $(VENV)/installed-for-docs$(PINNED)
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -c docs . site
	@echo "open site/index.html"

figures: $(VENV)/installed$(PINNED)
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/threads.py
	$(BIN)/python bench/reading.py
	$(BIN)/python bench/stages.py
	$(BIN)/python bench/growth.py
	$(BIN)/python bench/devices.py
	$(BIN)/python bench/ladder.py
	$(BIN)/python bench/games.py

# if an argument is missing, fail before installing anything
ifeq ($(and $(strip $(PROGRAMS)),$(strip $(WORDS))),)
bench-c:
	$(error make bench-c needs PROGRAMS='...', built programs of github.com/stew675/standup5x5, and WORDS=..., their words_alpha.txt)
else
bench-c: $(VENV)/installed$(PINNED)
	$(BIN)/python bench/beside_c.py --words $(WORDS) $(PROGRAMS)
endif

clean:
	rm -rf $(VENV) .asv/env build site docs/algorithms src/wordpack.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# A stamp file records an installation from these sources, so that a second call starts at once. The
# package is installed as for a user, not in place, so that the tests see what a wheel holds.
$(VENV)/installed$(PINNED): $(MADE) $(SOURCES) $(CONSTRAINTS)
	$(INSTALL) . && touch $@

$(MEASURING): $(MADE) $(SOURCES) $(CONSTRAINTS)
	$(INSTALL) '.[bench,opencl$(MORE)]' && touch $@ $(VENV)/installed$(PINNED)

$(VENV)/installed-for-report$(PINNED): $(MADE) $(SOURCES) $(CONSTRAINTS)
	$(INSTALL) '.[report]' && touch $@ $(VENV)/installed$(PINNED)

$(VENV)/installed-for-docs$(PINNED): $(MADE) $(SOURCES) $(CONSTRAINTS)
	$(INSTALL) '.[docs]' && touch $@ $(VENV)/installed$(PINNED)

$(VENV)/installed-for-tests$(PINNED): $(MADE) $(SOURCES) $(CONSTRAINTS)
	$(INSTALL) '.[test,bench$(MORE)]' && touch $@ $(VENV)/installed$(PINNED)

$(VENV)/installed-for-checks$(PINNED): $(MADE) $(SOURCES) $(CONSTRAINTS)
	$(INSTALL) '.[test,bench,check,docs$(MORE)]' && touch $@ $(VENV)/installed$(PINNED) $(VENV)/installed-for-tests$(PINNED)

# The stamp's name has the Python version, so another PYTHON recreates the environment.
$(MADE):
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) was not found: install Python 3.11 or later, or name one with PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is `$(PYTHON) -V 2>&1`, and wordpack needs Python 3.11 or later: name one with PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "make: $(PYTHON) lacks venv or ensurepip: install them (Debian and Ubuntu: apt install python3-venv; Fedora: dnf install python3-pip)" >&2; exit 2; }
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV) && touch $@
