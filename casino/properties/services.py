"""Changes of a property: checked against its clock, dated, and never backwards in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from types import MappingProxyType
from typing import Final
from zoneinfo import available_timezones

from django.conf import settings
from django.db import transaction
from django.db.models import JSONField, Value

from casino.properties import days, selectors
from casino.properties.catalogue import JSON, get_spec, require_value
from casino.properties.errors import CalendarError, SettingApprovalError, SettingDayError
from casino.properties.models import Property, Setting, Shift

YEARS_CHECKED: Final = 10
"""How many years of clock changes a day start is checked against."""

NO_SHIFTS: Final[Mapping[str, time]] = MappingProxyType({})


def open_property(
    *,
    code: str,
    name: str,
    time_zone: str,
    currency: str,
    at: datetime,
    day_start: time = time(6),
    languages: Sequence[str] = (settings.LANGUAGE_CODE,),
    shifts: Mapping[str, time] = NO_SHIFTS,
    is_sandbox: bool = False,
) -> Property:
    """Create a property with its shift table (name → local start).

    Raises:
        CalendarError: the zone is unknown, or its clock passes the day start or a shift's start
            twice in one night; two shifts start together.
    """
    if time_zone not in available_timezones():
        raise CalendarError(f"there is no zone named {time_zone!r}", pointer="/time_zone")
    _require_shown_once(day_start, time_zone=time_zone, at=at, pointer="/day_start")
    for starts_at in shifts.values():
        _require_shown_once(starts_at, time_zone=time_zone, at=at, pointer="/shifts")
    if len(set(shifts.values())) < len(shifts):
        raise CalendarError("two shifts start at one time", pointer="/shifts")
    with transaction.atomic():
        property = Property.objects.create(
            code=code,
            name=name,
            time_zone=time_zone,
            day_start=day_start,
            currency=currency,
            is_sandbox=is_sandbox,
            languages=list(languages),
        )
        Shift.objects.bulk_create(
            Shift(property=property, name=shift, starts_at=starts_at)
            for shift, starts_at in shifts.items()
        )
    return property


def set_setting(
    *,
    property: Property,
    name: str,
    value: JSON,
    effective_from: date,
    set_by: str,
    at: datetime,
    scope: str = "",
    approved_by: str = "",
) -> Setting:
    """Let the setting *name* be *value* from the gaming day *effective_from* on.

    Args:
        set_by: the actor string of who sets it; the row is its own audit trail.
        approved_by: the actor string of the second person, for settings about money.

    Raises:
        UnknownSettingError: there is no such setting.
        SettingValueError: the setting cannot have that value.
        SettingDayError: *effective_from* is over, so sessions were run under another value.
        SettingApprovalError: a money setting without a second person, or with the same one.
    """
    require_value(name, value)
    today = selectors.gaming_day_of(property, at)
    if effective_from < today:
        raise SettingDayError(
            f"{name} can change from gaming day {today} on, not from {effective_from}",
            pointer="/effective_from",
        )
    if get_spec(name).about_money and not approved_by:
        raise SettingApprovalError(
            f"{name} is about money: a second person approves it", pointer="/approved_by"
        )
    if approved_by == set_by:
        raise SettingApprovalError(
            f"{set_by} cannot approve their own change of {name}", pointer="/approved_by"
        )
    return Setting.objects.create(
        property=property,
        name=name,
        scope=scope,
        # A bare None would be SQL's NULL, not the null that switches a setting off.
        value=Value(value, JSONField()) if value is None else value,
        effective_from=effective_from,
        set_by=set_by,
        approved_by=approved_by,
        set_at=at,
    )


def _require_shown_once(clock: time, *, time_zone: str, at: datetime, pointer: str) -> None:
    years = range(at.year, at.year + YEARS_CHECKED)
    if days.is_shown_twice(clock, time_zone=time_zone, years=years):
        raise CalendarError(
            f"clocks in {time_zone} are put back over {clock:%H:%M}; choose another time",
            pointer=pointer,
        )
