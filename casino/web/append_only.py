"""Append-only tables: PostgreSQL itself refuses to change, delete or empty what was written."""

from __future__ import annotations

from django.db.migrations.operations import RunSQL


def append_only(table: str) -> list[RunSQL]:
    """Return the migration operations that freeze every row of *table* once it is inserted.

    The migration must depend on `("web", "0001_roles")`, which makes `web_frozen()` and the role.
    Rows are refused with SQLSTATE 55000, also for the owner and under
    `session_replication_role = replica`.
    """
    return [
        frozen(table, name=f"{table}_frozen", when="UPDATE OR DELETE"),
        *no_emptying(table),
        RunSQL(
            f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM baize_app",
            f"GRANT UPDATE, DELETE ON {table} TO baize_app",
        ),
    ]


def no_emptying(table: str) -> list[RunSQL]:
    """Return the operation that refuses TRUNCATE, by a trigger of its own.

    A test database does without this one alone, so that it can be emptied between tests.
    """
    return [frozen(table, name=f"{table}_kept", when="TRUNCATE")]


def frozen(table: str, *, name: str, when: str) -> RunSQL:
    """Return the operation that makes trigger *name* refuse the statements *when* on *table*."""
    return RunSQL(
        f"CREATE TRIGGER {name} BEFORE {when} ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();"
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name};",
        f"DROP TRIGGER {name} ON {table}",
    )
