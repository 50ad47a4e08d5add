"""What a property's calendar and settings say; reads only, the instant or day is always given."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from casino.properties import days
from casino.properties.catalogue import JSON, get_spec
from casino.properties.models import Property, Setting, Shift


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingDay:
    """One gaming day and the UTC instants between which it lies."""

    day: date
    starts_at: datetime
    ends_at: datetime
    """Excluded; the next day begins here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftSpan:
    """One shift of one gaming day and the UTC instants between which it lies."""

    name: str
    """Empty where the property has no shift table: its shift is the gaming day."""
    gaming_day: date
    """The day in which the shift began."""
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """A property with its shift table and the gaming days around an instant."""

    property: Property
    shifts: tuple[Shift, ...]
    """In the order of the gaming day."""
    gaming_days: tuple[GamingDay, ...]
    """Newest first."""


def get_property(property_id: int) -> Property:
    """Return the property of that key, which the caller knows to exist."""
    return Property.objects.get(pk=property_id)


def gaming_day_of(property: Property, at: datetime) -> date:
    """Return the gaming day of *property* to which the instant *at* belongs."""
    return days.gaming_day(at, time_zone=property.time_zone, day_start=property.day_start)


def get_gaming_day(property: Property, day: date) -> GamingDay:
    """Return gaming *day* of *property* with its bounds."""
    starts_at, ends_at = days.day_bounds(
        day, time_zone=property.time_zone, day_start=property.day_start
    )
    return GamingDay(day=day, starts_at=starts_at, ends_at=ends_at)


def list_gaming_days(property: Property, *, at: datetime, count: int) -> tuple[GamingDay, ...]:
    """Return the gaming day of *at* and those before it, newest first, *count* in all."""
    today = gaming_day_of(property, at)
    return tuple(get_gaming_day(property, today - days.ONE_DAY * n) for n in range(count))


def get_calendar(property_id: int, *, at: datetime, days_shown: int) -> Calendar:
    """Return what a program must know to tell the gaming day and shift of any recent instant."""
    property = get_property(property_id)
    return Calendar(
        property=property,
        shifts=tuple(list_shifts(property)),
        gaming_days=list_gaming_days(property, at=at, count=days_shown),
    )


def list_shifts(property: Property) -> list[Shift]:
    """Return the shifts of *property* in the order in which a gaming day runs through them."""
    return sorted(
        property.shifts.all(), key=lambda shift: _after_day_start(property, shift.starts_at)
    )


def shift_at(property: Property, at: datetime) -> ShiftSpan:
    """Return the shift that runs at the instant *at*.

    A shift ends when the next one starts; before the day's first shift the last one still runs.
    """
    shifts = list_shifts(property)
    today = gaming_day_of(property, at)
    if not shifts:
        whole = get_gaming_day(property, today)
        return ShiftSpan(
            name="", gaming_day=today, starts_at=whole.starts_at, ends_at=whole.ends_at
        )
    starts = [
        (_shift_start(property, shift, day), shift, day)
        for day in (today - days.ONE_DAY, today, today + days.ONE_DAY)
        for shift in shifts
    ]
    # The last that has started: on a night of a clock change two may start at one instant.
    current = max(n for n, (starts_at, _, _) in enumerate(starts) if starts_at <= at)
    starts_at, shift, day = starts[current]
    return ShiftSpan(
        name=shift.name, gaming_day=day, starts_at=starts_at, ends_at=starts[current + 1][0]
    )


def shift_of(property: Property, at: datetime) -> str:
    """Return the name of the shift that runs at *at*; empty where there is no shift table."""
    return shift_at(property, at).name


def get_setting(property_id: int, name: str, *, day: date, scope: str = "") -> JSON:
    """Return what the setting *name* is on gaming *day*.

    A row for *scope* (`table:3`) goes before one for the property, that before the default; of
    several rows the latest that holds on *day* counts.

    Raises:
        UnknownSettingError: there is no such setting.
    """
    spec = get_spec(name)
    rows = Setting.objects.filter(property_id=property_id, name=name, effective_from__lte=day)
    for wanted in dict.fromkeys((scope, "")):
        # One step of the index `properties_setting_latest`.
        row = rows.filter(scope=wanted).order_by("-effective_from", "-id").first()
        if row is not None:
            value: JSON = row.value
            return value
    return spec.default


def get_amount(property_id: int, name: str, *, day: date, scope: str = "") -> int | None:
    """Return a setting that is an amount in minor units; None where it is switched off."""
    value = get_setting(property_id, name, day=day, scope=scope)
    assert value is None or type(value) is int, f"{name} is no amount"
    return value


def get_percent_band(property_id: int, name: str, *, day: date) -> tuple[int, int]:
    """Return a setting that is a band around 100 %: its low and its high end, in percent."""
    value = get_setting(property_id, name, day=day)
    assert isinstance(value, dict), f"{name} is no band"
    low, high = value["low"], value["high"]
    assert type(low) is int, f"{name} has no low end"
    assert type(high) is int, f"{name} has no high end"
    return low, high


def _after_day_start(property: Property, clock: time) -> timedelta:
    return (days.since_midnight(clock) - days.since_midnight(property.day_start)) % days.ONE_DAY


def _shift_start(property: Property, shift: Shift, day: date) -> datetime:
    wall = datetime.combine(day, property.day_start) + _after_day_start(property, shift.starts_at)
    return days.first_instant(wall, time_zone=property.time_zone)
