"""Reads of the books; none costs more as history grows, but for the movements of whole days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import F, Q, Sum

from ledger.chart import CHART, Number
from ledger.errors import UnknownAccountError, UnknownEntryError
from ledger.models import Account, Balance, Denomination, Entry, Posting


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """One entry without its lines."""

    id: int
    public_id: UUID
    kind: str
    source: str
    gaming_day: date
    effective_at: datetime
    recorded_at: datetime
    table: str
    session: str
    shift: str
    actor: str
    approver: str
    memo: str
    legs: int
    reverses: UUID | None
    reversed_by: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRow:
    """One posting of an entry."""

    line: int
    account: str
    name: str
    currency: str
    amount: int
    """In minor units; debit above zero, credit below."""
    event: str
    balance_after: int | None
    pieces: tuple[tuple[int, int], ...] = ()
    """(denomination, pieces), the greatest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDetail:
    """One entry with its lines."""

    entry: EntryRow
    lines: tuple[LineRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementRow:
    """One line of an account's statement."""

    version: int
    """The account's own count of postings: 1, 2, 3 … without gaps."""
    shard: int
    entry_id: int
    entry: UUID
    kind: str
    source: str
    event: str
    gaming_day: date
    effective_at: datetime
    amount: int
    balance_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialBalanceRow:
    """One account of the chart, all its sub-accounts together, in minor units."""

    number: str
    name: str = field(default="")
    currency: str
    opening: int
    """Debit above zero, credit below."""
    debits: int
    credits: int
    closing: int


def balance(property_id: int, code: str) -> int:
    """Return what an account holds now, debit less credit; 0 if nothing was ever posted to it."""
    rows = Balance.objects.filter(account__property_id=property_id, account__code=code)
    return int(rows.aggregate(held=Sum(F("debit") - F("credit")))["held"] or 0)


def account_balance(property_id: int, code: str) -> tuple[int, str]:
    """Return what the account and its sub-accounts hold now, together, and their currency.

    Raises:
        UnknownAccountError: none of them was ever opened.
    """
    row = (
        _held(property_id, code)
        .values("currency")
        .annotate(held=Sum(F("debit") - F("credit")))
        .order_by("currency")
        .first()
    )
    if row is None:
        raise UnknownAccountError(code)
    return int(row["held"]), row["currency"]


def balances(property_id: int, *prefixes: str) -> dict[str, int]:
    """Return what the accounts *prefixes* and their sub-accounts hold, by code, in one query.

    `1120` finds all trays, `1220/session:7` all seats of a session. Debit less credit, in minor
    units.
    """
    held = (
        _held(property_id, *prefixes)
        .values("account__code")
        .annotate(held=Sum(F("debit") - F("credit")))
    )
    return {row["account__code"]: int(row["held"]) for row in held.order_by("account__code")}


def entry_detail(entry_id: int) -> EntryDetail:
    """Return one entry with its lines and counted chips.

    Raises:
        UnknownEntryError: there is no such entry.
    """
    entry = _entries().filter(pk=entry_id).first()
    if entry is None:
        raise UnknownEntryError(entry_id)
    return details([entry_row(entry)])[0]


def entry_id_of(property_id: int, public_id: UUID) -> int | None:
    """Return the key of the entry that programs know as *public_id*, if it is this property's."""
    found = Entry.objects.filter(property_id=property_id, public_id=public_id)
    return found.values_list("pk", flat=True).first()


def entries(
    property_id: int,
    *,
    session: str | None = None,
    table: str | None = None,
    source: str | None = None,
    kind: str | None = None,
    gaming_day: date | None = None,
    after: int | None = None,
    limit: int = 50,
) -> list[EntryRow]:
    """Return entries in the order of their ids, *limit* of them, from *after* (an id) on."""
    wanted = {
        "session_ref": session,
        "table_ref": table,
        "source": source,
        "kind": kind,
        "gaming_day": gaming_day,
        "pk__gt": after,
    }
    rows = _entries().filter(
        property_id=property_id,
        **{name: value for name, value in wanted.items() if value is not None},
    )
    return [entry_row(entry) for entry in rows.order_by("pk")[:limit]]


def details(rows: Sequence[EntryRow]) -> list[EntryDetail]:
    """Return *rows* with their lines, in two queries however many they are."""
    ids = [row.id for row in rows]
    pieces: dict[int, list[tuple[int, int]]] = {}
    counted = Denomination.objects.filter(posting__entry_id__in=ids).order_by("-denomination")
    for posting_id, denomination, count in counted.values_list(
        "posting_id", "denomination", "pieces"
    ):
        pieces.setdefault(posting_id, []).append((denomination, count))
    lines: dict[int, list[LineRow]] = {}
    postings = Posting.objects.filter(entry_id__in=ids).select_related("account")
    for posting in postings.order_by("entry_id", "line"):
        lines.setdefault(posting.entry_id, []).append(
            LineRow(
                line=posting.line,
                account=posting.account.code,
                name=posting.account.name,
                currency=posting.currency,
                amount=posting.amount,
                event=posting.event,
                balance_after=posting.balance_after,
                pieces=tuple(pieces.get(posting.pk, ())),
            )
        )
    return [EntryDetail(entry=row, lines=tuple(lines[row.id])) for row in rows]


# The order is the account's own, so the index of the statement leads straight to the page.
STATEMENT: Final = """
SELECT posting.account_version AS version, posting.shard, entry.id AS entry_id,
       entry.public_id AS entry, entry.kind, entry.source, posting.event, entry.gaming_day,
       entry.effective_at, posting.amount, posting.balance_after
FROM ledger_posting AS posting JOIN ledger_entry AS entry ON entry.id = posting.entry_id
WHERE posting.account_id = %s AND (posting.shard, posting.account_version) > (%s, %s)
ORDER BY posting.shard, posting.account_version LIMIT %s
"""


def statement(
    property_id: int, code: str, *, after: tuple[int, int] = (0, 0), limit: int = 50
) -> list[StatementRow]:
    """Return an account's postings in its own order, from *after* (shard, version) on.

    Raises:
        UnknownAccountError: it was never opened.
    """
    account = Account.objects.filter(property_id=property_id, code=code).first()
    if account is None:
        raise UnknownAccountError(code)
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, [account.pk, *after, limit])
        names = [column.name for column in cursor.description]
        return [StatementRow(**dict(zip(names, row, strict=True))) for row in cursor.fetchall()]


