"""What the books said at a moment of the past, after an entry, and of a gaming day.

The moment is `recorded_at`: what was written since is not in the answer, whatever day it tells of.
An account's own count of postings (`account_version`) never runs against that clock, so the last
posting of the moment is found by halving, and it says itself what the account held. Where several
rows share an account's load, the snapshot of a closed day says it, and the tail of postings since.

A sandbox's clock is told and may run backwards: there the tail is read to its end.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from django.db import connection

from casino.properties.models import Property
from ledger.errors import UnknownAccountError, UnknownEntryError
from ledger.models import Entry
from ledger.selectors.records import Held
from ledger.selectors.snapshots import FIRST_OF_LATER_DAYS

# The account and those below it, one row for each balance row, with the last line that the entry
# (if one is asked for) has on it. A sibling may sort between an account and what is below it.
WANTED: Final = """
wanted AS (
    SELECT balance.account_id, balance.shard, balance.shards, balance.currency, balance.version,
           (SELECT max(account_version) FROM ledger_posting AS posting
            WHERE posting.entry_id = %(entry_id)s AND posting.account_id = balance.account_id
              AND posting.shard = balance.shard) AS last_line
    FROM ledger_account AS account
    JOIN ledger_balance AS balance ON balance.account_id = account.id
    WHERE account.property_id = %(property_id)s
      AND account.code >= %(code)s AND account.code < %(code)s || '0'
      AND (account.code = %(code)s OR account.code > %(code)s || '/')
)
"""

# What a balance row held at its version *reached*. A snapshot that says no more was taken before
# that posting, hence of an earlier day: only days that overlapped are passed over.
HELD_AT_VERSION: Final = """
CASE WHEN reached = 0 THEN 0
     WHEN wanted.shards = 1 THEN
         (SELECT balance_after FROM ledger_posting AS posting
          WHERE posting.account_id = wanted.account_id AND posting.shard = wanted.shard
            AND posting.account_version = reached)
     ELSE (
         SELECT coalesce(snapshot.held, 0) + coalesce((
                    SELECT sum(amount) FROM ledger_posting AS posting
                    WHERE posting.account_id = wanted.account_id AND posting.shard = wanted.shard
                      AND posting.account_version > coalesce(snapshot.upto_version, 0)
                      AND posting.account_version <= reached), 0)
         FROM (SELECT) AS always LEFT JOIN LATERAL (
             SELECT held_debit - held_credit AS held, upto_version
             FROM ledger_snapshot
             WHERE account_id = wanted.account_id AND shard = wanted.shard
               AND upto_version <= reached
               AND gaming_day < (
                   SELECT gaming_day FROM ledger_posting AS posting
                   WHERE posting.account_id = wanted.account_id
                     AND posting.shard = wanted.shard AND posting.account_version = reached)
             ORDER BY gaming_day DESC LIMIT 1
         ) AS snapshot ON true)
END
"""

# Each step asks one posting when it was recorded. OFFSET 0 keeps it from being asked twice.
AT: Final = f"""
WITH RECURSIVE {WANTED}, search AS (
    SELECT account_id, shard, coalesce(last_line, 0) AS low, coalesce(last_line, version) AS high
    FROM wanted
    UNION ALL
    SELECT account_id, shard, CASE WHEN known.is_then THEN middle ELSE low END,
           CASE WHEN known.is_then THEN high ELSE middle - 1 END
    FROM search CROSS JOIN LATERAL (SELECT (low + high + 1) / 2 AS middle) AS half
    CROSS JOIN LATERAL (
        SELECT (SELECT recorded_at FROM ledger_entry WHERE id = (
                    SELECT entry_id FROM ledger_posting AS posting
                    WHERE posting.account_id = search.account_id
                      AND posting.shard = search.shard AND posting.account_version = middle)
               ) <= %(at)s AS is_then
        OFFSET 0
    ) AS known
    WHERE low < high
)
SELECT wanted.currency, sum({HELD_AT_VERSION})
FROM (SELECT account_id, shard, low AS reached FROM search WHERE low = high) AS found
JOIN wanted USING (account_id, shard)
GROUP BY wanted.currency ORDER BY wanted.currency
"""  # noqa: S608 - both parts are written here

# A close is recorded after all that its snapshots hold. Days that closed before snapshots were
# taken bear one signature, and theirs hold what stood when they were made up.
AT_A_SANDBOX: Final = f"""
WITH {WANTED}
SELECT wanted.currency, sum(
    CASE WHEN last_line IS NOT NULL THEN {HELD_AT_VERSION}
         ELSE coalesce(snapshot.held, 0) + coalesce((
             SELECT sum(posting.amount) FROM ledger_posting AS posting
             WHERE posting.account_id = wanted.account_id AND posting.shard = wanted.shard
               AND posting.account_version > coalesce(snapshot.upto_version, 0)
               AND (SELECT recorded_at FROM ledger_entry AS entry
                    WHERE entry.id = posting.entry_id) <= %(at)s), 0)
    END)
