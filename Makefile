# Stemma needs Python 3.11 or later and make; everything else is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin
STORE ?= stemma-demo.db
PORT ?= 8000

.PHONY: help setup demo test lint format schema playground picture model evaluate lock clean

help: ## Say what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: .venv/ready ## Install Stemma and what its development needs into .venv

.venv/ready: requirements.lock pyproject.toml hatch_build.py src/stemma/server/playground/package-lock.json
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Stemma needs Python 3.11 or later; say make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

demo: setup ## Build a store from examples/, ask what builds on ZeRO-Infinity, serve the playground
	$(BIN)/stemma build examples --store $(STORE)
	$(BIN)/stemma lineage ZeRO-Infinity --store $(STORE)
	$(BIN)/stemma serve --store $(STORE) --port $(PORT)

test: setup lint ## Check style and types, run all tests
	$(BIN)/pytest -q --numprocesses auto --dist loadfile

lint: setup ## Check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: setup ## Tidy the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

schema: setup ## Renew schema/schema.graphql and docs/vocabulary.md
	$(BIN)/python -c "from stemma.server.graphql.schema import make_schema; print(make_schema().as_str())" \
		> src/stemma/schema/schema.graphql
	$(BIN)/python -m stemma.schema.vocabulary > docs/vocabulary.md

playground: setup ## Build the page at /graphql anew, after a change of server/playground
	rm -rf server/playground/dist
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .

picture: setup ## Renew docs/playground.png
	STEMMA_PICTURE=docs/playground.png $(BIN)/pytest -q tests/server/test_playground_browser.py -k picture

model: .venv/model ## Train the model that is shipped, from the data in STEMMA_SHARED
	PYTHONHASHSEED=0 $(BIN)/python -m stemma.extract.encoder.training model

evaluate: .venv/model ## Cross-validate the extraction over all annotated papers, write build/evaluation.html
	PYTHONHASHSEED=0 $(BIN)/python -m stemma.extract.encoder.training evaluate

.venv/model: .venv/ready
	test -x $(BIN)/uv || $(BIN)/pip install --quiet uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --group model
	touch $@

lock: ## Renew the locked dependencies from pyproject.toml
	test -x $(BIN)/uv || $(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
		--no-emit-index-url --no-emit-find-links --group dev pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
		--no-emit-index-url --no-emit-find-links --extra telemetry -c requirements.lock pyproject.toml -o requirements.runtime.lock

clean: ## Remove what was made, stores excepted
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis \
		server/playground/dist server/playground/node_modules
