# The two to know: `make demo` shows it all, `make test` checks it all. Both set up what they need.

PYTHON ?= python3
BIN = .venv/bin

.PHONY: help demo test setup lint types proto proto-check imports tests soak bench calibrate docs format clean

help: ## Lists the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

demo: setup ## Submits the sample bots to a fresh league and lets them play a tournament
	@$(BIN)/caljack demo

test: lint types proto-check imports tests ## Runs every check

setup: .venv/.ready ## Makes .venv with all that the project needs
.venv/.ready: pyproject.toml constraints.txt scripts/setup.sh
	@PYTHON="$(PYTHON)" ./scripts/setup.sh

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy sdk referee scripts
	$(BIN)/mypy tests
	for bot in sample_bots/*/bot.py; do $(BIN)/mypy $$bot || exit 1; done
	MYPYPATH=bot_templates/python $(BIN)/mypy bot_templates/python

proto-check: setup
	$(BIN)/buf lint proto
	PYTHON="$(PYTHON)" ./scripts/generate.sh --check

imports: setup
	$(BIN)/lint-imports

tests: setup
	@command -v node >/dev/null && command -v npm >/dev/null || \
	    echo "Node.js or npm is missing: the tests of the JavaScript bot are left out."
	$(BIN)/pytest

proto: setup ## Generates the Python code of the protocol from proto/
	PYTHON="$(PYTHON)" ./scripts/generate.sh

soak: setup ## Runs the long forms of the tests, for half an hour at most; prints what they measured
	$(BIN)/pytest -m soak -s tests

bench: setup ## Measures how fast it all is, as ratios of one run; JSON in build/bench.json (make bench CHECK=--check)
	@mkdir -p build
	$(BIN)/python scripts/bench.py $(CHECK) --output build/bench.json

calibrate: setup ## Checks the statistics against simulated players, for some minutes (make calibrate PARTS="sprt means")
	$(BIN)/python scripts/calibrate.py $(PARTS)

docs: setup ## Builds the documentation into build/site, to be opened at build/site/index.html
	$(BIN)/mkdocs build

format: setup ## Formats the code
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .

clean: ## Removes what the targets above have made
	rm -rf .venv .venv-proto .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
