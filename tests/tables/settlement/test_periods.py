"""A gaming day and a shift close when the floor is done with them, by the people who may."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import transaction

from casino.staff.errors import RoleError, SegregationError
from casino.staff.models import AuditRow, Signature
from ledger.errors import DayClosedError, NotArrivedError, ShiftClosedError
from ledger.models import Period
from ledger.services.days import close_day
from ledger.services.posting import post_entry
from ledger.services.templates import EventKind, Places, pair
from tables.errors import PeriodNotReadyError
from tables.settlement.services.periods import close_gaming_day, close_shift
from tables.settlement.services.running import run_settlement
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db

DAY = date(2026, 3, 14)
NEXT_MORNING = factories.NOON + timedelta(days=1)


@pytest.fixture(autouse=True)
def earlier_day(casino):
    """Close the day on which the demo's opening balances stand."""
    close_day(
        property_id=casino.pk,
        gaming_day=DAY - timedelta(days=1),
        actor="system:test",
        approver="system:demo",
        at=factories.NOON,
    )


@pytest.fixture
def settled(due):
    """Return a table whose session is settled."""
    shift = due()
    run_settlement(session_id=shift.session.pk, version=1, at=shift.clock)
    return shift


@pytest.fixture
def close(casino):
    def close_one(**others):
        return close_gaming_day(
            **{
                "casino": casino,
                "gaming_day": DAY,
                "pit_boss": factories.pit_boss(casino),
                "auditor": factories.auditor(casino),
                "at": NEXT_MORNING,
            }
            | others
        )

    return close_one


def period(casino, shift=""):
    return Period.objects.get(property_id=casino.pk, gaming_day=DAY, shift=shift)


def late_chip(shift, *, gaming_day=DAY):
    return post_entry(
        property_id=shift.session.property_id,
        key="late",
        kind="late",
        legs=pair(
            EventKind.MAIN_WAGER_LOST,
            100,
            places=Places(table=shift.session.table_id, session=shift.session.pk),
        ),
        source="nobody",
        actor="system:test",
        at=shift.clock,
        gaming_day=gaming_day,
        shift=shift.session.segments.get().shift,
    )


def test_two_people_close_a_day_that_is_over_and_settled(casino, settled, close):
    assert close() is True

    closed = period(casino)
    assert closed.status == "closed"
    signed = Signature.objects.filter(document="gaming_day:2026-03-14")
    assert set(signed.values_list("signer_group", flat=True)) == {"approver", "reviewer"}
    trail = AuditRow.objects.get(action="gaming_day.closed")
    assert trail.after == {"report_hash": closed.report_hash_text}
    with pytest.raises(DayClosedError):
        late_chip(settled)


def test_a_second_close_changes_nothing(settled, close):
    close()
    before = everything()
    assert close() is False
    assert everything() == before


def test_a_day_that_is_not_over_stays_open(casino, settled, close):
    with pytest.raises(PeriodNotReadyError) as refused:
        close(at=settled.clock)
    assert refused.value.members["open_items"] == ["Gaming day 2026-03-14 is not over yet."]
    assert period(casino).status == "open"
    assert not Signature.objects.filter(document__startswith="gaming_day:").exists()


def test_an_open_table_and_a_session_that_is_not_settled_are_named(due, open_table, close):
    not_settled = due("T1")
    open_table("T2")
    before = everything()
    with pytest.raises(PeriodNotReadyError) as refused:
        close()
    assert refused.value.members["open_items"] == [
        f"Session {not_settled.session.pk} at table T1 is not settled.",
        "Table T2 is still open.",
    ]
    assert everything() == before


def test_chips_in_transit_keep_the_day_open(casino, settled, close):
    post_entry(
        property_id=casino.pk,
        key="fill:F-0001:dispatched",
        kind="fill_dispatched",
        legs=pair(EventKind.FILL_DISPATCHED, 50_000, places=Places(document="F-0001")),
        source="fill:F-0001",
        actor="system:test",
        at=settled.clock,
        gaming_day=DAY,
    )
    with pytest.raises(NotArrivedError) as refused:
        close()
    assert refused.value.accounts == ("1130/document:F-0001",)


@pytest.mark.parametrize("role", ["pit_boss", "auditor"])
def test_each_signs_in_the_own_role(casino, settled, close, role):
    other = {"pit_boss": factories.auditor, "auditor": factories.pit_boss}[role]
    before = everything()
    with pytest.raises((RoleError, SegregationError)):
        close(**{role: other(casino)})
    assert everything() == before


def test_a_shift_closes_when_its_sessions_are_settled(casino, due, settled):
    shift = settled.session.segments.get().shift
    pit_boss = factories.pit_boss(casino)
    at = settled.clock
    other = due("T2")
    with pytest.raises(PeriodNotReadyError), transaction.atomic():
        close_shift(casino=casino, gaming_day=DAY, shift=shift, pit_boss=pit_boss, at=at)
    run_settlement(session_id=other.session.pk, version=1, at=other.clock)

    assert close_shift(casino=casino, gaming_day=DAY, shift=shift, pit_boss=pit_boss, at=at)

    assert period(casino, shift).status == "closed"
    assert period(casino).status == "open"
    with pytest.raises(ShiftClosedError), transaction.atomic():
        late_chip(settled)
    assert not close_shift(casino=casino, gaming_day=DAY, shift=shift, pit_boss=pit_boss, at=at)
