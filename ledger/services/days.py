"""A gaming day opens once and closes once, as its shifts do; nothing is posted to it afterwards.

What comes late is posted to the open day and names the day that it belongs to (`late_day`).
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from casino.events.services import RELAY
from casino.web.waking import gather_on_commit
from ledger.chart import Number
from ledger.errors import InvalidEntryError
from ledger.retrying import with_retries
from ledger.services.functions import call
from ledger.services.inputs import (
    require_day,
    require_id,
    require_moment,
    require_named,
    require_text,
)

CLEARING: Final = (Number.CHIPS_IN_TRANSIT,)
"""What was sent by the day's end must have arrived before the day closes."""


def open_day(*, property_id: int, gaming_day: date, actor: str, at: datetime) -> None:
    """Open the day's books unless they are; the first posting of a day does the same.

    Raises:
        DayClosedError: this day, or a later one, is closed.
    """
    require_id(property_id=property_id)
    require_day(gaming_day=gaming_day)
    require_named(actor=actor)
    require_moment(at)
    values = [property_id, gaming_day, actor, at]
    with_retries(lambda: call("SELECT ledger_open_day(%s, %s, %s, %s)", values))


def close_day(
    *, property_id: int, gaming_day: date, actor: str, approver: str, at: datetime
) -> bool:
    """Close the day's books and its shifts, waiting for postings under way.

    The close keeps a snapshot of every account that moved, the trial balance with its hash, and
    the head of the chain of seals; a second one changes nothing. Who may close, and after which
    checks on the floor, is the caller's to know.

    Args:
        actor, approver: two people, as `str(Actor)` writes them.

    Returns:
        Whether this call closed it.

    Raises:
        InvalidEntryError: the two are one, or nobody.
        EarlierDayOpenError: days close in their order.
        NotArrivedError: chips that were sent on this day are still in transit.
        TrialBalanceError: the day's books do not balance.
        UnknownPropertyError: there is no such property.
    """
    require_id(property_id=property_id)
    require_day(gaming_day=gaming_day)
    _require_two(actor, approver)
    require_moment(at)
    values = [property_id, gaming_day, actor, approver, at, list(CLEARING)]
    statement = "SELECT ledger_close_day(%s, %s, %s, %s, %s, %s::text[])"
    (closed,) = with_retries(lambda: call(statement, values))
    if closed:
        gather_on_commit(RELAY)
    return bool(closed)


def close_shift(
    *,
    property_id: int,
    gaming_day: date,
    shift: str,
    actor: str,
    approver: str = "",
    at: datetime,
) -> bool:
    """Close one shift of an open day; its totals are those of the entries that carry it.

    Returns:
        Whether this call closed it.

    Raises:
        InvalidEntryError: the shift has no name, or nobody closes it.
        DayClosedError: the day, or a later one, is closed.
        UnknownPropertyError: there is no such property.
    """
    require_id(property_id=property_id)
    require_day(gaming_day=gaming_day)
    require_named(shift=shift, actor=actor)
    require_text(approver=approver)
    require_moment(at)
    if not shift.isprintable():
        raise InvalidEntryError("shift", "it holds a character that nobody can print")
    values = [property_id, gaming_day, shift, actor, approver, at]
    statement = "SELECT ledger_close_shift(%s, %s, %s, %s, %s, %s)"
    (closed,) = with_retries(lambda: call(statement, values))
    return bool(closed)


def _require_two(actor: str, approver: str) -> None:
    require_named(actor=actor, approver=approver)
    if actor == approver:
        raise InvalidEntryError("approver", "a gaming day is closed by two different people")
