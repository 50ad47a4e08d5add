"""Two who act on one table at one moment: one outcome, and no other table waits."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from casino.staff.actors import client_actor
from ledger import selectors as ledger
from tables.errors import InvalidStateError
from tables.floor import locks as floor_locks
from tables.money.models import BuyIn
from tables.money.services.buy_ins import buy_in_cash
from tables.rounds import locks
from tables.rounds.models import Round, RoundVoid, Source
from tables.rounds.services import betting, entering
from tables.rounds.services.settling import Settled, record_round, settle_round
from tables.rounds.services.voiding import void_round
from tables.settlement.services.closing import begin_closing
from tests.programs import Program
from tests.tables.deals import HOUSE_NET, WIN_AND_LOSE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def shift(open_table):
    return open_table()


def record(shift):
    return record_round(
        session_id=shift.session.pk,
        given=WIN_AND_LOSE,
        source=Source.API,
        actor=client_actor(name="reader-1", property_id=shift.session.property_id),
        occurred_at=shift.clock,
        at=shift.clock,
    )


def revealed_round(shift):
    for seat in WIN_AND_LOSE["seats"]:
        placed = betting.place_wager(
            session_id=shift.session.pk,
            seat=seat["seat"],
            amount=seat["wager"],
            actor=shift.crew.dealer,
            at=shift.clock,
        )
    betting.no_more_bets(round_id=placed.round.pk, actor=shift.crew.dealer, at=shift.clock)
    positions = {"bank": WIN_AND_LOSE["bank"]} | {
        str(seat["seat"]): seat for seat in WIN_AND_LOSE["seats"]
    }
    return entering.enter_hands(
        round_id=placed.round.pk,
        hands={
            position: entering.Dealt(hand=dealt["hand"], given_set=dealt["set"])
            for position, dealt in positions.items()
        },
        actor=shift.crew.dealer,
        at=shift.clock,
    )


def settle(shift, round_):
    return settle_round(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock)


def void(shift, round_):
    return void_round(
        round_id=round_.pk,
        reason="misdeal",
        proposer=shift.crew.dealer,
        floor=shift.crew.floor,
        at=shift.clock,
    )


def entries_of(round_):
    return ledger.entries(round_.property_id, source=round_.ref)


def win(shift):
    session = shift.session
    return -sum(
        sum(ledger.balances(session.property_id, f"{number}/{session.ref}").values())
        for number in ("4010", "4030")
    )


def test_two_tablets_that_settle_one_round_settle_it_once(shift, together):
    round_ = revealed_round(shift)

    done = together(*[lambda: settle(shift, round_)] * 4)

    assert [type(each) for each in done] == [Settled] * 4
    assert len(entries_of(round_)) == 1
    assert win(shift) == HOUSE_NET


def test_settling_against_voiding_leaves_one_of_two_whole_ends(shift, together):
    round_ = revealed_round(shift)

    settled, voided = together(lambda: settle(shift, round_), lambda: void(shift, round_))

    round_.refresh_from_db()
    assert round_.state == "voided"
    assert isinstance(voided, RoundVoid)
    assert win(shift) == 0
    if isinstance(settled, InvalidStateError):
        assert (voided.kind, entries_of(round_)) == ("before_payment", [])
    else:
        assert voided.kind == "after_payment"
        assert voided.entry_id is not None


def test_two_voids_of_one_round_take_its_chips_back_once(shift, together):
    round_ = record(shift).round

    done = together(*[lambda: void(shift, round_)] * 2)

    assert sorted(type(each).__name__ for each in done) == ["InvalidStateError", "RoundVoid"]
    assert win(shift) == 0


def test_rounds_sent_to_one_table_at_one_moment_are_numbered_without_a_gap(shift, together):
    done = together(*[lambda: record(shift)] * 4)

    assert [type(each) for each in done] == [Settled] * 4
    assert sorted(each.round.number for each in done) == [1, 2, 3, 4]
    assert win(shift) == 4 * HOUSE_NET


def test_one_request_sent_twice_at_one_moment_is_one_round(shift, together):
    program = Program(scopes=["rounds:write", "rounds:read"], property_id=shift.session.property_id)
    body = {
        "table_session": f"ses_{shift.session.pk}",
        "occurred_at": shift.session.opened_at.isoformat(),
        "round": WIN_AND_LOSE,
    }
    answers = together(*[lambda: program.post("/rounds", body, key="reader-1")] * 3)

    # Who comes while the first is at work is told to ask again; nobody books a second round.
    assert {answer.status_code for answer in answers} <= {201, 409}
    again = program.post("/rounds", body, key="reader-1")
    assert (again.status_code, again["Idempotent-Replayed"]) == (201, "true")
    assert Round.objects.count() == 1
    assert win(shift) == HOUSE_NET


def test_a_buy_in_against_the_end_of_play_is_before_it_or_refused(shift, together):
    count = BuyIn.objects.count()

    bought, closing = together(
        lambda: buy_in_cash(
            session_id=shift.session.pk,
            seat=1,
            amount=10_000,
            key="late",
            actor=shift.crew.dealer,
            at=shift.clock,
        ),
        lambda: begin_closing(session_id=shift.session.pk, actor=shift.crew.dealer, at=shift.clock),
    )

    assert closing.state == "closing"
    booked = BuyIn.objects.count() - count
    assert booked == (0 if isinstance(bought, InvalidStateError) else 1)
    box = sum(BuyIn.objects.filter(session=shift.session).values_list("amount", flat=True))
    assert sum(ledger.balances(shift.session.property_id, "1020").values()) == box


def test_a_wager_against_no_more_bets_is_on_the_round_or_refused(shift, together):
    round_ = betting.place_wager(
        session_id=shift.session.pk,
        seat=1,
        amount=5_000,
        actor=shift.crew.dealer,
        at=shift.clock,
    ).round

    placed, locked = together(
        lambda: betting.place_wager(
            session_id=shift.session.pk,
            seat=2,
            amount=5_000,
            actor=shift.crew.dealer,
            at=shift.clock,
        ),
        lambda: betting.no_more_bets(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock),
    )

    on_record = [seat["seat"] for seat in Round.objects.get().record["seats"]]
    assert on_record == sorted(locked.wagers.values_list("seat", flat=True))
    assert on_record == ([1] if isinstance(placed, InvalidStateError) else [1, 2])


def test_one_table_does_not_wait_for_another(shift, open_table, together):
    other = open_table("T2")
    with transaction.atomic():
        floor_locks.session(shift.session.pk)

        (done,) = together(lambda: _settle_soon(other))

    assert isinstance(done, Settled)


def _settle_soon(shift):
    # A wait for the other table's lock would end here as an error, not hang.
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '5s'")
    return shift.play_round()


def test_locks_are_of_the_row_alone_and_leave_keys_free(shift, django_assert_num_queries):
    with transaction.atomic(), django_assert_num_queries(3) as captured:
        floor_locks.table(shift.table.pk)
        floor_locks.session(shift.session.pk)
        with pytest.raises(Exception, match="no round"):
            locks.round_(0)

    for query, table in zip(
        captured.captured_queries,
        ("tables_table", "tables_tablesession", "tables_round"),
        strict=True,
    ):
        assert query["sql"].endswith(f'FOR NO KEY UPDATE OF "{table}"')
