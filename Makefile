# Every target works alone on a machine that has only Python >= 3.11 and make: it builds .venv once, then runs.
# make PYTHON=python3.12 verify   chooses the interpreter;   make test ARGS=tests/nulls   passes arguments on.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Loops compiled by numba, machine code only, are kept outside the clone; a file is found by a digest of its source.
export NUMBA_CACHE_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/splitcrit-numba
TIMED := @timed() { name=$$1; start=$$(date +%s); shift; "$$@" || exit; echo "== $$name: $$(($$(date +%s) - start)) s"; }; timed
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

.PHONY: help verify rocq rocq-check rocq-mutants test test-all compiled lint format types docs docs-quick notebooks bench mutants dist lowest all clean
.DELETE_ON_ERROR:

help:
	@echo "make verify   settle every theorem            make test     run the tests, without the slow ones"
	@echo "make test-all  run every test, with many more examples"
	@echo "make rocq     compile the proofs in Rocq      make rocq-check  coqchk checks them again"
	@echo "make rocq-mutants  which proof notices a change of the library's source (a quarter of an hour)"
	@echo "make lint     ruff and codespell              make types    mypy, strict"
	@echo "make docs     build docs/_build/html          make bench    ratios against peers"
	@echo "make docs-quick  the same without verdicts, formulas and examples, in a minute"
	@echo "make notebooks  run them from clean kernels"
	@echo "make mutants  which small changes of the package its own tests do not notice (an hour or two; resumes)"
	@echo "make dist     source archive and wheel        make lowest   tests at the lower bounds of pyproject.toml"
	@echo "make all      lint types verify test docs     make clean    remove what the others made"

# Environments. The three layers form a chain, so that `make -j` never runs two pips in one environment.

$(VENV)/.made:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "splitcrit needs Python >= 3.11; got no command named $(PYTHON); name one with make PYTHON=..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "splitcrit needs Python >= 3.11; got $$("$(PYTHON)" --version 2>&1); name a newer one with make PYTHON=..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip' 2>/dev/null || { \
	  echo "an environment needs Python's ensurepip module; got none in $(PYTHON); install it (Debian and Ubuntu: the package python3-venv)" >&2; exit 1; }
	"$(PYTHON)" -m venv --clear $(VENV)
	$(TIMED) "install pip" $(PIP) install --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.verify: $(VENV)/.made pyproject.toml
	$(TIMED) "install for verify" $(PIP) install --editable '.[proofs,cli]'
	@touch $@

$(VENV)/.test: $(VENV)/.verify
	$(TIMED) "install for test" $(PIP) install --editable '.[proofs,cli,trees,plots,tables,dask,arrays]' --group test
	@touch $@

$(VENV)/.dev: $(VENV)/.test
	$(TIMED) "install for dev" $(PIP) install --group dev
	@touch $@

# What the project promises.

verify: $(VENV)/.verify
	$(BIN)/python -m splitcrit.proofs $(ARGS)

rocq: $(VENV)/.test
	$(BIN)/python -m splitcrit.proofs.rocq.check $(ARGS)

rocq-check: rocq
	@if command -v coqchk >/dev/null; then $(MAKE) -C proofs/rocq check; else echo "no coqchk: nothing checked"; fi

rocq-mutants: $(VENV)/.test
	$(BIN)/python -m splitcrit.proofs.rocq.mutants $(ARGS)

test: compiled
	$(PYTEST) -m "not slow" $(ARGS)

test-all: compiled
	HYPOTHESIS_PROFILE=thorough $(PYTEST) $(ARGS)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m "not slow" tests/contract

compiled: $(VENV)/.test
	$(TIMED) "compile" $(BIN)/splitcrit doctor --compile

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/codespell

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.dev
	$(BIN)/mypy

docs-quick: $(VENV)/.dev
	$(BIN)/sphinx-build --tag quick --quiet docs docs/_build/quick

docs: $(VENV)/.dev
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build/html

notebooks: $(VENV)/.dev
	$(BIN)/python notebooks/run.py $(ARGS)

bench: $(VENV)/.test
	$(PIP) install --editable '.[proofs,cli,trees,plots]'
	$(BIN)/python benchmarks/run.py $(ARGS)

mutants: $(VENV)/.test
	$(PIP) install --group mutants
	$(BIN)/python -m tools.mutation $(ARGS)

dist: $(VENV)/.dev
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

lowest: pyproject.toml
	@$(MAKE) VENV=$(VENV)-lowest $(VENV)-lowest/.made
	$(VENV)-lowest/bin/python .ci/lowest.py > $(VENV)-lowest/lowest.txt
	$(VENV)-lowest/bin/python -m pip --quiet install --constraint $(VENV)-lowest/lowest.txt --editable '.[proofs,cli,trees,plots,tables,dask,arrays]' --group test
	$(VENV)-lowest/bin/python -m pytest -m "not slow" $(ARGS)

all: lint types verify test docs

clean:
	rm -rf .venv .venv-* build dist docs/_build docs/generated .mypy_cache .pytest_cache .ruff_cache .hypothesis
