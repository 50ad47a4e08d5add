"""A settlement is done once, stops where the books disagree, and goes on from there."""

from __future__ import annotations

import pytest

from casino.events.models import OutboxEvent
from casino.staff.models import AuditRow
from ledger import selectors as ledger
from ledger.services.posting import post_entry
from ledger.services.templates import EventKind, Places, pair
from tables.errors import InvalidStateError
from tables.floor.models import TableSession
from tables.floor.states import SessionState
from tables.settlement.errors import BooksDisagreeError, NothingToSettleError
from tables.settlement.models import RunState, SettlementRun
from tables.settlement.services.running import MOST_TRIES, run_settlement
from tables.settlement.services.steps import STEPS, hold_bps
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db

KEYS = ["S0", "S1", "S2", "S3", "S4", "S5", "S6", "S10"]


def run(shift):
    return run_settlement(session_id=shift.session.pk, version=1, at=shift.clock)


def disturb(shift, kind=EventKind.MAIN_WAGER_LOST):
    """Post what no round explains."""
    session = shift.session
    post_entry(
        property_id=session.property_id,
        key=f"disturbance:{kind}",
        kind="disturbance",
        legs=pair(kind, 100, places=Places(table=session.table_id, session=session.pk)),
        source="nobody",
        actor="system:test",
        at=shift.clock,
        gaming_day=session.gaming_day,
        session=session.ref,
    )


def test_every_step_is_done_once_in_order(due):
    shift = due()

    done = run(shift)

    (variance,) = ledger.entries(shift.session.property_id, kind="count_below_expected")
    assert (variance.shift, variance.actor) == ("day", "system:settlement")
    assert [key for key, _ in STEPS] == KEYS
    assert list(done.steps.order_by("pk").values_list("step", flat=True)) == KEYS
    assert (done.state, done.failure, done.finished_at) == (RunState.DONE, "", shift.clock)
    shift.session.refresh_from_db()
    assert shift.session.state == SessionState.CLOSED_PROVISIONAL
    assert not shift.session.occupancies.filter(until=None).exists()


def test_running_it_again_changes_nothing(due):
    shift = due()
    run(shift)
    before = everything()

    run(shift)

    assert everything() == before


def test_every_way_to_the_win_leads_to_the_same_figure(due):
    shift = due(variance=-2_500)
    session = shift.session

    totals = run(shift).totals

    rounds = session.rounds.filter(state__in=["settled", "closed"])
    assert totals.rounds == 3
    assert totals.chip_variance == -2_500
    assert totals.main_net + totals.commission == sum(rounds.values_list("house_net", flat=True))
    assert totals.estimated_win == totals.main_net + totals.commission - 2_500
    assert totals.expected_tray == totals.closer + 2_500
    assert totals.drop == totals.box_recorded
    assert totals.handle == sum(seat["handle"] for seat in totals.by_seat)
    assert -totals.main_net - totals.commission == sum(seat["net"] for seat in totals.by_seat)
    (dealer,) = totals.by_dealer
    assert dealer == {
        "dealer": str(shift.crew.dealer),
        "rounds": 3,
        "house_net": totals.main_net + totals.commission,
    }
    assert ledger.balance(session.property_id, f"1120/{session.table.ref}") == totals.closer


def test_an_equal_closer_posts_no_variance(due):
    shift = due(variance=0)
    entries = len(ledger.entries(shift.session.property_id, limit=500))

    run(shift)

    assert len(ledger.entries(shift.session.property_id, limit=500)) == entries


def test_what_was_never_asked_for_is_not_settled(open_table):
    shift = open_table()
    before = everything()

    with pytest.raises(NothingToSettleError):
        run(shift)

    assert everything() == before


def test_books_that_disagree_leave_the_session_as_it_was_and_the_run_says_why(due):
    shift = due()
    disturb(shift)

    with pytest.raises(BooksDisagreeError):
        run(shift)

    failed = SettlementRun.objects.get()
    assert (failed.state, failed.tries) == (RunState.RUNNING, 1)
    assert failed.failure.startswith("BooksDisagreeError: expected tray: ")
    assert list(failed.steps.values_list("step", flat=True)) == ["S0", "S1"]
    shift.session.refresh_from_db()
    assert shift.session.state == SessionState.CLOSING
    assert not OutboxEvent.objects.filter(topic="table_session.closed_provisional").exists()


def test_after_the_last_try_a_person_has_to_look_and_a_later_run_goes_on(due):
    shift = due()
    disturb(shift)
    for _ in range(MOST_TRIES):
        with pytest.raises(BooksDisagreeError):
            run(shift)
    assert SettlementRun.objects.get().state == RunState.FAILED
    alert = AuditRow.objects.get(action="settlement.failed")
    assert (alert.actor, alert.subject) == ("system:settlement", shift.session.ref)
    assert alert.reason == SettlementRun.objects.get().failure

    session = shift.session
    post_entry(
        property_id=session.property_id,
        key="disturbance:explained",
        kind="correction",
        legs=pair(
            EventKind.MAIN_WAGER_WON,
            100,
            places=Places(table=session.table_id, session=session.pk),
        ),
        source="nobody",
        actor="system:test",
        at=shift.clock,
        gaming_day=session.gaming_day,
        session=session.ref,
    )
    done = run(shift)

    assert (done.state, done.failure, done.tries) == (RunState.DONE, "", MOST_TRIES)


def test_commission_that_no_round_explains_stops_the_settlement(due):
    shift = due()
    disturb(shift, EventKind.COMMISSION_TAKEN)
    disturb(shift, EventKind.MAIN_WAGER_WON)  # the tray agrees again, the commission does not

    with pytest.raises(BooksDisagreeError, match="commission"):
        run(shift)

    assert SettlementRun.objects.get().steps.filter(step="S5").count() == 0


def test_a_run_of_an_older_version_stops_at_once(due):
    shift = due()
    TableSession.objects.update(settlement_version=2)

    with pytest.raises(InvalidStateError):
        run(shift)

    stopped = SettlementRun.objects.get()
    assert stopped.failure.startswith("InvalidStateError: ")
    assert not stopped.steps.exists()


@pytest.mark.parametrize(
    ("win", "drop", "bps"),
    [
        (0, 10_000, 0),
        (1_838, 10_000, 1_838),
        (-1_838, 10_000, -1_838),
        (1, 20_000, 1),
        (-1, 20_000, -1),
        (1, 20_001, 0),
        (500, 0, None),
    ],
)
def test_hold_is_rounded_half_away_from_zero(win, drop, bps):
    assert hold_bps(win, drop) == bps


@pytest.mark.django_db(transaction=True)
def test_workers_that_settle_at_one_moment_settle_once(due, together):
    shift = due()

    done = together(*[lambda: run(shift)] * 3)

    assert [each.state for each in done] == [RunState.DONE] * 3
    assert list(done[0].steps.order_by("pk").values_list("step", flat=True)) == KEYS
    assert len(ledger.entries(shift.session.property_id, kind="count_below_expected")) == 1
    assert OutboxEvent.objects.filter(topic="table_session.closed_provisional").count() == 1
