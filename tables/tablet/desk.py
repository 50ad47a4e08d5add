"""Where a tablet stands and who works it: what every act and every screen begins from."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from casino.properties.models import Property
from casino.staff.actors import Actor
from casino.staff.sessions import actor_of, device_of
from tables.floor.models import Table, TableSession
from tables.floor.selectors import find_table, latest_session


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The table of an enrolled tablet, the session that it is in (or its last), and who acts."""

    table: Table
    session: TableSession | None
    actor: Actor

    @property
    def casino(self) -> Property:
        """Return the casino."""
        return self.table.property

    @property
    def currency(self) -> str:
        """Return the code of the money at this table."""
        return self.casino.currency

    @property
    def channel(self) -> str:
        """Return the channel on which this table tells its screens of changes."""
        return self.table.ref

    def in_session(self) -> TableSession:
        """Return the session; the acts that ask are offered in a session only."""
        if self.session is None:
            raise Http404(_("This table has had no session yet."))
        return self.session


def desk_of(request: HttpRequest) -> Desk:
    """Return the desk of the signed-in person at this enrolled device.

    Raises:
        Http404: the device stands at no table of its property.
    """
    device = device_of(request)
    assert device is not None, "tablet_page lets only enrolled devices in"
    table = find_table(device.property_id, device.place)
    if table is None:
        raise Http404(_("This tablet stands at no table."))
    return Desk(table=table, session=latest_session(table), actor=actor_of(request))
