# Needs Python 3.11 or later and make; everything else is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin
# tests/conftest.py puts the slowest groups first.
PYTEST := pytest -q --numprocesses auto --dist loadgroup --no-loadscope-reorder
STORE ?= stemma.db
PORT ?= 8000
# Containers often set this. The tests start hundreds of processes, and each would recompile
# its imports.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: help setup demo test tests quick nightly soak coverage benchmark lint format hooks docs schema playground picture model teachers evaluate lock clean

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: .venv/ready ## Install Stemma and its development tools into .venv

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Stemma needs Python 3.11 or later: run make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv || { rm -rf .venv; echo "On Debian and Ubuntu: apt install python3-venv"; exit 1; }

# uv needs a third of the time, where it can be installed.
INSTALL = test -x $(BIN)/uv || $(BIN)/pip install --quiet --no-compile uv; \
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $< || \
	$(BIN)/pip install --quiet --require-hashes -r $<

.venv/locked: requirements.lock | .venv/bin/python
	$(INSTALL)
	touch $@

.venv/ready: .venv/locked pyproject.toml hatch_build.py src/stemma/server/playground/package-lock.json
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

# What Stemma needs, and nothing that it is developed with.
.venv/plain: requirements.runtime.lock pyproject.toml hatch_build.py | .venv/bin/python
	$(INSTALL)
	$(BIN)/pip install --quiet --no-deps -e .
	touch $@

# In an environment with the development tools there is nothing to install. Ctrl-C ends the server, and is no error.
demo: $(or $(wildcard .venv/ready),.venv/plain) ## Install Stemma into .venv, build a store from examples/, ask a question, start the server
	$(BIN)/stemma build examples --store $(STORE)
	$(BIN)/stemma lineage ZeRO-Infinity --store $(STORE)
	@echo
	@echo "To use it afterwards: source .venv/bin/activate, then stemma --help"
	@echo "(or call .venv/bin/stemma). The store is $(STORE)."
	@echo
	@trap : INT; $(BIN)/stemma serve --store $(STORE) --port $(PORT) || test $$? -eq 130

test: ## Run all checks, and all tests but those that take long, in parallel
	$(MAKE) --jobs lint docs tests

# Else each of the processes that run the tests compiles all libraries and tests itself.
.venv/compiled: .venv/ready
	$(BIN)/pytest --quiet --collect-only >/dev/null || true  # The tests themselves report failures.
	touch $@

tests: setup .venv/compiled ## Run all tests but those that take long
	$(BIN)/$(PYTEST)

quick: setup ## Run the tests that need neither a server nor a browser (about a minute)
	$(BIN)/$(PYTEST) -p no:schemathesis --ignore tests/server/fuzzing \
		--ignore training/tests/test_learning.py -m \
		"not (neo4j or jena or browser or npm or packaging or process or slow or soak or long)"

nightly: ## Run all checks and all tests, also those that take long (about 20 minutes)
	STEMMA_NIGHTLY=1 $(MAKE) --jobs lint docs tests

soak: setup ## Run the tests with random inputs for hours
	STEMMA_NIGHTLY=1 STEMMA_SOAK=1 STEMMA_HYPOTHESIS=soak STEMMA_MUTATIONS=26000 STEMMA_KILLS=1 STEMMA_FUZZ_MINUTES=60 \
		$(BIN)/$(PYTEST) -m "soak or hypothesis or long"

coverage: setup ## Run the tests and report uncovered lines
	$(BIN)/coverage erase
	$(BIN)/coverage run -m $(PYTEST)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

benchmark: setup ## Run all benchmarks on CORPUS (a file of papers), write their table in docs/benchmarks.md
	$(BIN)/python benchmarks/run_all.py --corpus $(or $(CORPUS),$(error Name a file of papers: make benchmark CORPUS=papers.jsonl.gz))

# Stemma itself need not be installed for these, which takes as long as they do.
lint: .venv/locked ## Check style, types, the direction of imports, and the size of the code
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	MYPYPATH=src $(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports
	$(BIN)/python tests/size.py

format: setup ## Format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

hooks: setup ## Run the quick checks before every commit
	$(BIN)/pre-commit install

# With --quiet, --strict fails for no warning.
docs: .venv/locked ## Build the documentation site into build/site, and check its links
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

schema: setup ## Regenerate schema/schema.graphql
	$(BIN)/stemma schema > src/stemma/schema/schema.graphql

playground: setup ## Rebuild the page at /graphql after a change of server/playground
	rm -rf server/playground/dist
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .

picture: setup ## Regenerate docs/playground.png and docs/family-tree.png
	STEMMA_PICTURE=docs/playground.png $(BIN)/pytest -q tests/server/test_playground_browser.py -k picture
	STEMMA_PICTURE=docs/family-tree.png $(BIN)/pytest -q tests/server/web/test_pages_browser.py -k picture

model: .venv/model ## Train the shipped model; DATA="gold.jsonl papers/" trains one on your own annotations
	PYTHONHASHSEED=0 $(BIN)/python -m training \
		$(if $(DATA),tune $(DATA) --output $(or $(OUTPUT),my-model),model $(if $(EPOCHS),--epochs $(EPOCHS)))

teachers: .venv/teachers ## Train the teachers of the model, for days without an accelerator
	PYTHONHASHSEED=0 $(BIN)/python -m training teachers

evaluate: .venv/evaluate ## Measure the extraction on the annotated papers, by cross-validation
	PYTHONHASHSEED=0 $(BIN)/python -m training evaluate

# Each installs the group of its name.
.venv/evaluate .venv/model .venv/teachers: .venv/ready
	test -x $(BIN)/uv || $(BIN)/pip install --quiet uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --group $(@F)
	touch $@

lock: ## Update the lock files from pyproject.toml
	test -x $(BIN)/uv || $(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
		--no-emit-index-url --no-emit-find-links --group dev pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
		--no-emit-index-url --no-emit-find-links --extra mcp -c requirements.lock pyproject.toml -o requirements.runtime.lock

clean: ## Remove everything that was built, except stores
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis \
		server/playground/dist server/playground/node_modules
