"""An account's postings in its own order, each with what the account held after it."""

from __future__ import annotations

from datetime import date
from typing import Final

from django.db import connection

from ledger.errors import UnknownAccountError
from ledger.models import Account
from ledger.selectors.records import StatementRow

# The order is the account's own, so the index of the statement leads straight to the page. With
# days, *low* and *high* of each balance row are the versions between which their postings lie.
STATEMENT: Final = """
SELECT posting.account_version AS version, posting.shard, entry.id AS entry_id,
       entry.public_id AS entry, entry.kind, entry.source, posting.event, entry.gaming_day,
       entry.effective_at, entry.recorded_at, posting.currency, posting.amount,
       posting.balance_after, entry.table_ref AS "table", entry.session_ref AS session,
       entry.shift, entry.actor, entry.approver, entry.memo, entry.late_day,
       reversed.public_id AS reverses, reversal.public_id AS reversed_by,
       restated.public_id AS restates, corrected.public_id AS corrects
FROM ledger_posting AS posting
JOIN ledger_entry AS entry ON entry.id = posting.entry_id
LEFT JOIN ledger_entry AS reversed ON reversed.id = entry.reverses_id
LEFT JOIN ledger_entry AS reversal ON reversal.reverses_id = entry.id
LEFT JOIN ledger_entry AS restated ON restated.id = entry.restates_id
LEFT JOIN ledger_entry AS corrected ON corrected.id = entry.corrects_id
WHERE posting.account_id = %(account_id)s
  AND (posting.shard, posting.account_version) > (%(after_shard)s, %(after_version)s)
  AND (posting.shard, posting.account_version) < (%(before_shard)s, %(before_version)s)
"""
PLACE_MAX: Final = (2**15 - 1, 2**63 - 1)
"""Beyond every shard and version."""


def statement(
    property_id: int,
    code: str,
    *,
    after: tuple[int, int] = (0, 0),
    before: tuple[int, int] = PLACE_MAX,
    newest_first: bool = False,
    days: tuple[date, date] | None = None,
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
    values = {
        "account_id": account.pk,
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
