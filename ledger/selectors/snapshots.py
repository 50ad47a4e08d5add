"""Where the postings of days begin that a snapshot of an account counts, but not to its day."""

from __future__ import annotations

from typing import Final

# Of a balance row *wanted* and its *snapshot*, if any: a version below which nothing was posted to
# days later than the snapshot's.
#
# A snapshot tells what it holds of its own day and those before, and what it holds in all. The
# difference lies on days that had begun before it was taken, among its last postings: twice as
# many of them are added up each time until it is met. So little more is read than was posted
# since the first of these.
FIRST_OF_LATER_DAYS: Final = """
coalesce((
    WITH RECURSIVE back AS (
        SELECT snapshot.upto_version + 1 AS low,
               snapshot.held_debit = snapshot.debit
               AND snapshot.held_credit = snapshot.credit AS is_met
        UNION ALL
        SELECT next.low, (
            SELECT coalesce(sum(greatest(amount, 0)), 0) = snapshot.held_debit - snapshot.debit
               AND coalesce(-sum(least(amount, 0)), 0) = snapshot.held_credit - snapshot.credit
            FROM ledger_posting AS posting
            WHERE posting.account_id = wanted.account_id AND posting.shard = wanted.shard
              AND posting.account_version BETWEEN next.low AND snapshot.upto_version
              AND posting.gaming_day > snapshot.gaming_day)
        FROM back CROSS JOIN LATERAL (
            SELECT greatest(2 * back.low - snapshot.upto_version - 64, 1) AS low
        ) AS next
        WHERE NOT back.is_met
    )
    SELECT min(low) FROM back
), 1)
"""
