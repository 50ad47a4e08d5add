"""A posting service as it is often written: Django's ORM, its rows locked first.

It keeps what the books' readers need (balances, the balance after each line, one answer per key,
an open day, an outbox) but has no guard in the database. ledger.md 4.3 calls it the mistake to
avoid where every entry touches one house account.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.db import models, transaction
from typing_extensions import override


class Bare(models.Model):
    """A table of `bare.sql`."""

    class Meta:
        abstract = True
        app_label = "bench"
        managed = False

    @override
    def __str__(self) -> str:
        return str(self.pk)


class Day(Bare):
    gaming_day = models.DateField(primary_key=True)
    status = models.TextField()

    class Meta(Bare.Meta):
        db_table = "bare_day"


class Key(Bare):
    key = models.TextField(primary_key=True)
    entry_id = models.BigIntegerField()

    class Meta(Bare.Meta):
        db_table = "bare_key"


class Balance(Bare):
    account_id = models.BigIntegerField(primary_key=True)
    debit = models.BigIntegerField()
    credit = models.BigIntegerField()
    version = models.BigIntegerField()

    class Meta(Bare.Meta):
        db_table = "bare_balance"


class Entry(Bare):
    kind = models.TextField()
    effective_at = models.DateTimeField()
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta(Bare.Meta):
        db_table = "bare_entry"


class Posting(Bare):
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT)
    account_id = models.BigIntegerField()
    amount = models.BigIntegerField()
    balance_after = models.BigIntegerField()
    account_version = models.BigIntegerField()

    class Meta(Bare.Meta):
        db_table = "bare_told_posting"


class Outbox(Bare):
    entry_id = models.BigIntegerField()
    payload = models.JSONField()

    class Meta(Bare.Meta):
        db_table = "bare_outbox"


def post(*, key: str, lines: Sequence[tuple[int, int]], at: datetime, gaming_day: date) -> int:
    """Post one entry and return its id; a second call under the key answers the same."""
    accounts = {account for account, _ in lines}
    with transaction.atomic(using="bare"):
        rows = Balance.objects.using("bare").select_for_update().order_by("-account_id")
        balances = {row.account_id: row for row in rows.filter(account_id__in=accounts)}
        if known := Key.objects.using("bare").filter(key=key).first():
            return known.entry_id
        Day.objects.using("bare").get(gaming_day=gaming_day, status="open")
        entry = Entry.objects.using("bare").create(kind="round_settled", effective_at=at)
        Key.objects.using("bare").create(key=key, entry_id=entry.pk)
        for account, amount in lines:
            balance = balances[account]
            balance.debit += max(amount, 0)
            balance.credit += max(-amount, 0)
            balance.version += 1
            Posting.objects.using("bare").create(
                entry=entry,
                account_id=account,
                amount=amount,
                balance_after=balance.debit - balance.credit,
                account_version=balance.version,
            )
        for balance in balances.values():
            balance.save(using="bare", update_fields=["debit", "credit", "version"])
        Outbox.objects.using("bare").create(entry_id=entry.pk, payload={"entry": entry.pk})
    return int(entry.pk)
