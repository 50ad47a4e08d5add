"""Instants as the wall of the property shows them."""

from __future__ import annotations

from datetime import datetime
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

    def recent(self, at: datetime, *, now: datetime) -> str:
        """Return the time alone if it is of the same date as *now*, else with its date."""
        same = at.astimezone(self.zone).date() == now.astimezone(self.zone).date()
        return self.time(at) if same else self.moment(at)
