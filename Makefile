# What a developer runs; `make check` is what has to pass before a commit.
# The tools are those that `./baize test` installed.

BIN := $(or $(BAIZE_VENV),.venv)/bin
CODE := . baize
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header

.PHONY: check static test format lock screenshots

check: static
	$(BIN)/python -m pytest -m "not long"

# Everything that is checked without running the service.
static:
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python -W "ignore:Got an error checking:RuntimeWarning" manage.py makemigrations \
		--check --dry-run --settings casino.settings.test

test:
	./baize test

format:
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

lock:
	$(LOCK) --output-file requirements.txt requirements.in
	$(LOCK) --output-file requirements-dev.txt requirements-dev.in
	$(LOCK) --output-file tests/load/requirements-peers.txt tests/load/requirements-peers.in

# The pictures of the README, drawn from a demo of their own.
screenshots:
	PYTHONPATH=. $(BIN)/python docs/screenshots.py
