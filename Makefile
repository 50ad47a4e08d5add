# What a developer runs; `make check` is what has to pass before a commit.
# The tools are those that `./baize test` installed.

PYTHON := $(or $(BAIZE_VENV),.venv)/bin/python
CODE := . baize
LOCK := $(PYTHON) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header

.PHONY: check static test format lock

check: static
	$(PYTHON) -m pytest -m "not long"

# Everything that is checked without running the service.
static:
	$(PYTHON) -m ruff format --check $(CODE)
	$(PYTHON) -m ruff check $(CODE)
	$(PYTHON) -m mypy .
	$(PYTHON) -c "from importlinter.cli import lint_imports_command; lint_imports_command()"
	$(PYTHON) -W "ignore:Got an error checking:RuntimeWarning" manage.py makemigrations \
		--check --dry-run --settings casino.settings.test

test:
	./baize test

format:
	$(PYTHON) -m ruff format $(CODE)
	$(PYTHON) -m ruff check --fix $(CODE)

lock:
	$(LOCK) --output-file requirements.txt requirements.in
	$(LOCK) --output-file requirements-dev.txt requirements-dev.in