# What the accounts hold is taken back by what moved since, so a recent day costs what moved on it
# and after it, not the whole history; one statement sees one moment.
TRIAL_BALANCE: Final = """
WITH moved AS (
    SELECT posting.account_id,
           sum(posting.amount) AS since,
           coalesce(sum(posting.amount) FILTER (WHERE entry.gaming_day > %(day)s), 0) AS later,
           coalesce(sum(posting.amount) FILTER (
               WHERE posting.amount > 0 AND entry.gaming_day = %(day)s), 0) AS debits,
           coalesce(-sum(posting.amount) FILTER (
               WHERE posting.amount < 0 AND entry.gaming_day = %(day)s), 0) AS credits
    FROM ledger_entry AS entry JOIN ledger_posting AS posting ON posting.entry_id = entry.id
    WHERE entry.property_id = %(property_id)s AND entry.gaming_day >= %(day)s
    GROUP BY posting.account_id
), held AS (
    SELECT account_id, sum(debit) AS debit, sum(credit) AS credit
    FROM ledger_balance WHERE property_id = %(property_id)s GROUP BY account_id
)
SELECT account.number, account.currency,
       CASE WHEN %(day)s::date IS NULL THEN 0
            ELSE sum(held.debit - held.credit - coalesce(moved.since, 0)) END,
       CASE WHEN %(day)s::date IS NULL THEN sum(held.debit)
            ELSE sum(coalesce(moved.debits, 0)) END,
       CASE WHEN %(day)s::date IS NULL THEN sum(held.credit)
            ELSE sum(coalesce(moved.credits, 0)) END,
       sum(held.debit - held.credit - coalesce(moved.later, 0))
FROM ledger_account AS account
JOIN held ON held.account_id = account.id
LEFT JOIN moved ON moved.account_id = account.id
GROUP BY account.number, account.currency ORDER BY account.number, account.currency
"""


def trial_balance(property_id: int, gaming_day: date | None = None) -> list[TrialBalanceRow]:
    """Return every account of the chart that was ever opened; closings add up to zero.

    Without a day the debits and credits are those of all time and the opening is nothing.
    """
    with connection.cursor() as cursor:
        cursor.execute(TRIAL_BALANCE, {"property_id": property_id, "day": gaming_day})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return [
        TrialBalanceRow(
            number=number,
            name=CHART[Number(number)].name,
            currency=currency,
            opening=int(opening),
            debits=int(debits),
            credits=int(credits),
            closing=int(closing),
        )
        for number, currency, opening, debits, credits, closing in rows
    ]


def entry_row(entry: Entry) -> EntryRow:
    """Return the plain record of *entry*."""
    reversal = getattr(entry, "reversed_by", None)
    return EntryRow(
        id=entry.pk,
        public_id=entry.public_id,
        kind=entry.kind,
        source=entry.source,
        gaming_day=entry.gaming_day,
        effective_at=entry.effective_at,
        recorded_at=entry.recorded_at,
        table=entry.table_ref,
        session=entry.session_ref,
        shift=entry.shift,
        actor=entry.actor,
        approver=entry.approver,
        memo=entry.memo,
        legs=entry.legs,
        reverses=entry.reverses.public_id if entry.reverses else None,
        reversed_by=reversal.public_id if reversal else None,
    )


def _held(property_id: int, *prefixes: str) -> Any:
    wanted = Q(account__code__in=prefixes)
    for prefix in prefixes:
        wanted |= Q(account__code__startswith=f"{prefix}/")
    return Balance.objects.filter(wanted, account__property_id=property_id)


def _entries() -> Any:
    return Entry.objects.select_related("reverses", "reversed_by")