FROM wanted CROSS JOIN LATERAL (SELECT last_line AS reached) AS target
LEFT JOIN LATERAL (
    SELECT held_debit - held_credit AS held, upto_version
    FROM ledger_snapshot AS its
    WHERE its.account_id = wanted.account_id AND its.shard = wanted.shard AND EXISTS (
        SELECT FROM ledger_period AS period
        WHERE period.property_id = %(property_id)s AND period.gaming_day = its.gaming_day
          AND period.shift = '' AND period.approved_by <> '' AND period.recorded_at <= %(at)s)
    ORDER BY its.gaming_day DESC LIMIT 1
) AS snapshot ON true
GROUP BY wanted.currency ORDER BY wanted.currency
"""  # noqa: S608 - both parts are written here

ON_DAY: Final = f"""
WITH {WANTED}, closed AS (
    SELECT max(gaming_day) AS day FROM ledger_period
    WHERE property_id = %(property_id)s AND shift = '' AND status = 'closed'
)
SELECT wanted.currency, sum(coalesce(snapshot.debit - snapshot.credit, 0) + coalesce(
    CASE WHEN closed.day IS NULL OR closed.day < %(day)s THEN (
        SELECT sum(amount)
        FROM (SELECT {FIRST_OF_LATER_DAYS} AS low OFFSET 0) AS first
        JOIN ledger_posting AS posting ON posting.account_version >= first.low
        WHERE posting.account_id = wanted.account_id AND posting.shard = wanted.shard
          AND (closed.day IS NULL OR posting.gaming_day > closed.day)
          AND posting.gaming_day <= %(day)s)
    END, 0))
FROM wanted CROSS JOIN closed LEFT JOIN LATERAL (
    SELECT * FROM ledger_snapshot AS its
    WHERE its.account_id = wanted.account_id AND its.shard = wanted.shard
      AND its.gaming_day <= %(day)s
    ORDER BY its.gaming_day DESC LIMIT 1
) AS snapshot ON true
GROUP BY wanted.currency ORDER BY wanted.currency
"""  # noqa: S608 - both parts are written here


def balance_at(property_id: int, code: str, *, at: datetime) -> tuple[Held, ...]:
    """Return what the books said at *at* that the account *code* held, by currency.

    Its sub-accounts count with it. What was recorded at *at* itself is in it.

    Raises:
        UnknownAccountError: neither it nor a sub-account was ever opened.
    """
    return _read(_query_at(property_id), property_id, code, at=at)


def balance_after_entry(property_id: int, code: str, entry_id: int) -> tuple[Held, ...]:
    """Return what the account *code* held when the entry had been posted, by currency.

    An account on which the entry has a line answers with what it held after its last; any other,
    as of the moment at which the entry was recorded. Sub-accounts count with it.

    Raises:
        UnknownEntryError: the property has no such entry.
        UnknownAccountError: neither the account nor a sub-account was ever opened.
    """
    found = Entry.objects.filter(property_id=property_id, pk=entry_id)
    at = found.values_list("recorded_at", flat=True).first()
    if at is None:
        raise UnknownEntryError(entry_id)
    return _read(_query_at(property_id), property_id, code, at=at, entry_id=entry_id)


def balance_on(property_id: int, code: str, gaming_day: date) -> tuple[Held, ...]:
    """Return what the account *code* had come to by the end of *gaming_day*, by currency.

    All that was posted to this day and those before it, whenever it was; of an open day, so far.
    Sub-accounts count with it.

    Raises:
        UnknownAccountError: neither it nor a sub-account was ever opened.
    """
    return _read(ON_DAY, property_id, code, day=gaming_day)


def _query_at(property_id: int) -> str:
    is_sandbox = Property.objects.filter(pk=property_id, is_sandbox=True).exists()
    return AT_A_SANDBOX if is_sandbox else AT


def _read(query: str, property_id: int, code: str, **values: Any) -> tuple[Held, ...]:
    values = {"property_id": property_id, "code": code, "entry_id": None, **values}
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        held = tuple(Held(currency, int(amount)) for currency, amount in cursor.fetchall())
    if not held:
        raise UnknownAccountError(code)
    return held
