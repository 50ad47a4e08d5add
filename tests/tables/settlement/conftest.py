"""A table whose closer is accepted: a settlement is due, and nobody has begun it."""

from __future__ import annotations

import pytest


@pytest.fixture
def due(open_table):
    """Return a function that plays a table to its accepted closer, a green chip short."""

    def played(code="T1", *, rounds=4, variance=-2_500):
        shift = open_table(code)
        settled = shift.play(rounds)
        shift.void(settled[0], "misdeal")
        shift.end_play(variance=variance)
        return shift

    return played
