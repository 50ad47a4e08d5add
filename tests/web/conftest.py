"""A table for the small API of `tests/web/urls.py`."""

from __future__ import annotations

import pytest


@pytest.fixture
def notes(owner):
    """Make the table that the notes of `tests/web/urls.py` are kept in."""
    owner.execute("CREATE TABLE notes (id serial, text text CONSTRAINT notes_text UNIQUE)")
    yield lambda: [row[0] for row in owner.execute("SELECT text FROM notes ORDER BY id")]
    owner.execute("DROP TABLE notes")
