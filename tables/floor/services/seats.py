"""Who sits where: a seat holds one patron at a time, and each change keeps its moment."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from casino.staff.actors import Actor
from casino.staff.services import audit
from tables.errors import SeatError
from tables.floor import guards, locks
from tables.floor.models import Patron, SeatOccupancy, TableSession
from tables.floor.permissions import Act, require_role
from tables.floor.services import sessions
from tables.floor.states import SessionState


def seat_patron(
    *, session_id: int, seat: int, patron: Patron, actor: Actor, at: datetime
) -> SeatOccupancy:
    """Seat *patron*; the same patron in the same seat changes nothing.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the session is not open.
        SeatError: no such seat, or somebody else sits there.
    """
    require_role(actor, Act.SEAT_PATRON)
    with transaction.atomic():
        session = locks.session(session_id)
        assert patron.property_id == session.property_id, "a patron of this house"
        guards.require_state(session, SessionState.OPEN)
        guards.require_seat(session.table, seat)
        seated = session.occupancies.filter(seat=seat, until=None).select_related("patron").first()
        if seated is not None:
            if seated.patron_id == patron.pk:
                return seated
            raise SeatError(
                _("%(patron)s sits at seat %(seat)d.")
                % {"patron": seated.patron.name, "seat": seat},
                pointer="/seat",
            )
        occupancy = SeatOccupancy.objects.create(
            session=session, seat=seat, patron=patron, since=at
        )
        record_seat(session, "seat.taken", seat=seat, patron=patron, actor=actor, at=at)
    return occupancy


def record_seat(
    session: TableSession, action: str, *, seat: int, patron: Patron, actor: Actor, at: datetime
) -> None:
    """Write the audit row of a change at a seat and tell the screens."""
    audit.record(
        actor=actor,
        action=action,
        subject=session.ref,
        property_id=session.property_id,
        at=at,
        after={"seat": seat, "patron": patron.ref},
    )
    sessions.tell(session, action, seat=seat)
