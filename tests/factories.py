"""What tests begin from: the demo casino as it stands before its first session."""

from __future__ import annotations

from datetime import UTC, datetime

from casino.properties.models import Property
from casino.properties.selectors import gaming_day_of
from casino.properties.services import set_setting
from casino.staff.actors import Actor, Signer
from casino.staff.roles import Role
from tables.demo.loading import furnish, signer_at
from tables.floor.models import Patron, Table

NOON = datetime(2026, 3, 14, 19, 0, tzinfo=UTC)
"""14 March 2026, 12:00 on the wall of the demo property: gaming day 2026-03-14."""


def a_casino() -> Property:
    """Return the demo property, furnished and never played in."""
    return furnish(NOON)


def a_table(casino: Property, code: str = "T1") -> Table:
    """Return a table of the casino: T1 deals tiles, T2 cards."""
    return Table.objects.select_related("profile", "property").get(property=casino, code=code)


def a_patron(casino: Property, ref: str = "P1") -> Patron:
    """Return one of the casino's patrons."""
    return Patron.objects.get(property=casino, ref=ref)


def record_outcomes_alone(
    casino: Property, table: Table | None = None, *, at: datetime = NOON
) -> None:
    """Let sessions that begin from now on, at *table* or at all, record no hands."""
    set_setting(
        property=casino,
        name="record_depth",
        value="result",
        scope=table.ref if table else "",
        effective_from=gaming_day_of(casino, at),
        set_by="system:tests",
        at=at,
    )


def dealer(casino: Property, number: str = "DL-210") -> Actor:
    """Return a dealer who is signed in at the tablet of T1."""
    return signer_at(a_table(casino), number, Role.DEALER).actor


def floor(casino: Property) -> Signer:
    """Return the floor supervisor, signing."""
    return signer_at(a_table(casino), "FS-031", Role.FLOOR_SUPERVISOR)


def pit_boss(casino: Property) -> Signer:
    """Return the pit boss, signing."""
    return signer_at(a_table(casino), "PB-004", Role.PIT_BOSS)


def auditor(casino: Property) -> Signer:
    """Return the auditor, signing."""
    return signer_at(a_table(casino), "AU-002", Role.AUDITOR)
