"""An account's postings in its own order, each with what the account held after it."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.db import connection

from ledger.errors import UnknownAccountError
from ledger.models import Account
from ledger.selectors.records import StatementRow

# The order is the account's own, so the index of the statement leads straight to the page.
STATEMENT: Final = """
SELECT posting.account_version AS version, posting.shard, entry.id AS entry_id,
       entry.public_id AS entry, entry.kind, entry.source, posting.event, entry.gaming_day,
       entry.effective_at, entry.recorded_at, posting.currency, posting.amount,
       posting.balance_after, entry.table_ref AS "table", entry.session_ref AS session,
       entry.shift, entry.actor, entry.approver, entry.memo, entry.late_day,
       (SELECT public_id FROM ledger_entry WHERE id = entry.reverses_id) AS reverses,
       (SELECT public_id FROM ledger_entry WHERE reverses_id = entry.id) AS reversed_by,
       (SELECT public_id FROM ledger_entry WHERE id = entry.restates_id) AS restates,
       (SELECT public_id FROM ledger_entry WHERE id = entry.corrects_id) AS corrects
FROM ledger_posting AS posting
JOIN ledger_entry AS entry ON entry.id = posting.entry_id
WHERE posting.account_id = %(account_id)s
  AND (posting.shard, posting.account_version) > (%(after_shard)s, %(after_version)s)
  AND (posting.shard, posting.account_version) < (%(before_shard)s, %(before_version)s)
"""
# Between which versions of each balance row the postings of some days lie: from the first that is
# later than the last snapshot before them, up to what the first one after them holds.
BOUNDS: Final = """
SELECT wanted.shard, ledger_first_of_later_days(
           wanted.account_id, wanted.shard, snapshot.gaming_day, snapshot.upto_version,
           snapshot.held_debit - snapshot.debit, snapshot.held_credit - snapshot.credit),
       (SELECT upto_version FROM ledger_snapshot AS its
        WHERE its.account_id = wanted.account_id AND its.shard = wanted.shard
          AND its.gaming_day >= %(last_day)s
        ORDER BY its.gaming_day LIMIT 1)
FROM ledger_balance AS wanted LEFT JOIN LATERAL (
    SELECT * FROM ledger_snapshot AS its
    WHERE its.account_id = wanted.account_id AND its.shard = wanted.shard
      AND its.gaming_day < %(first_day)s
    ORDER BY its.gaming_day DESC LIMIT 1
) AS snapshot ON true
WHERE wanted.account_id = %(account_id)s ORDER BY wanted.shard
"""
PLACE_MAX: Final = (2**15 - 1, 2**63 - 1)
"""Beyond every shard and version."""

ShardAndVersion = tuple[int, int]
Days = tuple[date, date]


def statement(
    property_id: int,
    code: str,
    *,
    after: ShardAndVersion = (0, 0),
    before: ShardAndVersion = PLACE_MAX,
    newest_first: bool = False,
    days: Days | None = None,
    limit: int = 50,
) -> list[StatementRow]:
    """Return an account's postings between *after* and *before*, *limit* of them.

    Args:
        after, before: places, (shard, version); neither of them is in the page.
        newest_first: which end the page is counted from, and its order.
        days: the first gaming day and the last, both counted.

    Raises:
        UnknownAccountError: it was never opened.
    """
    account = Account.objects.filter(property_id=property_id, code=code).first()
    if account is None:
        raise UnknownAccountError(code)
    if days is None:
        return _page(account.pk, after, before, newest_first, limit)
    rows: list[StatementRow] = []
    for first, last in _bounds(account.pk, days, newest_first):
        rows += _page(
            account.pk,
            max(after, first),
            min(before, last),
            newest_first,
            limit - len(rows),
            days=days,
        )
        if len(rows) == limit:
            break
    return rows


def _bounds(
    account_id: int, days: Days, newest_first: bool
) -> list[tuple[ShardAndVersion, ShardAndVersion]]:
    """Return the places between which, neither of them counted, each shard has those days."""
    first_day, last_day = days
    with connection.cursor() as cursor:
        cursor.execute(
            BOUNDS, {"account_id": account_id, "first_day": first_day, "last_day": last_day}
        )
        bounds = [
            ((shard, low - 1), (shard, PLACE_MAX[1] if high is None else high + 1))
            for shard, low, high in cursor.fetchall()
        ]
    return bounds[::-1] if newest_first else bounds


def _page(
    account_id: int,
    after: ShardAndVersion,
    before: ShardAndVersion,
    newest_first: bool,
    limit: int,
    *,
    days: Days | None = None,
) -> list[StatementRow]:
    values: dict[str, Any] = {
        "account_id": account_id,
        "after_shard": after[0],
        "after_version": after[1],
        "before_shard": before[0],
        "before_version": before[1],
        "limit": limit,
    }
    query = STATEMENT
    if days is not None:
        query += " AND posting.gaming_day BETWEEN %(first_day)s AND %(last_day)s"
        values |= {"first_day": days[0], "last_day": days[1]}
    way = "DESC" if newest_first else "ASC"
    query += f" ORDER BY posting.shard {way}, posting.account_version {way} LIMIT %(limit)s"
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        names = [column.name for column in cursor.description]
        return [StatementRow(**dict(zip(names, row, strict=True))) for row in cursor.fetchall()]
