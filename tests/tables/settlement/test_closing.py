"""Play ends when nothing is open, goes on until the tray is counted, and is settled once."""

from __future__ import annotations

import pytest

from casino.staff.errors import RoleError
from ledger.services.posting import post_entry
from ledger.services.templates import EventKind, Places, pair
from tables.chips.models import CountKind
from tables.chips.selectors import expected_tray
from tables.chips.services.counts import record_count, witness_count
from tables.errors import ChecklistOpenError, InvalidStateError
from tables.rounds.services.betting import place_wager
from tables.rounds.services.voiding import void_round
from tables.settlement.models import SettlementRun
from tables.settlement.services.closing import accept_closer, begin_closing, resume_play
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def shift(open_table):
    return open_table()


def act(service, shift, *, actor=None):
    return service(session_id=shift.session.pk, actor=actor or shift.crew.dealer, at=shift.clock)


def count_closer(shift, *, signed=True):
    tray = expected_tray(shift.session)
    count = record_count(
        session_id=shift.session.pk,
        kind=CountKind.CLOSER,
        pieces={50_000: tray // 50_000, 25: tray % 50_000 // 25},
        dealer=shift.crew.dealer,
        at=shift.clock,
    )
    if signed:
        witness_count(count_id=count.pk, floor=shift.crew.floor, at=shift.clock)


def test_a_round_without_a_result_keeps_the_table_open(shift):
    round_ = place_wager(
        session_id=shift.session.pk,
        seat=1,
        amount=5_000,
        actor=shift.crew.dealer,
        at=shift.clock,
    ).round
    before = everything()

    with pytest.raises(ChecklistOpenError) as refused:
        act(begin_closing, shift)
    assert refused.value.members["open_items"] == ["Round 1 has no result: settle or void it."]
    assert everything() == before

    void_round(
        round_id=round_.pk,
        reason="last hand not dealt",
        proposer=shift.crew.dealer,
        floor=shift.crew.floor,
        at=shift.clock,
    )
    assert act(begin_closing, shift).state == "closing"


def test_commission_that_is_owed_keeps_the_table_open(shift):
    session = shift.session
    places = Places(table=session.table_id, session=session.pk, seat=2)
    owed = {
        "property_id": session.property_id,
        "source": session.ref,
        "actor": str(shift.crew.dealer),
        "at": shift.clock,
        "gaming_day": session.gaming_day,
        "session": session.ref,
    }
    accrued = EventKind.COMMISSION_ACCRUED
    post_entry(key="lammer", kind=accrued, legs=pair(accrued, 500, places=places), **owed)

    with pytest.raises(ChecklistOpenError) as refused:
        act(begin_closing, shift)
    account = f"1220/{session.ref}/seat:2"
    assert refused.value.members["open_items"] == [f"Commission is still owed on {account}."]

    paid = EventKind.COMMISSION_COLLECTED
    post_entry(key="collected", kind=paid, legs=pair(paid, 500, places=places), **owed)
    assert act(begin_closing, shift).state == "closing"


def test_ending_play_twice_changes_nothing(shift):
    act(begin_closing, shift)
    before = everything()

    act(begin_closing, shift)

    assert everything() == before


def test_play_goes_on_until_the_tray_is_counted(shift):
    act(begin_closing, shift)
    resumed = act(resume_play, shift)
    assert (resumed.state, resumed.closing_at) == ("open", None)
    assert shift.play_round().round.number == 1

    act(begin_closing, shift)
    count_closer(shift, signed=False)
    before = everything()
    with pytest.raises(InvalidStateError):
        act(resume_play, shift)
    assert everything() == before


def test_a_settlement_needs_the_signed_closer(shift):
    with pytest.raises(InvalidStateError):
        act(accept_closer, shift)
    act(begin_closing, shift)
    with pytest.raises(InvalidStateError):
        act(accept_closer, shift)
    count_closer(shift, signed=False)
    before = everything()

    with pytest.raises(InvalidStateError):
        act(accept_closer, shift)

    assert everything() == before


def test_a_settlement_is_asked_for_once(shift):
    act(begin_closing, shift)
    count_closer(shift)
    asked = act(accept_closer, shift)
    before = everything()

    assert act(accept_closer, shift) == asked

    assert everything() == before


@pytest.mark.parametrize("service", [begin_closing, resume_play, accept_closer])
def test_the_pit_watches_a_table_close_and_does_not_close_it(shift, service):
    before = everything()

    with pytest.raises(RoleError):
        act(service, shift, actor=shift.crew.pit_boss.actor)

    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_two_who_accept_one_closer_ask_for_one_settlement(shift, together):
    act(begin_closing, shift)
    count_closer(shift)

    done = together(*[lambda: act(accept_closer, shift)] * 2)

    assert {run.pk for run in done} == {SettlementRun.objects.get().pk}
