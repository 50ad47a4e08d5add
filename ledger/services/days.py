"""A gaming day opens once and closes once; nothing is posted to it afterwards."""

from __future__ import annotations

from datetime import date, datetime

from ledger.retrying import with_retries
from ledger.services.functions import call


def open_day(*, property_id: int, gaming_day: date, actor: str, at: datetime) -> None:
    """Open the day's books unless they are; the first posting of a day does the same.

    Raises:
        DayClosedError: this day, or a later one, is closed.
    """
    values = [property_id, gaming_day, actor, at]
    with_retries(lambda: call("SELECT ledger_open_day(%s, %s, %s, %s)", values))


def close_day(*, property_id: int, gaming_day: date, actor: str, at: datetime) -> bool:
    """Close the day's books, waiting for postings under way; return whether this call did it.

    Raises:
        EarlierDayOpenError: days close in their order.
    """
    values = [property_id, gaming_day, actor, at]
    (closed,) = with_retries(lambda: call("SELECT ledger_close_day(%s, %s, %s, %s)", values))
    return bool(closed)
