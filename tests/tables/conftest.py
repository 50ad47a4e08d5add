"""An open table with patrons, made by the services that a tablet calls."""

from __future__ import annotations

from random import Random

import pytest

from tables.demo.shift import Crew, TableShift
from tests import factories


@pytest.fixture
def casino(db):
    """Return the demo property before its first session."""
    return factories.a_casino()


@pytest.fixture
def open_table(casino):
    """Return a function that opens a table at noon with patrons at seats 1, 2 and 3."""

    def opened(code: str = "T1") -> TableShift:
        patrons = [factories.a_patron(casino, ref) for ref in ("P1", "P2", "P3")]
        shift = TableShift(
            table=factories.a_table(casino, code),
            crew=Crew(
                dealer=factories.dealer(casino),
                floor=factories.floor(casino),
                pit_boss=factories.pit_boss(casino),
            ),
            patrons=dict(enumerate(patrons, start=1)),
            random=Random(11),
            clock=factories.NOON,
        )
        shift.open()
        return shift

    return opened
