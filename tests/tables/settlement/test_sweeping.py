"""The sweep finds a settlement whose wake-up was lost, and gives a failing one time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tables.settlement.models import RunState, SettlementRun
from tables.settlement.services.running import run_settlement
from tables.settlement.services.sweeping import PATIENCE, wake_waiting

pytestmark = pytest.mark.django_db

TICK = timedelta(microseconds=1)


def test_a_settlement_that_has_just_been_asked_for_is_left_alone(due):
    requested_at = (due() and SettlementRun.objects.get()).requested_at

    assert wake_waiting(at=requested_at + PATIENCE) == 0
    assert wake_waiting(at=requested_at + PATIENCE + TICK) == 1


@pytest.mark.parametrize(("tries", "wait"), [(1, 2), (2, 4), (3, 8), (4, 16)])
def test_after_each_failure_it_waits_twice_as_long(due, tries, wait):
    requested_at = (due() and SettlementRun.objects.get()).requested_at
    SettlementRun.objects.update(tries=tries)

    assert wake_waiting(at=requested_at + PATIENCE * wait) == 0
    assert wake_waiting(at=requested_at + PATIENCE * wait + TICK) == 1


def test_what_is_done_or_failed_is_not_woken(due):
    shift = due()
    run_settlement(session_id=shift.session.pk, version=1, at=shift.clock)
    assert wake_waiting(at=shift.clock + timedelta(days=1)) == 0

    SettlementRun.objects.update(state=RunState.FAILED)
    assert wake_waiting(at=shift.clock + timedelta(days=1)) == 0


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_delays_the_settlement_and_loses_nothing(due, dead_redis):
    shift = due()

    assert SettlementRun.objects.get().state == RunState.RUNNING
    assert wake_waiting(at=shift.clock + timedelta(minutes=1)) == 1
