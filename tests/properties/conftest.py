"""A property in the zone and currency of the worked day."""

from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from casino.properties.services import open_property

OPENED_AT = datetime(2026, 3, 1, 18, tzinfo=UTC)
SHIFTS = {"grave": time(22), "day": time(6), "swing": time(14)}


@pytest.fixture
def golden_gate(db):
    return open_property(
        code="golden-gate",
        name="Golden Gate",
        time_zone="America/Los_Angeles",
        currency="USD",
        shifts=SHIFTS,
        languages=["en"],
        at=OPENED_AT,
    )
