"""Two properties, and a short way to post: what is not the subject of a test stands still."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest
from django.db import connection

from casino.properties.models import Property
from ledger.services.posting import Leg, PostedEntry, post_entry

AT = datetime(2026, 3, 14, 20, 30, tzinfo=UTC)
DAY = date(2026, 3, 14)
NEXT_DAY = date(2026, 3, 15)
PIT_BOSS, AUDITOR = "employee:4", "employee:5"

TABLES = (
    "ledger_account",
    "ledger_balance",
    "ledger_entry",
    "ledger_posting",
    "ledger_denom",
    "ledger_key",
    "ledger_period",
    "events_outbox",
)


def legs(*sides: tuple[str, int], event: str = "main_wager_lost") -> list[Leg]:
    """Return legs of accounts and amounts."""
    return [Leg(account=account, amount=amount, event=event) for account, amount in sides]


WIN = legs(("1120/table:3", 500), ("4010/session:7", -500))


def house(code: str, *, is_sandbox: bool = False) -> Property:
    """Return a new property."""
    return Property.objects.create(
        code=code,
        name=code,
        time_zone="America/Los_Angeles",
        currency="USD",
        is_sandbox=is_sandbox,
    )


@pytest.fixture
def casino(db: None) -> Property:
    """Return a property with empty books."""
    return house("golden-gate")


@pytest.fixture
def post(casino: Property) -> Callable[..., PostedEntry]:
    """Return a function that posts, of an entry that is right, what the test says otherwise."""
    return poster(casino)


def poster(casino: Property) -> Callable[..., PostedEntry]:
    """Return a function that posts to the books of *casino*."""
    usual: dict[str, Any] = {
        "property_id": casino.pk,
        "key": "round:812:settled:1",
        "kind": "round_settled",
        "legs": WIN,
        "source": "round:812",
        "actor": "employee:12",
        "at": AT,
        "gaming_day": DAY,
    }
    return partial(post_entry, **usual)


def books() -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of the books, so that a refusal can be seen to have changed nothing."""
    found = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608
            found[table] = cursor.fetchall()
    return found
