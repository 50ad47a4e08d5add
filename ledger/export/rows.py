"""Reads a range of the books at one moment; the entries are streamed, so memory stays flat.

What is held in memory are the accounts of the property and a batch of entries. All of it is read
in one transaction that sees one moment, so balances and entries agree while others post.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from django.db import connection, transaction

from casino.properties.models import Property
from ledger.export.books import BookAccount, BookEntry, BookPosting, Books, Close

BATCH: Final = 500
"""Entries that are in memory at once."""

# What was held before is the sum of postings and what is held after is the kept balance, less what
# came later: the two are counted apart, so that the entries between them have something to prove.
ACCOUNTS: Final = """
SELECT account.id, account.code, account.number, account.name, account.type, account.side,
       account.instrument, account.currency, currency.exponent, account.opened_at,
       account.closed_at, coalesce(earlier.amount, 0) AS opening,
       coalesce(held.amount, 0) - coalesce(later.amount, 0) AS closing
FROM ledger_account AS account
JOIN ledger_currency AS currency ON currency.code = account.currency
LEFT JOIN (
    SELECT account_id, sum(debit - credit) AS amount
    FROM ledger_balance WHERE property_id = %(property_id)s GROUP BY account_id
) AS held ON held.account_id = account.id
LEFT JOIN (
    SELECT posting.account_id, sum(posting.amount) AS amount
    FROM ledger_entry AS entry JOIN ledger_posting AS posting ON posting.entry_id = entry.id
    WHERE entry.property_id = %(property_id)s AND entry.gaming_day < %(first)s::date
    GROUP BY posting.account_id
) AS earlier ON earlier.account_id = account.id
LEFT JOIN (
    SELECT posting.account_id, sum(posting.amount) AS amount
    FROM ledger_entry AS entry JOIN ledger_posting AS posting ON posting.entry_id = entry.id
    WHERE entry.property_id = %(property_id)s AND entry.gaming_day > %(last)s::date
    GROUP BY posting.account_id
) AS later ON later.account_id = account.id
WHERE account.property_id = %(property_id)s
ORDER BY account.code
"""

IN_RANGE: Final = """
property_id = %(property_id)s AND (%(first)s::date IS NULL OR gaming_day >= %(first)s::date)
AND (%(last)s::date IS NULL OR gaming_day <= %(last)s::date)
"""

DAYS: Final = f"""
SELECT coalesce(%(first)s::date, min(gaming_day), %(last)s::date, current_date),
       coalesce(%(last)s::date, max(gaming_day), %(first)s::date, current_date)
FROM ledger_entry WHERE {IN_RANGE}
"""  # noqa: S608 - both parts are written here

ENTRIES: Final = f"""
SELECT entry.id, entry.public_id, entry.kind, entry.source, entry.gaming_day, entry.late_day,
       entry.effective_at, entry.recorded_at, entry.table_ref AS "table",
       entry.session_ref AS session, entry.shift, entry.actor, entry.approver, entry.memo,
       reversed.public_id AS reverses, reversal.public_id AS reversed_by,
       restated.public_id AS restates, corrected.public_id AS corrects,
       entry.rate_sold, entry.rate_bought, sealed.number AS seal
FROM (SELECT * FROM ledger_entry WHERE {IN_RANGE}) AS entry
LEFT JOIN ledger_entry AS reversed ON reversed.id = entry.reverses_id
LEFT JOIN ledger_entry AS reversal ON reversal.reverses_id = entry.id
LEFT JOIN ledger_entry AS restated ON restated.id = entry.restates_id
LEFT JOIN ledger_entry AS corrected ON corrected.id = entry.corrects_id
LEFT JOIN (
    SELECT unnest(entry_ids) AS entry_id, number FROM ledger_seal
    WHERE property_id = %(property_id)s
) AS sealed ON sealed.entry_id = entry.id
ORDER BY entry.id
"""  # noqa: S608 - both parts are written here

POSTINGS: Final = """
SELECT entry_id, id, account_id, line, amount, event, balance_after
FROM ledger_posting WHERE entry_id = ANY (%s) ORDER BY entry_id, line
"""

PIECES: Final = """
SELECT denom.posting_id, denom.denomination, denom.pieces
FROM ledger_posting AS posting JOIN ledger_denom AS denom ON denom.posting_id = posting.id
WHERE posting.entry_id = ANY (%s) ORDER BY denom.posting_id, denom.denomination DESC
"""

# An account that did not move on a day has no row of it, so all rows up to the range are the base.
SNAPSHOTS: Final = """
SELECT gaming_day, account_id, shard, debit - credit
FROM ledger_snapshot
WHERE property_id = %(property_id)s
      AND (%(last)s::date IS NULL OR gaming_day <= %(last)s::date)
