"""A patron leaves a seat: not while a wager of that seat is undecided."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from casino.staff.actors import Actor
from tables.errors import SeatError
from tables.floor import guards as floor_guards
from tables.floor import locks as floor_locks
from tables.floor.permissions import Act, require_role
from tables.floor.services.seats import record_seat
from tables.rounds.services.betting import current_round


def leave_seat(*, session_id: int, seat: int, actor: Actor, at: datetime) -> None:
    """Note that the patron of *seat* has left; an empty seat changes nothing.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        SeatError: no such seat, or it holds a wager on a round that is not finished.
    """
    require_role(actor, Act.SEAT_PATRON)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        floor_guards.require_seat(session.table, seat)
        seated = session.occupancies.filter(seat=seat, until=None).select_related("patron").first()
        if seated is None:
            return
        round_ = current_round(session)
        if round_ is not None and round_.wagers.filter(seat=seat).exists():
            raise SeatError(
                _("Seat %(seat)d has a wager on this round.") % {"seat": seat}, pointer="/seat"
            )
        seated.until = at
        seated.save(update_fields=["until"])
        record_seat(session, "seat.left", seat=seat, patron=seated.patron, actor=actor, at=at)
