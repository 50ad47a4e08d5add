"""What stands on the floor: tables, their latest sessions, patrons; reads only."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from casino.properties.selectors import gaming_day_of, get_setting
from tables.floor.models import Patron, Table, TableSession

TABLE_PLACE = "table:"
"""What the place of a device at a table begins with."""


def find_table(property_id: int, place: str) -> Table | None:
    """Return the table at which a device of that *place* stands (`table:3`); None if at none."""
    number = place.removeprefix(TABLE_PLACE)
    if number == place or not number.isdecimal():
        return None
    return (
        Table.objects.select_related("profile", "property", "chip_set")
        .filter(pk=int(number), property_id=property_id)
        .first()
    )


def latest_session(table: Table) -> TableSession | None:
    """Return the session that the table is in, or else its last one."""
    return (
        table.sessions.select_related("profile", "property", "chip_set", "opener", "closer")
        .order_by("-number")
        .first()
    )


def next_depth(table: Table, *, at: datetime) -> str:
    """Return the depth that a session which began at *at* would freeze.

    It is the setting `record_depth`: a `RecordDepth`, or `totals`, which is not built.
    """
    day = gaming_day_of(table.property, at)
    depth = get_setting(table.property_id, "record_depth", day=day, scope=table.ref)
    assert isinstance(depth, str), "a depth is a word"
    return depth


def list_patrons_to_seat(
    session: TableSession, *, text: str = "", limit: int = 8
) -> QuerySet[Patron]:
    """Return patrons whose name or reference holds *text* and who do not sit at this table."""
    seated = session.occupancies.filter(until=None).values("patron_id")
    found = Patron.objects.filter(property_id=session.property_id).exclude(pk__in=seated)
    if text:
        found = found.filter(name__icontains=text) | found.filter(ref__iexact=text)
    return found.order_by("name", "pk")[:limit]
