"""The service's contestant, with the bare function and the ORM service: a process for each client.

Run as `python -m tests.load.ledger.ours CLIENT` in the project's environment.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import django
from django.db import connections

from tests.load.ledger.entries import ACCOUNTS, DAYS, HOT, HOT_SHARDED, Lines, entries, long_entry
from tests.load.ledger.worker import Act, serve

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.load.ledger.settings")
    django.setup()

from casino.properties.models import Property
from ledger import selectors
from ledger.models import Posting
from ledger.services.accounts import open_account
from ledger.services.batches import post_entries
from ledger.services.days import close_day
from ledger.services.posting import EntryDraft, Leg, post_entry
from ledger.services.sealing import seal_next
from tests.load.ledger import orm, programs

AT: Final = datetime(2026, 3, 14, 19, 0, tzinfo=UTC)
DAY: Final = date(2026, 3, 14)
CODES: Final = {
    **{number: f"1120/table:{number}" for number in range(ACCOUNTS)},
    HOT: "3000",
    HOT_SHARDED: "2400/meter:main",
}
BARE_POST: Final = "SELECT bare_post(%s, %s, %s::bigint[], %s::bigint[])"

SEALED: Final = 3_000
"""Entries that a run of sealing finds to seal."""

numbers = itertools.count()


def legs_of(lines: Lines) -> list[Leg]:
    """Return the service's legs of an entry."""
    return [
        Leg(account=CODES[account], amount=amount, event="main_wager_lost")
        for account, amount in lines
    ]


def facts(*, day: date = DAY, at: datetime = AT) -> dict[str, Any]:
    """Return what every entry has besides its legs, under a key of its own."""
    event = f"round:{CLIENT}-{next(numbers)}"
    return {
        "key": f"{event}:settled:1",
        "kind": "round_settled",
        "source": event,
        "actor": "employee:12",
        "at": at,
        "gaming_day": day,
        "table": "table:3",
        "session": "session:7",
        "shift": "swing",
    }


def one(*, seed: str, hot: int | None = None) -> Act:
    """Post one entry by the service: one call of the database, one transaction."""
    house, chosen = property_id(), entries(seed, hot=hot)

    def act() -> int:
        post_entry(property_id=house, legs=legs_of(next(chosen)), **facts())
        return 1

    return act


def batch(*, seed: str, size: int, hot: int | None = None) -> Act:
    """Post *size* entries in one call and one transaction."""
    house, chosen = property_id(), entries(seed, hot=hot)

    def act() -> int:
        post_entries(
            property_id=house,
            entries=[
                EntryDraft(legs=legs_of(lines), **facts())
                for lines in itertools.islice(chosen, size)
            ],
        )
        return size

    return act


def long(*, seed: str, legs: int) -> Act:
    """Post one entry of many legs."""
    house, chosen = property_id(), legs_of(long_entry(seed, legs=legs))

    def act() -> int:
        post_entry(property_id=house, legs=chosen, **facts())
        return 1

    return act


def bare(*, seed: str, hot: int | None = None) -> Act:
    """Post one entry by the function without guards."""
    chosen = entries(seed, hot=hot)

    def act() -> int:
        lines = next(chosen)
        accounts, amounts = [line[0] for line in lines], [line[1] for line in lines]
        with connections["bare"].cursor() as cursor:
            cursor.execute(BARE_POST, ["round_settled", AT, accounts, amounts])
            cursor.fetchone()
        return 1

    return act


def by_orm(*, seed: str, hot: int | None = None) -> Act:
    """Post one entry by the ORM service that locks its rows first."""
    chosen = entries(seed, hot=hot)

    def act() -> int:
        orm.post(key=f"{CLIENT}-{next(numbers)}", lines=next(chosen), at=AT, gaming_day=DAY)
        return 1

    return act


