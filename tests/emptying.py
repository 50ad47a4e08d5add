"""Empties the tables that a test filled, and touches no other.

PostgreSQL gives a table that is truncated new files, and each of its indexes too: to truncate all
tables took longer than most tests. So rows are deleted where that is allowed; what is append-only
is truncated, with the tables that refer to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Any

KEPT = ("django_migrations", "django_content_type", "auth_permission", "ledger_currency")
"""Tables whose rows the migrations made."""

MANY_BYTES = 256 * 1024
"""Deleted rows leave their room to later ones, but not all of it: a larger table is truncated."""

TABLES = """
SELECT relname, EXISTS (
    SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND NOT tgisinternal AND tgtype & 8 <> 0)
FROM pg_class
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> ALL (%s)
"""  # 8 is DELETE
REFERENCES = """
SELECT conrelid::regclass::text, confrelid::regclass::text, condeferrable
FROM pg_constraint WHERE contype = 'f'
"""
SEQUENCES = """
SELECT refobjid::regclass::text, objid::regclass::text
FROM pg_depend JOIN pg_class AS its ON its.oid = objid AND its.relkind = 'S'
WHERE classid = 'pg_class'::regclass AND deptype IN ('a', 'i')
"""
SIZES = """
SELECT relname, pg_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname = ANY (%s)
  AND pg_relation_size(oid) > 0
"""


@dataclass(frozen=True)
class Layout:
    """What the migrations made, as far as it says how a table is emptied."""

    tables: dict[str, bool]
    """Whether a trigger looks at what is deleted."""
    references: list[tuple[str, str, bool]]
    """From a table to the one that it refers to, and whether that is looked at when all is done."""
    sequences: list[tuple[str, str]]
    """A table and a sequence of it."""

    @classmethod
    def read(cls, cursor: Any) -> Layout:
        """Ask the database that *cursor* is of."""
        answers = []
        for question, values in ((TABLES, [list(KEPT)]), (REFERENCES, None), (SEQUENCES, None)):
            cursor.execute(question, values)
            answers.append(cursor.fetchall())
        tables, references, sequences = answers
        return cls(tables=dict(tables), references=references, sequences=sequences)

    def empty(self, cursor: Any) -> None:
        """Empty what is filled, and begin its numbers again at one."""
        cursor.execute(SIZES, [list(self.tables)])
        sizes = dict(cursor.fetchall())
        truncated = self._with_referring(
            {name for name, size in sizes.items() if self.tables[name] or size > MANY_BYTES}
        )
        deleted = [name for name in self._referring_first if name in sizes.keys() - truncated]
        acts = [f"DELETE FROM {name}" for name in deleted]  # noqa: S608  names from the catalogue
        if truncated:
            # Without CASCADE: a table that points here and is kept is a mistake to be told of.
            acts.insert(0, f"TRUNCATE {', '.join(sorted(truncated))}")
        emptied = truncated.union(deleted)
        acts += [
            f"SELECT setval('{sequence}', 1, false)"
            for table, sequence in self.sequences
            if table in emptied
        ]
        if acts:
            cursor.execute("; ".join(acts))

    def _with_referring(self, tables: set[str]) -> set[str]:
        found: set[str] = set()
        while tables > found:
            found = set(tables)
            tables = found | {one for one, other, _later in self.references if other in found}
        return tables

    @cached_property
    def _referring_first(self) -> list[str]:
        sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(self.tables, ()))
        for one, other, later in self.references:
            if one != other and not later and {one, other} <= self.tables.keys():
                sorter.add(other, one)
        return list(sorter.static_order())
