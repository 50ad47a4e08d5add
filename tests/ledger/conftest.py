"""Two properties, and a short way to post: what is not the subject of a test stands still."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest
from django.db import connection

from casino.properties.models import Property
from ledger.services.days import close_day
from ledger.services.posting import EntryDraft, Leg, PostedEntry, post_entry

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
    "ledger_snapshot",
    "ledger_series",
    "ledger_slip",
    "ledger_epoch",
    "ledger_seal",
    "events_outbox",
)


def legs(*sides: tuple[str, int], event: str = "main_wager_lost") -> list[Leg]:
    """Return legs of accounts and amounts."""
    return [Leg(account=account, amount=amount, event=event) for account, amount in sides]


WIN = legs(("1120/table:3", 500), ("4010/session:7", -500))

USUAL: dict[str, Any] = {
    "key": "round:812:settled:1",
    "kind": "round_settled",
    "legs": WIN,
    "source": "round:812",
    "actor": "employee:12",
    "at": AT,
    "gaming_day": DAY,
}
"""An entry that is right."""


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
    return partial(post_entry, property_id=casino.pk, **USUAL)


def draft(**other: Any) -> EntryDraft:
    """Return the usual entry, not yet posted, with what the test says otherwise."""
    return EntryDraft(**(USUAL | other))


def close(casino: Property, day: date = DAY, **other: Any) -> bool:
    """Close a gaming day as two people do."""
    usual = {"property_id": casino.pk, "actor": PIT_BOSS, "approver": AUDITOR, "at": AT}
    return close_day(gaming_day=day, **(usual | other))


def books() -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of the books, so that a refusal can be seen to have changed nothing."""
    found = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"SELECT * FROM {table} AS each ORDER BY each")  # noqa: S608
            found[table] = cursor.fetchall()
    return found
