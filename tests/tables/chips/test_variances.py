"""Each threshold of a difference, at it, below it and above it; what is raised, and to whom."""

from __future__ import annotations

from datetime import date

import pytest

from casino.events.models import OutboxEvent
from casino.properties.services import set_setting
from casino.staff.models import AuditRow
from casino.web.ids import public_id
from tables.chips.models import Count, CountKind
from tables.chips.selectors import Due, expected_tray, what_is_due
from tables.chips.services.counts import record_count, witness_count
from tables.chips.services.opening import confirm_opener
from tables.floor.services.sessions import begin_opening
from tests import factories

pytestmark = pytest.mark.django_db

ALERT = "opener_alert_amount"
REPORT = "opener_written_report_over"
COPY = "opener_regulator_copy_from"


def change(casino, name, value, *, scope=""):
    set_setting(
        property=casino,
        name=name,
        value=value,
        scope=scope,
        effective_from=date(2026, 3, 14),
        set_by="system:tests",
        approved_by="system:second",
        at=factories.NOON,
    )


def counted(casino, difference) -> Count:
    """Return the signed opener of T1, off by *difference* minor units."""
    session = begin_opening(
        table_id=factories.a_table(casino).pk, actor=factories.dealer(casino), at=factories.NOON
    )
    tray = expected_tray(session) + difference
    count = record_count(
        session_id=session.pk,
        kind=CountKind.OPENER,
        pieces={50_000: tray // 50_000, 25: tray % 50_000 // 25},
        dealer=factories.dealer(casino),
        at=factories.NOON,
    )
    return witness_count(count_id=count.pk, floor=factories.floor(casino), at=factories.NOON)


def opened(casino, difference) -> Count:
    count = counted(casino, difference)
    confirm_opener(
        session_id=count.session_id,
        actor=factories.dealer(casino),
        at=factories.NOON,
        reason="found under the tray",
    )
    return count


def raised():
    return list(OutboxEvent.objects.filter(topic="variance.raised"))


@pytest.mark.parametrize(
    ("difference", "due"),
    [
        (0, Due()),
        (25, Due(alert=True)),
        (-25, Due(alert=True)),
        (2_475, Due(alert=True)),
        (2_500, Due(alert=True)),
        (2_525, Due(alert=True, written_report=True)),
        (-2_525, Due(alert=True, written_report=True)),
        (9_975, Due(alert=True, written_report=True)),
        (10_000, Due(alert=True, written_report=True, regulator_copy=True)),
        (-10_000, Due(alert=True, written_report=True, regulator_copy=True)),
        (10_025, Due(alert=True, written_report=True, regulator_copy=True)),
    ],
)
def test_an_opener_asks_for_what_its_difference_reaches(casino, difference, due):
    assert what_is_due(counted(casino, 0), difference) == due


@pytest.mark.parametrize(("difference", "due"), [(2_475, False), (2_500, False), (2_525, True)])
def test_a_closer_asks_for_nothing_but_the_alert(casino, difference, due):
    closer = counted(casino, 0)
    closer.kind = CountKind.CLOSER

    assert what_is_due(closer, difference) == Due(alert=due)
    assert what_is_due(closer, -difference) == Due(alert=due)


def test_a_threshold_that_is_off_asks_for_nothing(casino):
    count = counted(casino, 0)
    for name in (ALERT, REPORT, COPY):
        change(casino, name, None)

    assert what_is_due(count, 1_000_000) == Due()


def test_a_table_may_have_thresholds_of_its_own(casino):
    count = counted(casino, 0)
    change(casino, ALERT, 5_000, scope=count.session.table.ref)

    assert what_is_due(count, 5_000) == Due(written_report=True)
    assert what_is_due(count, 5_025) == Due(alert=True, written_report=True)


@pytest.mark.parametrize("difference", [10_000, -10_000])
def test_a_difference_above_the_alert_amount_is_raised_with_the_opening(casino, difference):
    count = opened(casino, difference)

    (event,) = raised()
    (row,) = AuditRow.objects.filter(action="variance.raised")
    assert (event.subject_type, event.subject_id) == ("count", public_id("cnt", count.pk))
    assert (event.gaming_day, event.occurred_at) == (date(2026, 3, 14), factories.NOON)
    assert event.payload == {
        "id": public_id("cnt", count.pk),
        "table_session": public_id("ses", count.session_id),
        "table": "T1",
        "kind": "opener",
        "difference": difference,
        "written_report_due": True,
        "regulator_copy_due": True,
    }
    assert (row.subject, row.actor) == (f"count:{count.pk}", str(factories.dealer(casino)))
    assert row.after == event.payload


@pytest.mark.parametrize(("alert", "events"), [(475, 1), (500, 0), (525, 0), (None, 0)])
def test_at_or_within_the_alert_amount_nobody_is_told(casino, alert, events):
    change(casino, ALERT, alert)

    opened(casino, 500)

    assert len(raised()) == events
    assert AuditRow.objects.filter(action="variance.raised").count() == events


@pytest.mark.parametrize(("alert", "events"), [(475, 1), (500, 0), (525, 0), (None, 0)])
@pytest.mark.parametrize("variance", [500, -500])
def test_the_settlement_tells_of_a_closer_above_the_alert_amount(
    casino, open_table, alert, events, variance
):
    change(casino, "variance_alert", alert)
    shift = open_table()

    shift.close(variance=variance)

    shift.session.refresh_from_db()
    found = raised()
    assert [event.payload for event in found] == [
        {
            "id": public_id("cnt", shift.session.closer_id),
            "table_session": public_id("ses", shift.session.pk),
            "table": "T1",
            "kind": "closer",
            "difference": variance,
            "written_report_due": False,
            "regulator_copy_due": False,
        }
    ] * events
    rows = AuditRow.objects.filter(action="variance.raised")
    assert [row.actor for row in rows] == ["system:settlement"] * events
