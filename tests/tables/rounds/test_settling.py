"""A round settles once: result, entry and event together, or nothing at all."""

from __future__ import annotations

import copy
from datetime import timedelta

import pytest

from casino.events.models import OutboxEvent
from casino.staff.actors import client_actor
from casino.staff.errors import RoleError
from casino.staff.roles import Role
from ledger import selectors as ledger
from tables.demo.loading import signer_at
from tables.errors import (
    DepthError,
    InvalidStateError,
    OccurredAtError,
    RoundRefusedError,
    SeatError,
    StaleRevisionError,
    TableClosedError,
    WagerRefusedError,
)
from tables.rounds.models import Round, SeatOutcome, Source, Wager
from tables.rounds.services import betting, entering
from tables.rounds.services.closing import close_round
from tables.rounds.services.settling import preview, record_round, settle_round
from tables.rounds.states import RoundState
from tests import factories
from tests.tables.deals import HOUSE_NET, WIN_AND_LOSE, everything, results

pytestmark = pytest.mark.django_db


@pytest.fixture
def shift(open_table):
    return open_table()


def record(shift, given=WIN_AND_LOSE, *, actor=None, occurred_at=None):
    return record_round(
        session_id=shift.session.pk,
        given=given,
        source=Source.API,
        actor=actor or client_actor(name="reader-1", property_id=shift.session.property_id),
        occurred_at=occurred_at or shift.clock,
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
    round_ = betting.no_more_bets(round_id=placed.round.pk, actor=shift.crew.dealer, at=shift.clock)
    positions = {"bank": WIN_AND_LOSE["bank"]} | {
        str(seat["seat"]): seat for seat in WIN_AND_LOSE["seats"]
    }
    for position, dealt in positions.items():
        round_ = entering.enter_hand(
            round_id=round_.pk,
            position=position,
            hand=dealt["hand"],
            given_set=dealt["set"],
            actor=shift.crew.dealer,
            at=shift.clock,
        )
    return round_


def settle(shift, round_, **more):
    return settle_round(
        round_id=round_.pk, **({"actor": shift.crew.dealer, "at": shift.clock} | more)
    )


def legs(entry_id):
    return {
        (line.account[:4], line.event): line.amount for line in ledger.entry_detail(entry_id).lines
    }


LEGS = {
    ("1120", "main_wager_won"): -10_000,
    ("4010", "main_wager_won"): 10_000,
    ("1120", "main_wager_lost"): 5_000,
    ("4010", "main_wager_lost"): -5_000,
    ("1120", "commission_taken"): 500,
    ("4030", "commission_taken"): -500,
}


def test_both_doors_settle_one_deal_alike(shift):
    entered = settle(shift, revealed_round(shift)).round
    recorded = record(shift).round

    assert entered.result == recorded.result
    assert (entered.house_net, recorded.house_net) == (HOUSE_NET, HOUSE_NET)
    assert legs(entered.entry_id) == legs(recorded.entry_id) == LEGS
    figures = SeatOutcome.objects.order_by("round_id", "seat").values_list(
        "seat", "outcome", "wager", "covered", "commission", "net"
    )
    seats = [(1, "win", 10_000, 10_000, 500, 9_500), (2, "lose", 5_000, 5_000, 0, -5_000)]
    assert list(figures) == seats * 2


def test_seats_add_up_to_the_legs_and_to_what_the_house_won(shift):
    done = record(shift)

    nets = SeatOutcome.objects.filter(round=done.round).values_list("net", flat=True)
    tray = sum(
        amount for (account, _), amount in legs(done.round.entry_id).items() if account == "1120"
    )
    assert done.round.house_net == -sum(nets) == tray == HOUSE_NET


def test_settling_again_returns_what_stands_and_moves_nothing(shift):
    round_ = revealed_round(shift)
    settle(shift, round_)
    before = everything()

    again = settle(shift, round_, revision=round_.revision)

    assert again.round.state == RoundState.SETTLED
    assert everything() == before


def test_a_preview_says_the_result_and_writes_nothing(shift):
    round_ = revealed_round(shift)
    before = everything()

    assert preview(round_).as_dict() == settle_result_of(shift, round_, before)


def settle_result_of(shift, round_, before):
    assert everything() == before
    return settle(shift, round_).round.result


def test_a_foul_set_is_previewed_and_settled_as_the_profile_says(shift):
    round_ = revealed_round(shift)
    foul = entering.enter_hand(
        round_id=round_.pk,
        position="2",
        hand=["43", "22", "63", "31"],
        given_set={"low": ["22", "63"], "high": ["43", "31"]},
        actor=shift.crew.dealer,
        at=shift.clock,
    )

    said = preview(foul).as_dict()

    assert settle(shift, foul).round.result == said


def test_a_round_that_is_not_wholly_entered_is_not_settled(shift):
    round_ = revealed_round(shift)
    entering.enter_hand(
        round_id=round_.pk,
        position="2",
        hand=["43", "22", "63", "31"],
        given_set=None,
        actor=shift.crew.dealer,
        at=shift.clock,
    )
    before = everything()

    with pytest.raises(InvalidStateError):
        settle(shift, round_)

    assert everything() == before


def test_a_stale_screen_settles_nothing(shift):
    round_ = revealed_round(shift)
    before = everything()

    with pytest.raises(StaleRevisionError):
        settle(shift, round_, revision=round_.revision - 1)

    assert everything() == before


def test_a_pit_boss_enters_no_round(shift):
    round_ = revealed_round(shift)
    boss = signer_at(shift.table, "PB-004", Role.PIT_BOSS).actor
    before = everything()

    with pytest.raises(RoleError):
        settle(shift, round_, actor=boss)
    with pytest.raises(RoleError):
        record(shift, actor=boss)

    assert everything() == before


def test_the_next_round_closes_the_one_before_it_and_raises_its_revision(shift):
    first = record(shift).round
    record(shift)

    closed = Round.objects.get(pk=first.pk)
    assert (closed.state, closed.revision) == (RoundState.CLOSED, first.revision + 1)


def test_a_round_is_closed_once_and_only_when_it_is_settled(shift):
    round_ = revealed_round(shift)
    with pytest.raises(InvalidStateError):
        close_round(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock)
    settle(shift, round_)

    close_round(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock)
    before = everything()
    close_round(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock)

    assert everything() == before


def changed(seat=0, **members):
    given = copy.deepcopy(WIN_AND_LOSE)
    given["seats"][seat] |= members
    return given


@pytest.mark.parametrize(
    ("given", "refusal", "pointer"),
    [
        ({**WIN_AND_LOSE, "seats": []}, RoundRefusedError, "/round/seats"),
        (changed(wager="100"), RoundRefusedError, "/round/seats/0/wager"),
        (changed(wager=999), WagerRefusedError, "/round/seats/0/wager"),
        (changed(seat_=1), RoundRefusedError, "/round/seats/0/seat_"),
        (changed(side_bets={"tiger": 500}), RoundRefusedError, "/round/seats/0/side_bets/tiger"),
        ({**WIN_AND_LOSE, "seats": WIN_AND_LOSE["seats"][:1] * 2}, RoundRefusedError,
         "/round/seats/1/seat"),
        ({**changed(), "seats": [{**WIN_AND_LOSE["seats"][0], "seat": 4}]}, SeatError,
         "/round/seats/0/seat"),
        (results(seat_1="win"), DepthError, "/round/seats"),
        ({"seats": WIN_AND_LOSE["seats"]}, RoundRefusedError, "/round/bank"),
    ],
)  # fmt: skip
def test_a_round_that_cannot_be_is_refused_by_name_and_takes_no_number(
    shift, given, refusal, pointer
):
    before = everything()

    with pytest.raises(refusal) as refused:
        record(shift, given)

    assert refused.value.pointer == pointer
    assert everything() == before


def test_a_round_is_dealt_while_the_table_is_open_and_not_in_the_future(shift):
    opened_at = shift.session.opened_at
    before = everything()

    for moment in (opened_at - timedelta(seconds=1), shift.clock + timedelta(hours=1)):
        with pytest.raises(OccurredAtError):
            record(shift, occurred_at=moment)

    assert everything() == before
    assert record(shift, occurred_at=opened_at).round.occurred_at == opened_at
    slightly_ahead = shift.clock + timedelta(seconds=1)
    assert record(shift, occurred_at=slightly_ahead).round.number == 2


def test_a_table_on_another_round_or_closed_takes_none(shift):
    revealed_round(shift)
    before = everything()
    with pytest.raises(InvalidStateError):
        record(shift)
    assert everything() == before

    settle(shift, Round.objects.get())
    shift.close()
    before = everything()
    with pytest.raises(TableClosedError):
        record(shift)
    assert everything() == before


def test_a_table_of_result_depth_takes_outcomes_and_posts_them(casino, open_table):
    factories.record_outcomes_alone(casino)
    shift = open_table()

    done = record(shift, results(seat_1="win", seat_2="lose", seat_3="push"))

    assert (done.round.depth, done.round.house_net) == ("result", 500)
    assert [(each.seat, each.net) for each in done.round.outcomes.order_by("seat")] == [
        (1, 9_500),
        (2, -10_000),
        (3, 0),
    ]


def test_a_round_of_pushes_settles_without_an_entry(casino, open_table):
    factories.record_outcomes_alone(casino)
    shift = open_table()
    entries = len(ledger.entries(casino.pk, limit=200))

    done = record(shift, results(seat_1="push", seat_2="push"))

    assert (done.round.state, done.round.entry_id, done.round.house_net) == ("settled", None, 0)
    assert len(ledger.entries(casino.pk, limit=200)) == entries
    assert OutboxEvent.objects.filter(topic="round.settled").count() == 1
    assert Wager.objects.count() == 2


def test_a_recorded_round_takes_few_statements(shift, django_assert_max_num_queries):
    record(shift)

    # 12 (performance.md, S5) and the two of the savepoint that stands for BEGIN and COMMIT here.
    with django_assert_max_num_queries(12 + 2):
        record(shift)
