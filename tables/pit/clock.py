"""Instants as the wall of the property shows them."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.dateformat import format as written


class WallClock:
    """The property's wall clock; it writes its zone beside every whole instant."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone

    def moment(self, at: datetime | None) -> str:
        """Return date and time: `2026-03-14 12:03:10 PDT`; a dash where it has not come."""
        return "—" if at is None else written(at.astimezone(self.zone), "Y-m-d H:i:s T")

    def time(self, at: datetime) -> str:
        """Return the time of a day that stands elsewhere: `12:03:10 PDT`."""
        return written(at.astimezone(self.zone), "H:i:s T")

    def wall_date(self, at: datetime) -> date:
        """Return the date on the wall."""
        return at.astimezone(self.zone).date()

    def on(self, day: date, at: datetime | None) -> str:
        """Return the time alone where its date is *day*, which stands beside it; else both."""
        return self.time(at) if at is not None and self.wall_date(at) == day else self.moment(at)
