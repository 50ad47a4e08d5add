"""A program that posts without a rest to whatever database its environment names.

It tells on its standard output what it was answered, and goes on when PostgreSQL comes back:
`python -m tests.ledger.load post NAME COUNT`, or `verify` when all is over.
"""

from __future__ import annotations

import os
import sys
import threading
from datetime import UTC, date, datetime

import django
from django.db import Error, connection

AT = datetime(2026, 3, 14, 20, 30, tzinfo=UTC)
DAY = date(2026, 3, 14)


def tell(*words: object) -> None:
    """Write one line at once: what was told is what was acknowledged."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def property_id() -> int:
    """Return the one property, made if it is not there."""
    from casino.properties.models import Property

    made, _ = Property.objects.get_or_create(
        code="load", defaults={"name": "load", "time_zone": "Asia/Macau", "currency": "USD"}
    )
    return int(made.pk)


def post(name: str, count: int) -> None:
    """Post *count* times two entries, one by one and in a batch, asking again until answered."""
    from ledger.services.batches import post_entries
    from ledger.services.posting import EntryDraft, Leg

    casino = property_id()
    for number in range(count):
        tray = f"1120/table:{number % 5}"
        legs = (
            Leg(account=tray, amount=5, event="main_wager_lost"),
            Leg(account="4010/session:1", amount=-5, event="main_wager_lost"),
        )
        entries = [
            EntryDraft(
                key=f"{name}:{number}:{each}",
                kind="round_settled",
                legs=legs,
                source=f"round:{number}",
                actor="employee:12",
                at=AT,
                gaming_day=DAY,
            )
            for each in range(1 + number % 3)
        ]
        while True:
            try:
                posted = post_entries(property_id=casino, entries=entries)
            except Error:
                connection.close()
                threading.Event().wait(0.05)  # the server comes back when it does
            else:
                break
        for entry, answer in zip(entries, posted, strict=True):
            tell(entry.key, answer.id, answer.replayed)


def verify() -> None:
    """Tell what is wrong with the books, after everything is sealed."""
    from ledger.doctor import BOOKS, answers
    from ledger.projections import compare
    from ledger.selectors import trial_balance
    from ledger.services.sealing import seal_next
    from ledger.verify import verify as verify_books

    casino = property_id()
    while seal_next(property_id=casino, at=AT):
        pass
    found = verify_books(property_id=casino, at=AT)
    for finding in (*answers(BOOKS), *compare(casino), *found.findings):
        tell("finding", finding)
    tell("sealed", found.entries, found.unsealed)
    tell("sum", sum(row.closing for row in trial_balance(casino)))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings.development")
    django.setup()
    if sys.argv[1] == "post":
        post(sys.argv[2], int(sys.argv[3]))
    else:
        verify()
