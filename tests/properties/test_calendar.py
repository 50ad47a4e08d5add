"""Shifts by the wall clock, and calendars that no clock can follow."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest
from django.db import IntegrityError, connection, transaction

from casino.properties.errors import CalendarError
from casino.properties.models import Property
from casino.properties.selectors import (
    get_gaming_day,
    list_gaming_days,
    list_shifts,
    shift_at,
    shift_of,
)
from casino.properties.services import open_property

from .conftest import OPENED_AT


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "name", "day"),
    [
        ("2026-03-14T13:00", "day", date(2026, 3, 14)),  # 06:00 local
        ("2026-03-14T20:59", "day", date(2026, 3, 14)),
        ("2026-03-14T21:00", "swing", date(2026, 3, 14)),  # 14:00 local
        ("2026-03-15T05:00", "grave", date(2026, 3, 14)),  # 22:00 local
        ("2026-03-15T12:59", "grave", date(2026, 3, 14)),  # 05:59 local
        ("2026-03-15T13:00", "day", date(2026, 3, 15)),
    ],
)
def test_a_shift_lasts_until_the_next_one_starts(golden_gate, at, name, day):
    shift = shift_at(golden_gate, utc(at))
    assert (shift.name, shift.gaming_day) == (name, day)
    assert shift.starts_at <= utc(at) < shift.ends_at
    assert shift_of(golden_gate, utc(at)) == name


def test_the_grave_shift_of_a_night_with_25_hours_is_nine_hours_long(golden_gate):
    shift = shift_at(golden_gate, utc("2026-11-01T09:30"))
    assert (shift.name, shift.starts_at, shift.ends_at) == (
        "grave",
        utc("2026-11-01T05:00"),
        utc("2026-11-01T14:00"),
    )


def test_shifts_run_in_the_order_of_the_gaming_day(golden_gate):
    assert [shift.name for shift in list_shifts(golden_gate)] == ["day", "swing", "grave"]


def test_before_the_first_shift_of_a_day_the_last_one_still_runs(golden_gate):
    golden_gate.shifts.filter(name="day").update(starts_at=time(8))
    shift = shift_at(golden_gate, utc("2026-03-15T13:30"))  # 06:30 local
    assert (shift.name, shift.gaming_day) == ("grave", date(2026, 3, 14))
    assert shift.ends_at == utc("2026-03-15T15:00")


def test_without_a_shift_table_the_day_is_one_shift_without_a_name(golden_gate):
    golden_gate.shifts.all().delete()
    shift = shift_at(golden_gate, utc("2026-03-15T12:59"))
    whole = get_gaming_day(golden_gate, date(2026, 3, 14))
    assert (shift.name, shift.starts_at, shift.ends_at) == ("", whole.starts_at, whole.ends_at)


def test_gaming_days_are_listed_newest_first(golden_gate):
    listed = list_gaming_days(golden_gate, at=utc("2026-03-08T14:00"), count=3)
    assert [entry.day for entry in listed] == [
        date(2026, 3, 8),
        date(2026, 3, 7),
        date(2026, 3, 6),
    ]
    assert listed[1].ends_at == listed[0].starts_at


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"time_zone": "America/Reno"}, "/time_zone"),
        ({"day_start": time(1, 30)}, "/day_start"),
        ({"shifts": {"night": time(1, 15)}}, "/shifts"),
        ({"shifts": {"day": time(6), "early": time(6)}}, "/shifts"),
    ],
)
def test_a_calendar_that_no_clock_can_follow_is_refused(wrong, pointer):
    right = {"code": "x", "name": "X", "time_zone": "America/Los_Angeles", "currency": "USD"}
    with pytest.raises(CalendarError) as refused:
        open_property(**(right | wrong), at=OPENED_AT)
    assert refused.value.pointer == pointer
    assert not Property.objects.exists()


@pytest.mark.parametrize(
    ("column", "value"), [("currency", "usd"), ("code", ""), ("name", ""), ("time_zone", "")]
)
def test_the_database_refuses_a_property_without_name_zone_or_currency(golden_gate, column, value):
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE properties_property SET {column} = %s", [value])  # noqa: S608
    golden_gate.refresh_from_db()
    assert golden_gate.currency == "USD"
