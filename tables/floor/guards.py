"""Predicates of the floor: each `require_x` raises with the reason, each `can_x` asks it.

A page draws its buttons by the same predicates that the services obey.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from tables.errors import (
    AmountError,
    InvalidStateError,
    ReasonRequiredError,
    SeatError,
    StaleRevisionError,
    WagerRefusedError,
)
from tables.floor.models import SeatOccupancy, Table, TableLimits, TableSession
from tables.floor.states import NEXT, SessionState

LONGEST_REASON: Final = 200


def require_state(session: TableSession, *allowed: SessionState) -> None:
    """Refuse unless *session* is in one of the *allowed* states."""
    if session.state not in allowed:
        raise InvalidStateError(
            _("The session of table %(table)s") % {"table": session.table.code},
            current=session.state,
            allowed=[str(state) for state in allowed],
        )


def require_move(session: TableSession, to: SessionState) -> None:
    """Refuse unless *session* may go on to the state *to*."""
    require_state(session, *(state for state, following in NEXT.items() if to in following))


def require_revision(current: int, given: int | None) -> None:
    """Refuse an act that was decided from an older revision; none given means none is checked."""
    if given is not None and given != current:
        raise StaleRevisionError(given=given, current=current)


def require_seat(table: Table, seat: int, *, pointer: str = "/seat") -> None:
    """Refuse a seat number that the table does not have."""
    if not 1 <= seat <= table.seats:
        raise SeatError(
            _("Seats of this table are numbered 1 to %(last)d.") % {"last": table.seats},
            pointer=pointer,
        )


def require_amount(amount: int, *, pointer: str = "/amount") -> None:
    """Refuse an amount that is not a positive whole number below 2^53 minor units."""
    if type(amount) is not int or not 0 < amount < 2**53:
        raise AmountError(_("Give an amount above zero."), pointer=pointer)


def require_reason(reason: str, *, pointer: str = "/reason") -> str:
    """Return the *reason* without its margins; refuse none, and more than a few words."""
    given = reason.strip()
    if not 0 < len(given) <= LONGEST_REASON:
        raise ReasonRequiredError(pointer=pointer)
    return given


def require_wager_within(amount: int, limits: TableLimits, *, pointer: str = "/amount") -> None:
    """Refuse a wager that the table does not take under *limits*."""
    require_amount(amount, pointer=pointer)
    facts = {
        "wager_min": limits.wager_min,
        "wager_max": limits.wager_max,
        "wager_increment": limits.wager_increment,
    }
    if amount < limits.wager_min:
        raise WagerRefusedError(
            _("The wager is below the minimum of this table."), pointer=pointer, **facts
        )
    if amount > limits.wager_max:
        raise WagerRefusedError(
            _("The wager is above the maximum of this table."), pointer=pointer, **facts
        )
    if amount % limits.wager_increment:
        raise WagerRefusedError(
            _("The wager is not a multiple of the table's increment."), pointer=pointer, **facts
        )


def require_occupied(
    session: TableSession, seats: Iterable[int], *, pointer: str = "/seat"
) -> dict[int, SeatOccupancy]:
    """Return who sits at each of *seats* now; refuse if a seat is empty."""
    wanted = list(seats)
    seated = {
        occupancy.seat: occupancy
        for occupancy in session.occupancies.filter(seat__in=wanted, until=None)
    }
    for seat in wanted:
        require_seat(session.table, seat, pointer=pointer)
        if seat not in seated:
            raise SeatError(_("Nobody sits at seat %(seat)d.") % {"seat": seat}, pointer=pointer)
    return seated


def limits_at(table: Table, at: datetime) -> TableLimits:
    """Return the limits that are in force at the table at that moment."""
    found = table.limits.filter(effective_at__lte=at).order_by("-effective_at").first()
    assert found is not None, f"table {table.code} was made without limits"
    return found
