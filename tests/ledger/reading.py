"""How many rows a read of the books touches, as PostgreSQL itself counts them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection

# Of this transaction, rows that functions read included. Nothing is vacuumed in a test, so a scan
# of an index alone looks at the table for every row, and is counted too.
READ = """
SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)
FROM pg_stat_xact_user_tables WHERE relname LIKE 'ledger\\_%'
"""


def analyze() -> None:
    """Let PostgreSQL look at the tables, so that the plans are those that their size deserves."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE NONE")
        for table in ("entry", "posting", "account", "balance", "snapshot", "period"):
            cursor.execute(f"ANALYZE ledger_{table}")
        cursor.execute("RESET ROLE")


def rows_read(read: Callable[[], Any]) -> int:
    """Return how many rows of the books *read* takes from tables."""
    before = _read_so_far()
    read()
    return _read_so_far() - before


def _read_so_far() -> int:
    with connection.cursor() as cursor:
        cursor.execute(READ)
        return int(cursor.fetchone()[0])
