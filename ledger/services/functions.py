"""The one way from Python into the ledger's SQL functions: call, read, translate refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import DatabaseError, connection

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
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows
    except DatabaseError as error:
        if refusal := refusal_of(error):
            raise refusal from error
        raise