ORDER BY gaming_day
"""


@contextmanager
def one_moment() -> Iterator[None]:
    """Let everything that is read inside be of one moment, and refuse writes.

    It must be the outermost transaction, for it decides what that one sees.
    """
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def read_books(property: Property, *, first: date | None = None, last: date | None = None) -> Books:
    """Return the gaming days *first* to *last* of the books, both included; None is without end.

    Call it inside `one_moment`, and read the entries there too.
    """
    span = {"property_id": property.pk, "first": first, "last": last}
    with connection.cursor() as cursor:
        cursor.execute(ACCOUNTS, span)
        names = [column.name for column in cursor.description]
        accounts = tuple(_account(dict(zip(names, row, strict=True))) for row in cursor.fetchall())
        cursor.execute(DAYS, span)
        begins_on, ends_on = cursor.fetchone()
    return Books(
        property_code=property.code,
        property_name=property.name,
        currency=property.currency,
        first=first,
        last=last,
        begins_on=begins_on,
        ends_on=ends_on,
        accounts=accounts,
        entries=partial(_entries, span, {account.id: account for account in accounts}),
        closes=partial(_closes, span),
    )


def _account(row: dict[str, Any]) -> BookAccount:
    return BookAccount(**row | {"opening": int(row["opening"]), "closing": int(row["closing"])})


def _entries(span: dict[str, Any], accounts: Mapping[int, BookAccount]) -> Iterator[BookEntry]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(ENTRIES, span)
        while rows := cursor.fetchmany(BATCH):
            names = [column.name for column in cursor.description]
            heads = [dict(zip(names, row, strict=True)) for row in rows]
            lines = _postings([head["id"] for head in heads], accounts)
            for head in heads:
                yield BookEntry(**head, postings=tuple(lines[head["id"]]))


def _postings(
    entry_ids: list[int], accounts: Mapping[int, BookAccount]
) -> dict[int, list[BookPosting]]:
    pieces: dict[int, list[tuple[int, int]]] = {}
    lines: dict[int, list[BookPosting]] = {entry_id: [] for entry_id in entry_ids}
    with connection.cursor() as cursor:
        cursor.execute(PIECES, [entry_ids])
        for posting_id, denomination, count in cursor.fetchall():
            pieces.setdefault(posting_id, []).append((denomination, count))
        cursor.execute(POSTINGS, [entry_ids])
        for entry_id, posting_id, account_id, line, amount, event, after in cursor.fetchall():
            lines[entry_id].append(
                BookPosting(
                    account=accounts[account_id],
                    line=line,
                    amount=amount,
                    event=event,
                    balance_after=after,
                    pieces=tuple(pieces.get(posting_id, ())),
                )
            )
    return lines


def _closes(span: dict[str, Any]) -> Iterator[Close]:
    held: dict[int, int] = {}
    kept: dict[tuple[int, int], int] = {}
    with connection.chunked_cursor() as cursor:
        cursor.execute(SNAPSHOTS, span)
        for day, rows in groupby(cursor, key=itemgetter(0)):
            moved = set()
            for _day, account_id, shard, amount in rows:
                before = kept.get((account_id, shard), 0)
                held[account_id] = held.get(account_id, 0) + amount - before
                kept[account_id, shard] = amount
                moved.add(account_id)
            if span["first"] is None or day >= span["first"]:
                yield Close(gaming_day=day, moved=frozenset(moved), held=held)
