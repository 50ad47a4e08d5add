"""A client of both peers: `python -m tests.load.peers.contestant CLIENT` in their environment.

Source:
    hordak 2.0, "Creating transactions"; django-ledger 0.8, `commit_txs`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any, Final

import django
from django.core.management import call_command
from django.db import connection, transaction

from tests.load.ledger.entries import ACCOUNTS, DAYS, HOT, HOT_SHARDED, entries, long_entry
from tests.load.ledger.worker import Act, serve

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.load.peers.settings"
    django.setup()

from django.contrib.auth import get_user_model
from django_ledger.models import EntityModel, LedgerModel
from hordak.models import Account, Leg, Transaction
from moneyed import USD, Money

DAY: Final = date(2026, 3, 14)
AT: Final = datetime(2026, 3, 14, 19, 0, tzinfo=UTC)
HUNDRED: Final = Decimal(100)
FIRST_DAY: Final = DAY - timedelta(days=DAYS)
FILL_TRANSACTIONS: Final = """
INSERT INTO hordak_transaction (uuid, "timestamp", date, description)
SELECT gen_random_uuid(), now(), %(first)s::date + (n / %(a_day)s), 'filled'
FROM generate_series(0, %(legs)s - 1) AS n
"""
FILL_LEGS: Final = """
INSERT INTO hordak_leg (uuid, transaction_id, account_id, debit, credit, currency, description)
SELECT gen_random_uuid(), entry.id, side.account, side.debit, side.credit, 'USD', ''
FROM (SELECT id FROM hordak_transaction ORDER BY id DESC LIMIT %(legs)s) AS entry,
     LATERAL (VALUES (%(table)s, 1 + entry.id %% 500, NULL),
                     (%(account)s, NULL, 1 + entry.id %% 500)) AS side (account, debit, credit)
ORDER BY entry.id
"""


def side(amount: int) -> dict[str, Money]:
    """Return hordak's field of an amount in minor units."""
    money = Money(Decimal(abs(amount)) / HUNDRED, USD)
    return {"debit" if amount > 0 else "credit": money}


def hordak_accounts() -> dict[int, Any]:
    """Return hordak's accounts by number."""
    return {int(account.code): account for account in Account.objects.all()}


def hordak_legs(*, seed: str, hot: int | None = None) -> Act:
    """Post leg by leg, as hordak's documentation does."""
    accounts, chosen = hordak_accounts(), entries(seed, hot=hot)

    def act() -> int:
        with transaction.atomic():
            entry = Transaction.objects.create(date=DAY, description="round settled")
            for account, amount in next(chosen):
                Leg.objects.create(transaction=entry, account=accounts[account], **side(amount))
        return 1

    return act


def hordak_bulk(*, seed: str, batch: int = 1, hot: int | None = None) -> Act:
    """Post *batch* entries in one transaction, their rows inserted in bulk."""
    accounts, chosen = hordak_accounts(), entries(seed, hot=hot)

    def act() -> int:
        with transaction.atomic():
            posted = Transaction.objects.bulk_create(
                Transaction(date=DAY, description="round settled") for _ in range(batch)
            )
            Leg.objects.bulk_create(
                Leg(transaction=entry, account=accounts[account], **side(amount))
                for entry, lines in zip(posted, islice(chosen, batch), strict=True)
                for account, amount in lines
            )
        return batch

    return act


def hordak_long(*, seed: str, legs: int) -> Act:
    """Post one entry of many legs, inserted in bulk."""
    accounts, lines = hordak_accounts(), long_entry(seed, legs=legs)

    def act() -> int:
        with transaction.atomic():
            entry = Transaction.objects.create(date=DAY, description="long")
            Leg.objects.bulk_create(
                Leg(transaction=entry, account=accounts[account], **side(amount))
                for account, amount in lines
            )
        return 1

    return act


def django_ledger(*, seed: str, hot: int | None = None) -> Act:
    """Post by `commit_txs`, posted at once."""
    book = LedgerModel.objects.get()
    of_entity = book.entity.get_all_accounts().filter(code__startswith="1")
    by_code = {account.code: account for account in of_entity}
    chosen = entries(seed, hot=hot)

    def act() -> int:
        book.commit_txs(
            je_timestamp=AT,
            je_posted=True,
            je_txs=[
                {
                    "account": by_code[str(1000 + account)],
                    "amount": Decimal(abs(amount)) / HUNDRED,
                    "tx_type": "debit" if amount > 0 else "credit",
                    "description": "round settled",
                }
                for account, amount in next(chosen)
            ],
        )
        return 1

    return act


