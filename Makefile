# Everything starts here: `make run` for a first look, `make test` for all tests.
# Needs Python 3.11 or newer and make; sets up .venv by itself and does so again only when its inputs changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DOCS ?= docs

.DEFAULT_GOAL := help
.PHONY: help install run serve test soak check fix export-schema bench wheel constraints clean

help: ## show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort | awk -F '\t' '{ printf "%-15s %s\n", $$1, $$2 }'

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'GraphMem needs Python 3.11 or newer: make PYTHON=python3.12 …' >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

install: $(STAMP) ## set up .venv

run: $(STAMP) ## start GraphMem with its own docs in it, show a search and the addresses; Ctrl-C ends it
	@$(BIN)/graphmem tour $(DOCS)

serve: $(STAMP) ## run the service in the foreground
	@$(BIN)/graphmem serve

test: $(STAMP) ## every test but the long runs
	@$(BIN)/python -m tests.prepare_neo4j
	$(BIN)/python -m pytest -m "not soak" $(ARGS)

soak: $(STAMP) ## the long runs
	$(BIN)/python -m pytest -m soak $(ARGS)

check: $(STAMP) ## lint, format and types, without changing anything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: $(STAMP) ## put right what can be put right by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

export-schema: $(STAMP) ## write schema/graphmem.graphql and schema/graph.cypher anew from the code
	$(BIN)/python -m graphmem.api.export_schema
	$(BIN)/python -m tests.export_graph_schema

bench: $(STAMP) ## measure: make bench MEMORIES=10000, or CORPUS=… QUERIES=… for the quality of search
	$(BIN)/graphmem bench $(if $(CORPUS),search --corpus $(CORPUS) --queries $(QUERIES),speed --memories $(or $(MEMORIES),10000))

wheel: $(STAMP) ## build dist/graphmem-….whl
	$(BIN)/python -m build --wheel

constraints: $(STAMP) ## pin every package to what .venv holds now
	@{ echo '# Every package of the development environment, pinned. Written by `make constraints`.'; \
	   $(BIN)/python -m pip freeze --disable-pip-version-check --exclude-editable --exclude graphmem; } > constraints.tmp
	@mv constraints.tmp constraints.txt && touch $(STAMP)

clean: ## remove .venv and everything that was built; stores and jars stay
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find graphmem tests -name __pycache__ -type d -prune -exec rm -rf {} +
