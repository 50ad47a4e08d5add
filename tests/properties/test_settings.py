"""Settings are dated rows; a change is a new one (table-operations.md 21)."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from casino.properties.catalogue import CATALOGUE
from casino.properties.errors import (
    SettingApprovalError,
    SettingDayError,
    SettingValueError,
    UnknownSettingError,
)
from casino.properties.models import Setting
from casino.properties.selectors import get_setting
from casino.properties.services import set_setting

AT = datetime(2026, 3, 14, 20, tzinfo=UTC)
TODAY, TOMORROW = date(2026, 3, 14), date(2026, 3, 15)


def change(property, name, value, **other):
    facts = {
        "effective_from": TODAY,
        "set_by": "employee:1",
        "approved_by": "employee:2",
        "at": AT,
    }
    return set_setting(property=property, name=name, value=value, **(facts | other))


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("opener_written_report_over", 2500),
        ("opener_regulator_copy_from", 10000),
        ("max_clock_skew", 120),
        ("record_depth", "full"),
        ("tray_band", {"low": 75, "high": 150}),
    ],
)
def test_a_setting_has_its_default_until_someone_sets_it(golden_gate, name, default):
    assert get_setting(golden_gate.pk, name, day=TODAY) == default


def test_a_change_holds_from_its_gaming_day_on(golden_gate):
    change(golden_gate, "verify_buyin_over", 50000)
    change(golden_gate, "verify_buyin_over", 70000, effective_from=TOMORROW)
    values = [
        get_setting(golden_gate.pk, "verify_buyin_over", day=day)
        for day in (date(2026, 3, 13), TODAY, TOMORROW, date(2027, 1, 1))
    ]
    assert values == [10000, 50000, 70000, 70000]


def test_of_two_changes_for_one_day_the_later_counts(golden_gate):
    change(golden_gate, "max_clock_skew", 60)
    change(golden_gate, "max_clock_skew", 30)
    assert get_setting(golden_gate.pk, "max_clock_skew", day=TODAY) == 30
    assert [row.value for row in Setting.objects.order_by("id")] == [60, 30]


def test_a_table_may_be_set_apart_from_its_property(golden_gate):
    change(golden_gate, "record_depth", "result")
    change(golden_gate, "record_depth", "totals", scope="table:3")
    values = [
        get_setting(golden_gate.pk, "record_depth", day=TODAY, scope=scope)
        for scope in ("table:3", "table:4", "")
    ]
    assert values == ["totals", "result", "result"]


@pytest.mark.parametrize("name", ["hold_percent", "", "RECORD_DEPTH"])
def test_an_unknown_name_is_refused(golden_gate, name):
    with pytest.raises(UnknownSettingError):
        change(golden_gate, name, 1)
    with pytest.raises(UnknownSettingError):
        get_setting(golden_gate.pk, name, day=TODAY)
    assert not Setting.objects.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("void_pit_boss_over", -1),
        ("void_pit_boss_over", 10.5),
        ("void_pit_boss_over", "500"),
        ("void_pit_boss_over", True),
        ("void_pit_boss_over", 2**53),
        ("max_clock_skew", None),
        ("max_clock_skew", 3601),
        ("record_depth", "half"),
        ("record_depth", ["full"]),
        ("tray_band", {"low": 75}),
        ("tray_band", {"low": 100, "high": 150}),
        ("tray_band", {"low": 75, "high": 150, "middle": 100}),
        ("tray_band", [75, 150]),
    ],
)
def test_a_value_that_the_setting_cannot_have_is_refused(golden_gate, name, value):
    with pytest.raises(SettingValueError) as refused:
        change(golden_gate, name, value)
    assert refused.value.pointer == "/value"
    assert not Setting.objects.exists()


def test_a_limit_can_be_switched_off(golden_gate):
    change(golden_gate, "variance_alert", None)
    assert get_setting(golden_gate.pk, "variance_alert", day=TODAY) is None


def test_a_day_that_is_over_keeps_its_settings(golden_gate):
    with pytest.raises(SettingDayError) as refused:
        change(golden_gate, "record_depth", "totals", effective_from=date(2026, 3, 13))
    assert refused.value.pointer == "/effective_from"
    assert not Setting.objects.exists()


@pytest.mark.parametrize("approved_by", ["", "employee:1"])
def test_a_money_setting_needs_a_second_person(golden_gate, approved_by):
    with pytest.raises(SettingApprovalError):
        change(golden_gate, "void_pit_boss_over", 1, approved_by=approved_by)
    assert not Setting.objects.exists()


def test_other_settings_need_one_person(golden_gate):
    change(golden_gate, "max_clock_skew", 60, approved_by="")
    assert Setting.objects.get().set_by == "employee:1"


@pytest.mark.parametrize(
    "statement", ["UPDATE properties_setting SET value = '1'", "DELETE FROM properties_setting"]
)
def test_the_database_refuses_to_change_a_setting(golden_gate, statement):
    change(golden_gate, "max_clock_skew", 60)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Setting.objects.get().value == 60


def test_the_owner_cannot_change_a_setting_either(owner, golden_gate):
    change(golden_gate, "max_clock_skew", 60)
    with pytest.raises(Exception, match="properties_setting is append-only") as refused:
        owner.execute("UPDATE properties_setting SET value = '1'")
    assert refused.value.sqlstate == "55000"


def test_the_database_refuses_one_person_in_both_places(golden_gate):
    with pytest.raises(IntegrityError), transaction.atomic():
        Setting.objects.create(
            property=golden_gate,
            name="max_clock_skew",
            value=60,
            effective_from=TODAY,
            set_by="employee:1",
            approved_by="employee:1",
            set_at=AT,
        )
    assert not Setting.objects.exists()


def test_every_setting_says_what_it_means():
    assert all(spec.meaning.endswith(".") for spec in CATALOGUE.values())