def hordak_balance(*, seed: str, legs: int) -> Act:
    """Read a balance by `get_balance`."""
    account = Account.objects.get(name=name_of(legs))
    return lambda: bool(account.get_balance())


def hordak_with_balances(*, seed: str, legs: int) -> Act:
    """Read a balance by `with_balances`, the faster way that hordak recommends."""
    return lambda: bool(Account.objects.with_balances().get(name=name_of(legs)).balance)


def hordak_as_of(*, seed: str, legs: int) -> Act:
    """Read the balance at the end of a day in the middle of the account's life."""
    account, day = Account.objects.get(name=name_of(legs)), DAY - timedelta(days=DAYS // 2)
    return lambda: bool(account.get_balance(as_of=day))


def hordak_statement(*, seed: str, legs: int) -> Act:
    """Read the account's last fifty legs with the balance after each."""
    account = Account.objects.get(name=name_of(legs))

    def act() -> int:
        rows = account.legs.with_account_balance_after().select_related("transaction")
        assert len(rows.order_by("-pk")[:50]) == 50
        return 1

    return act


def name_of(legs: int) -> str:
    """Return the name of the account that `fill_accounts` gives so many legs."""
    return f"{legs} legs"


def prepare(*, hordak: bool, ledger: bool) -> None:
    """Migrate those that compete and open the same accounts in each."""
    numbers = [*range(ACCOUNTS), HOT, HOT_SHARDED]
    if hordak:
        call_command("migrate", "hordak", verbosity=0)
        for number in numbers:
            Account.objects.create(name=f"Table {number}", code=str(number), type="AS")
    if ledger:
        call_command("migrate", verbosity=0)
        open_django_ledger(numbers)


def fill(*, seed: str, hordak: int, ledger: int) -> None:
    """Post entries before the measured ones."""
    if hordak:
        act = hordak_bulk(seed=seed, batch=100)
        for _ in range(hordak // 100):
            act()
    if ledger:
        act = django_ledger(seed=seed)
        for _ in range(ledger):
            act()


def fill_accounts(*, seed: str, sizes: list[int]) -> None:
    """Give an account of its own as many legs as each of *sizes* says, over the same days.

    Past hordak's trigger, which would need minutes: what it checks is right by construction.
    """
    table = Account.objects.get(code="0").pk
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE hordak_leg DISABLE TRIGGER USER")
        for number, legs in enumerate(sizes):
            account = Account.objects.create(
                name=name_of(legs), code=str(9_000 + number), type="IN"
            )
            values = {"legs": legs, "account": account.pk, "table": table, "first": FIRST_DAY}
            cursor.execute(FILL_TRANSACTIONS, {**values, "a_day": legs // DAYS})
            cursor.execute(FILL_LEGS, values)
        cursor.execute("ALTER TABLE hordak_leg ENABLE TRIGGER USER")


def open_django_ledger(numbers: Sequence[int]) -> None:
    """Make an entity with its chart, the accounts and a posted ledger."""
    admin = get_user_model().objects.create_user(username="bench")
    entity = EntityModel.create_entity(
        name="Bench", admin=admin, use_accrual_method=True, fy_start_month=1
    )
    entity.create_chart_of_accounts(assign_as_default=True, commit=True)
    for number in numbers:
        entity.create_account(
            code=str(1000 + number),
            role="asset_ca_cash",
            name=f"Table {number}",
            balance_type="debit",
            active=True,
        )
    entity.create_ledger(name="Bench", posted=True)


def reconnect() -> None:
    """Forget plans that were made while the tables were empty."""
    connection.close()


WAYS = {
    "hordak_legs": hordak_legs,
    "hordak_bulk": hordak_bulk,
    "hordak_long": hordak_long,
    "hordak_balance": hordak_balance,
    "hordak_with_balances": hordak_with_balances,
    "hordak_as_of": hordak_as_of,
    "hordak_statement": hordak_statement,
    "django_ledger": django_ledger,
}
TASKS = {
    "prepare": prepare,
    "fill": fill,
    "fill_accounts": fill_accounts,
    "reconnect": reconnect,
}

if __name__ == "__main__":
    serve(WAYS, TASKS)
