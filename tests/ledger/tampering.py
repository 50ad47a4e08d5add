"""What somebody does who owns the tables: take the guards off, change rows, put the guards back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

GUARDS = """
SELECT tgrelid::regclass::text, tgname FROM pg_trigger
WHERE tgrelid::regclass::text LIKE 'ledger\\_%' AND NOT tgisinternal
"""


@contextmanager
def unguarded(owner: psycopg.Connection[Any]) -> Iterator[psycopg.Connection[Any]]:
    """Let the owner of the tables do as they like, and leave no trace of it in the guards."""
    guards = owner.execute(GUARDS).fetchall()
    for table, name in guards:
        owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
    try:
        yield owner
    finally:
        for table, name in guards:
            owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def restore_elsewhere(owner: psycopg.Connection[Any], entry_id: int) -> None:
    """Let an entry that waits for its seal be one of a cluster that had counted much further."""
    tamper(owner, "UPDATE ledger_entry SET txid = '9000000000000' WHERE id = %(id)s", id=entry_id)


def tamper(owner: psycopg.Connection[Any], *statements: str, **values: Any) -> None:
    """Run *statements* without the guards, in one transaction."""
    with unguarded(owner), owner.transaction():
        for statement in statements:
            owner.execute(statement, values)
