"""How many rows a read of the books touches, as PostgreSQL itself counts them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.db import connection


def analyze() -> None:
    """Let PostgreSQL look at the tables, so that the plans are those that their size deserves."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE NONE")
        for table in ("entry", "posting", "account", "balance", "snapshot", "period"):
            cursor.execute(f"ANALYZE ledger_{table}")
        cursor.execute("RESET ROLE")


def rows_read(read: Callable[[], Any]) -> int:
    """Return how many rows the queries of *read* take from tables, all loops counted."""
    queries: list[tuple[str, Any]] = []

    def keep(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        queries.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(keep):
        read()
    total = 0
    with connection.cursor() as cursor:
        for sql, params in queries:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
            plan = cursor.fetchone()[0]
            total += _scanned((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
    return total


def _scanned(node: dict[str, Any]) -> int:
    own = 0
    if "Relation Name" in node:
        own = node["Actual Loops"] * (
            node["Actual Rows"]
            + node.get("Rows Removed by Filter", 0)
            + node.get("Rows Removed by Join Filter", 0)
            + node.get("Rows Removed by Index Recheck", 0)
        )
    return round(own) + sum(_scanned(child) for child in node.get("Plans", ()))
