"""What an auditor may read in the database: tables that a migration names, and nothing else.

No default privilege gives anything: a table that nobody thought of is not readable.
"""

from __future__ import annotations

from typing import Final

from django.db.migrations.operations import RunSQL

AUDITOR_ROLE: Final = "baize_auditor"
"""Reads the books and what explains them; owns nothing, writes nothing, calls nothing."""


EACH_TABLE: Final = r"""
DO $$
DECLARE
    made regclass;
BEGIN
    FOR made IN SELECT oid FROM pg_class
                WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
                  AND relname LIKE '{app}\_%'
    LOOP
        EXECUTE format('{statement}', made);
    END LOOP;
END
$$;
"""


def auditor_reads(table: str, *columns: str) -> RunSQL:
    """Return the migration operation that lets the auditor read *table*.

    With *columns* it is these alone, so that a column that is added later stays unread. The
    migration must depend on `("web", "0005_auditor")`, which makes the role.
    """
    read = f"SELECT ({', '.join(columns)})" if columns else "SELECT"
    return RunSQL(
        f"GRANT {read} ON {table} TO {AUDITOR_ROLE}",
        f"REVOKE {read} ON {table} FROM {AUDITOR_ROLE}",
    )


def auditor_reads_all(app: str) -> RunSQL:
    """Return the operation that lets the auditor read every table that *app* has by now.

    A migration that makes another one says `auditor_reads` of it; the doctor finds what was
    forgotten.
    """
    each = auditor_reads("%s")
    return RunSQL(
        EACH_TABLE.format(app=app, statement=each.sql),
        EACH_TABLE.format(app=app, statement=each.reverse_sql),
    )
