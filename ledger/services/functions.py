"""The one way from Python into the ledger's SQL functions: call, read, translate refusals.

The statements are few and the same each time, so PostgreSQL keeps them parsed and planned: values
travel beside them, where Django's own cursors write each value into the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import DatabaseError, connection
from django.db.backends.utils import CursorWrapper

from ledger.errors import refusal_of


def call(statement: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the one row that *statement* answers.

    Raises:
        LedgerError: the function refused, with the reason as data.
    """
    return call_many(statement, values)[0]


def call_many(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows that *statement* answers.

    Raises:
        LedgerError: the function refused, with the reason as data.
    """
    try:
        with _cursor() as cursor:
            cursor.execute(statement, values)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows
    except DatabaseError as error:
        if refusal := refusal_of(error):
            raise refusal from error
        raise


def _cursor() -> CursorWrapper:
    connection.ensure_connection()
    # Any: the stubs take a cursor that is wrapped already.
    cursor: Any = psycopg.Cursor(connection.connection)
    if connection.queries_logged:
        return connection.make_debug_cursor(cursor)
    return connection.make_cursor(cursor)