def seal(*, seed: str) -> Act:
    """Seal what a few thousand entries left unsealed; the act answers how many it sealed."""
    house = property_id()
    while seal_next(property_id=house, at=AT):
        pass
    post = batch(seed=seed, size=100)
    for _ in range(SEALED // 100):
        post()
    return lambda: seal_next(property_id=house, at=AT)


def property_id() -> int:
    """Return the key of the property whose books are measured."""
    return int(Property.objects.values_list("pk", flat=True).get(code="bench"))


def balance(*, seed: str, legs: int) -> Act:
    """Read what an account of so many legs holds."""
    house = property_id()
    return lambda: bool(selectors.balance(house, code_of(legs)))


def balance_on(*, seed: str, legs: int) -> Act:
    """Read what the account had come to by the end of a gaming day in the middle of its life."""
    house, day = property_id(), DAY - timedelta(days=DAYS // 2)
    return lambda: bool(selectors.balance_on(house, code_of(legs), day))


def balance_at(*, seed: str, legs: int) -> Act:
    """Read what the books said at a moment in the middle of the account's life."""
    house = property_id()
    middle = Posting.objects.get(account__code=code_of(legs), account_version=legs // 2)
    moment = middle.entry.recorded_at
    return lambda: bool(selectors.balance_at(house, code_of(legs), at=moment))


def statement(*, seed: str, legs: int) -> Act:
    """Read the account's last fifty legs with the balance after each."""
    house = property_id()

    def act() -> int:
        rows = selectors.statement(house, code_of(legs), newest_first=True)
        assert len(rows) == 50
        return 1

    return act


def code_of(legs: int) -> str:
    """Return the account that `fill_accounts` gives so many legs."""
    return f"4010/session:{legs}"


def prepare() -> None:
    """Open the property's accounts, so that no measured entry is an account's first."""
    house = Property.objects.create(
        code="bench", name="Bench", time_zone="America/Los_Angeles", currency="USD"
    )
    for code in CODES.values():
        open_account(property_id=house.pk, code=code, at=AT)


def fill(*, seed: str, count: int) -> None:
    """Post entries before the measured ones."""
    act = batch(seed=seed, size=100)
    for _ in range(count // 100):
        act()


def seal_all() -> None:
    """Seal whatever waits, which tells of it too."""
    while seal_next(property_id=property_id(), at=AT):
        pass


def fill_accounts(*, seed: str, sizes: list[int]) -> None:
    """Give an account of its own as many legs as each of *sizes* says, over closed gaming days."""
    house, chance = property_id(), random.Random(seed)
    for back in range(DAYS, 0, -1):
        day, at = DAY - timedelta(days=back), AT - timedelta(days=back)
        drafts = [
            EntryDraft(**facts(day=day, at=at), legs=_two_legs(code_of(legs), chance))
            for legs in sizes
            for _ in range(legs // DAYS)
        ]
        for start in range(0, len(drafts), 100):
            post_entries(property_id=house, entries=drafts[start : start + 100])
        close_day(
            property_id=house, gaming_day=day, actor="employee:4", approver="employee:5", at=at
        )


def _two_legs(code: str, chance: random.Random) -> list[Leg]:
    amount, table = chance.randint(1, 50_000), CODES[chance.randrange(ACCOUNTS)]
    return [
        Leg(account=table, amount=amount, event="main_wager_lost"),
        Leg(account=code, amount=-amount, event="main_wager_lost"),
    ]


def reconnect() -> None:
    """Forget plans that were made while the tables were empty."""
    for alias in ("default", "bare"):
        connections[alias].close()


WAYS = {
    "one": one,
    "batch": batch,
    "long": long,
    "bare": bare,
    "orm": by_orm,
    "seal": seal,
    "balance": balance,
    "balance_on": balance_on,
    "balance_at": balance_at,
    "statement": statement,
    "rest": programs.rest,
    "record_round": programs.service,
}
TASKS = {
    "prepare": prepare,
    "fill": fill,
    "seal_all": seal_all,
    "fill_accounts": fill_accounts,
    "reconnect": reconnect,
}

if __name__ == "__main__":
    CLIENT = sys.argv[1]
    serve(WAYS, TASKS)
