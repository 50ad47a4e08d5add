"""The SQL of the migrations, in files that a reviewer reads as they run; each has its reverse."""

from pathlib import Path

from django.db.migrations.operations import RunSQL
from django.db.migrations.operations.base import Operation

HERE = Path(__file__).parent


def run(name: str, *, state: list[Operation] | None = None) -> RunSQL:
    """Return the operation that runs *name*.sql, and *name*.reverse.sql backwards."""
    return RunSQL(
        (HERE / f"{name}.sql").read_text(),
        (HERE / f"{name}.reverse.sql").read_text(),
        state_operations=state,
    )
