"""The gaming day by the wall clock (table-operations.md 12)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from casino.properties.days import day_bounds, first_instant, gaming_day, is_shown_twice, wall_clock

SIX = time(6)
LOS_ANGELES = "America/Los_Angeles"
ZONES = st.sampled_from(
    [
        LOS_ANGELES,
        "America/New_York",
        "America/St_Johns",
        "America/Havana",
        "America/Sao_Paulo",
        "Asia/Macau",
        "Asia/Kathmandu",
        "Asia/Tehran",
        "Atlantic/Azores",
        "Australia/Lord_Howe",
        "Europe/London",
        "Pacific/Apia",
        "UTC",
    ]
)
DAY_STARTS = st.times(max_value=time(23, 45)).map(
    lambda clock: clock.replace(minute=clock.minute - clock.minute % 15, second=0, microsecond=0)
)
INSTANTS = st.datetimes(
    min_value=datetime.fromisoformat("1995-01-02"),
    max_value=datetime.fromisoformat("2036-01-01"),
    timezones=st.just(UTC),
)


def local(text: str, zone: str = LOS_ANGELES, *, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-14T06:00", date(2026, 3, 14)),
        ("2026-03-14T05:59:59.999999", date(2026, 3, 13)),
        ("2026-03-14T23:59", date(2026, 3, 14)),
        ("2026-03-15T02:00", date(2026, 3, 14)),  # T3 of the worked day closes
        ("2026-03-15T05:59", date(2026, 3, 14)),
        ("2026-03-15T06:00", date(2026, 3, 15)),
    ],
)
def test_the_worked_day_lasts_from_six_to_six(at, day):
    assert gaming_day(local(at), time_zone=LOS_ANGELES, day_start=SIX) == day


def test_the_zone_of_the_given_instant_does_not_matter():
    at = local("2026-03-15T05:59")
    answers = {
        gaming_day(at.astimezone(zone), time_zone=LOS_ANGELES, day_start=SIX)
        for zone in (UTC, ZoneInfo("Asia/Macau"), ZoneInfo(LOS_ANGELES))
    }
    assert answers == {date(2026, 3, 14)}


@pytest.mark.parametrize(
    ("day", "begins", "ends", "hours"),
    [
        (date(2026, 3, 14), "2026-03-14T13:00Z", "2026-03-15T13:00Z", 24),
        (date(2026, 3, 7), "2026-03-07T14:00Z", "2026-03-08T13:00Z", 23),  # clocks forward
        (date(2026, 10, 31), "2026-10-31T13:00Z", "2026-11-01T14:00Z", 25),  # clocks back
    ],
)
def test_a_day_on_which_clocks_change_lasts_23_or_25_hours(day, begins, ends, hours):
    bounds = day_bounds(day, time_zone=LOS_ANGELES, day_start=SIX)
    assert bounds == (datetime.fromisoformat(begins), datetime.fromisoformat(ends))
    assert bounds[1] - bounds[0] == timedelta(hours=hours)


@pytest.mark.parametrize("fold", [0, 1])
def test_both_readings_of_a_repeated_hour_belong_to_the_day_that_runs(fold):
    at = local("2026-11-01T01:30", fold=fold)
    assert gaming_day(at, time_zone=LOS_ANGELES, day_start=SIX) == date(2026, 10, 31)


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-08T13:00Z", date(2026, 3, 8)),  # 06:00 by the wall, 05:00 by subtracting
        ("2026-03-08T12:59:59Z", date(2026, 3, 7)),
        ("2026-11-01T14:00Z", date(2026, 11, 1)),
        ("2026-11-01T13:59:59Z", date(2026, 10, 31)),  # 05:59 by the wall, 06:59 by subtracting
    ],
)
def test_hours_are_never_subtracted_from_the_instant(at, day):
    at = datetime.fromisoformat(at)
    assert gaming_day(at, time_zone=LOS_ANGELES, day_start=SIX) == day


def test_a_day_start_that_the_clock_skips_is_reached_when_it_jumps():
    begins, ends = day_bounds(date(2026, 3, 8), time_zone=LOS_ANGELES, day_start=time(2, 30))
    assert begins == datetime(2026, 3, 8, 10, tzinfo=UTC)  # 03:00 local, the moment of the jump
    assert ends == datetime(2026, 3, 9, 9, 30, tzinfo=UTC)
    assert gaming_day(begins, time_zone=LOS_ANGELES, day_start=time(2, 30)) == date(2026, 3, 8)


def test_a_date_that_the_calendar_skipped_still_has_its_gaming_day():
    # Samoa went from 29 December 2011 straight to the 31st.
    begins, ends = day_bounds(date(2011, 12, 30), time_zone="Pacific/Apia", day_start=SIX)
    assert begins == datetime(2011, 12, 30, 10, tzinfo=UTC)
    assert ends - begins == timedelta(hours=6)


def test_an_instant_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="no zone"):
        gaming_day(datetime.fromisoformat("2026-03-14T06:00"), time_zone=LOS_ANGELES, day_start=SIX)


@given(at=INSTANTS, zone=ZONES, day_start=DAY_STARTS)
def test_the_gaming_day_is_the_date_of_the_wall_clock_minus_the_start(at, zone, day_start):
    wall = at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    expected = (wall - timedelta(hours=day_start.hour, minutes=day_start.minute)).date()
    assert gaming_day(at, time_zone=zone, day_start=day_start) == expected


@given(at=INSTANTS, zone=ZONES, day_start=DAY_STARTS)
def test_every_instant_lies_within_the_bounds_of_its_day(at, zone, day_start):
    assume(not is_shown_twice(day_start, time_zone=zone, years=range(at.year, at.year + 1)))
    day = gaming_day(at, time_zone=zone, day_start=day_start)
    begins, ends = day_bounds(day, time_zone=zone, day_start=day_start)
    assert begins <= at < ends


@given(at=INSTANTS, zone=ZONES, day_start=DAY_STARTS)
def test_days_meet_without_gap_and_each_bound_belongs_to_the_day_it_opens(at, zone, day_start):
    assume(not is_shown_twice(day_start, time_zone=zone, years=range(at.year, at.year + 1)))
    day = gaming_day(at, time_zone=zone, day_start=day_start)
    _, ends = day_bounds(day, time_zone=zone, day_start=day_start)
    next_begins, _ = day_bounds(day + timedelta(days=1), time_zone=zone, day_start=day_start)
    assert ends == next_begins
    last_moment = ends - timedelta(microseconds=1)
    assert gaming_day(last_moment, time_zone=zone, day_start=day_start) == day
    assert gaming_day(ends, time_zone=zone, day_start=day_start) > day


@given(at=INSTANTS, zone=ZONES)
def test_the_first_instant_of_what_the_wall_shows_is_not_after_now(at, zone):
    at = at.replace(microsecond=0)
    wall = wall_clock(at, time_zone=zone)
    first = first_instant(wall, time_zone=zone)
    assert first <= at
    assert wall_clock(first, time_zone=zone) == wall


@pytest.mark.parametrize(
    ("clock", "zone", "twice"),
    [
        (time(1, 30), LOS_ANGELES, True),
        (time(1), LOS_ANGELES, False),  # the clock goes back to 01:00, which has begun the day
        (time(2), LOS_ANGELES, False),
        (time(2, 30), LOS_ANGELES, False),  # skipped in spring, shown once else
        (time(6), LOS_ANGELES, False),
        (time(1, 45), "Australia/Lord_Howe", True),
        (time(1, 30), "Asia/Macau", False),
    ],
)
def test_a_day_start_inside_the_repeated_hour_is_found(clock, zone, twice):
    assert is_shown_twice(clock, time_zone=zone, years=range(2026, 2028)) is twice
