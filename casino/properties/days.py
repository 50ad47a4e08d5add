"""Gaming days by the wall clock: no day has an assumed length, none is computed by hours.

Source: table-operations.md 12.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

ONE_DAY = timedelta(days=1)


def gaming_day(at: datetime, *, time_zone: str, day_start: time) -> date:
    """Return the gaming day of the instant *at*: its wall clock minus the start, as a date.

    Args:
        at: an instant; its own zone does not matter.
        time_zone: IANA name of the property's zone, whose rules at *at* decide.
        day_start: local wall-clock time at which the day rolls over.

    Raises:
        ValueError: *at* names no instant, having no zone.
    """
    return (wall_clock(at, time_zone=time_zone) - since_midnight(day_start)).date()


def day_bounds(day: date, *, time_zone: str, day_start: time) -> tuple[datetime, datetime]:
    """Return the UTC instants at which gaming *day* begins (included) and ends (excluded).

    They lie 24 hours apart, or 23 or 25 and whatever else the zone's clock changes make of it.
    """
    begins, ends = (
        first_instant(datetime.combine(day_, day_start), time_zone=time_zone)
        for day_ in (day, day + ONE_DAY)
    )
    return begins, ends


def wall_clock(at: datetime, *, time_zone: str) -> datetime:
    """Return what the clock on the wall shows at *at*, as a datetime without zone."""
    if at.tzinfo is None:
        raise ValueError(f"{at.isoformat()} has no zone, so it is no instant")
    return at.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)


def since_midnight(clock: time) -> timedelta:
    """Return how far *clock* is from midnight on the dial."""
    return timedelta(
        hours=clock.hour,
        minutes=clock.minute,
        seconds=clock.second,
        microseconds=clock.microsecond,
    )


@lru_cache(maxsize=4096)
def first_instant(wall: datetime, *, time_zone: str) -> datetime:
    """Return the first UTC instant at which the wall clock shows *wall*, or has passed over it.

    A clock put forward shows some times never: they are reached when it jumps. A clock put back
    shows some twice: the first counts.
    """
    zone = ZoneInfo(time_zone)
    first = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if wall_clock(first, time_zone=time_zone) == wall:
        return first
    # Skipped: the offset before the jump names an instant after it, the one after it one before.
    shown, passed = _seconds(wall.replace(tzinfo=zone, fold=1)), _seconds(first)
    while passed - shown > 1:  # clock changes fall on whole seconds
        middle = (shown + passed) // 2
        if wall_clock(datetime.fromtimestamp(middle, UTC), time_zone=time_zone) < wall:
            shown = middle
        else:
            passed = middle
    return datetime.fromtimestamp(passed, UTC)


def _seconds(at: datetime) -> int:
    return int(at.timestamp())


def is_shown_twice(clock: time, *, time_zone: str, years: range) -> bool:
    """Return whether a clock put back in *years* passes over *clock* and reaches it again.

    A gaming day that starts at such a time would begin, end and begin again on that night.
    """
    zone = ZoneInfo(time_zone)
    new_year, end = date(years.start, 1, 1), date(years.stop, 1, 1)
    for day in (new_year + ONE_DAY * n for n in range((end - new_year).days)):
        wall = datetime.combine(day, clock)
        first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        just_before = wall_clock(second - timedelta(microseconds=1), time_zone=time_zone)
        # A clock put back exactly to *clock* only stays in the day that has begun.
        if second > first and just_before < wall:
            return True
    return False
