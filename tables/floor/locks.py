"""Every row lock of the floor; the written order is property, table, session, round,
wager, account.

`NO KEY` strength, so that foreign keys of other rows to these do not wait.
"""

from __future__ import annotations

from casino.properties.models import Property
from casino.web.errors import NotFoundError
from tables.floor.models import Table, TableSession


def property_(property_id: int) -> Property:
    """Lock and return the property: what it publishes comes one after the other."""
    return Property.objects.select_for_update(no_key=True).get(pk=property_id)


def table(table_id: int) -> Table:
    """Lock and return the table: its openings and its limits come one after the other.

    Raises:
        NotFoundError: there is no such table.
    """
    found = (
        Table.objects.select_for_update(no_key=True, of=("self",))
        .select_related("property", "profile", "chip_set")
        .filter(pk=table_id)
        .first()
    )
    if found is None:
        raise NotFoundError(f"There is no table {table_id}.")
    return found


def session(session_id: int) -> TableSession:
    """Lock and return the session with its table, profile and property.

    Raises:
        NotFoundError: there is no such session.
    """
    found = (
        TableSession.objects.select_for_update(no_key=True, of=("self",))
        .select_related("table", "profile", "property")
        .filter(pk=session_id)
        .first()
    )
    if found is None:
        raise NotFoundError(f"There is no table session {session_id}.")
    return found
