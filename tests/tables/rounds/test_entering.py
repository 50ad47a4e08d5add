"""Hands and results as the dealer enters them; what cannot be is refused at once."""

from __future__ import annotations

import pytest

from tables.errors import DepthError, InvalidStateError, RoundRefusedError, SeatError
from tables.rounds.services import betting, entering
from tables.rounds.services.entering import BANK, HOUSE_WAY, Dealt
from tables.rounds.services.settling import settle_round
from tables.rounds.states import RoundState
from tests import factories
from tests.tables.deals import WIN_AND_LOSE, everything

pytestmark = pytest.mark.django_db

BANK_HAND = WIN_AND_LOSE["bank"]["hand"]
HANDS = {seat["seat"]: seat["hand"] for seat in WIN_AND_LOSE["seats"]}


@pytest.fixture
def shift(open_table):
    return open_table()


def locked_round(shift):
    for seat in (1, 2):
        placed = betting.place_wager(
            session_id=shift.session.pk,
            seat=seat,
            amount=10_000,
            actor=shift.crew.dealer,
            at=shift.clock,
        )
    return betting.no_more_bets(round_id=placed.round.pk, actor=shift.crew.dealer, at=shift.clock)


def enter(shift, round_, position, hand, given_set=HOUSE_WAY):
    return entering.enter_hand(
        round_id=round_.pk,
        position=position,
        hand=hand,
        given_set=given_set,
        actor=shift.crew.dealer,
        at=shift.clock,
    )


def result(shift, round_, seat, outcome):
    return entering.enter_result(
        round_id=round_.pk, seat=seat, outcome=outcome, actor=shift.crew.dealer, at=shift.clock
    )


def test_the_state_follows_from_what_is_entered(shift):
    round_ = locked_round(shift)

    states = [
        round_.state,
        enter(shift, round_, "1", HANDS[1]).state,
        enter(shift, round_, BANK, BANK_HAND).state,
        enter(shift, round_, "2", HANDS[2], None).state,
        enter(shift, round_, "2", HANDS[2]).state,
        enter(shift, round_, "2", HANDS[2], None).state,
    ]

    assert states == ["locked", "dealt", "dealt", "setting", "revealed", "setting"]


@pytest.mark.parametrize(
    ("hand", "pointer"),
    [
        (["42", "21", "31"], "/hand"),
        (["42", "21", "31", "99"], "/hand/3"),
        (["42", "21", "31", "42", "42"], "/hand"),
        (BANK_HAND, None),
    ],
)
def test_a_hand_that_cannot_be_is_refused_and_changes_nothing(shift, hand, pointer):
    round_ = locked_round(shift)
    enter(shift, round_, BANK, ["66", "66", "11", "11"])
    enter(shift, round_, "2", BANK_HAND)
    before = everything()

    with pytest.raises(RoundRefusedError) as refused:
        enter(shift, round_, "1", hand if pointer else ["66", "21", "31", "42"])

    assert refused.value.pointer == (pointer or "/hand/0")
    assert everything() == before


def test_a_set_is_made_of_exactly_the_hand(shift):
    round_ = locked_round(shift)
    before = everything()

    with pytest.raises(RoundRefusedError):
        enter(shift, round_, "1", HANDS[1], {"low": ["66", "66"], "high": HANDS[1][2:]})

    assert everything() == before


def test_a_seat_without_a_wager_holds_no_hand(shift):
    round_ = locked_round(shift)
    before = everything()

    with pytest.raises(SeatError):
        enter(shift, round_, "3", HANDS[1])

    assert everything() == before


def test_one_act_moves_a_tile_from_one_hand_to_another(shift):
    round_ = locked_round(shift)
    enter(shift, round_, "1", HANDS[1])
    enter(shift, round_, "2", HANDS[2])

    swapped = entering.enter_hands(
        round_id=round_.pk,
        hands={"1": Dealt(hand=HANDS[2], given_set=HOUSE_WAY), "2": None},
        actor=shift.crew.dealer,
        at=shift.clock,
    )

    assert [seat["hand"] for seat in swapped.record["seats"]] == [HANDS[2], None]
    assert swapped.state == RoundState.DEALT


def test_a_table_of_full_depth_takes_no_result_alone(shift):
    round_ = locked_round(shift)
    before = everything()

    with pytest.raises(DepthError):
        result(shift, round_, 1, "win")

    assert everything() == before


def test_hands_are_not_entered_while_bets_are_open_or_after_settling(shift):
    open_round = betting.place_wager(
        session_id=shift.session.pk,
        seat=1,
        amount=10_000,
        actor=shift.crew.dealer,
        at=shift.clock,
    ).round
    before = everything()
    with pytest.raises(InvalidStateError):
        enter(shift, open_round, "1", HANDS[1])
    assert everything() == before

    betting.no_more_bets(round_id=open_round.pk, actor=shift.crew.dealer, at=shift.clock)
    enter(shift, open_round, BANK, BANK_HAND)
    enter(shift, open_round, "1", HANDS[1])
    settle_round(round_id=open_round.pk, actor=shift.crew.dealer, at=shift.clock)
    before = everything()
    with pytest.raises(InvalidStateError):
        enter(shift, open_round, "1", HANDS[1])
    assert everything() == before


class TestATableThatRecordsResults:
    @pytest.fixture
    def shift(self, casino, open_table):
        factories.record_outcomes_alone(casino)
        return open_table()

    def test_results_alone_settle_the_round(self, shift):
        round_ = locked_round(shift)
        result(shift, round_, 1, "win")
        entered = result(shift, round_, 2, "lose")

        done = settle_round(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock)

        assert entered.state == RoundState.REVEALED
        assert (done.round.depth, done.round.house_net) == ("result", 500)

    def test_a_result_in_place_of_a_hand_and_a_hand_in_place_of_a_result(self, shift):
        round_ = locked_round(shift)
        enter(shift, round_, "1", HANDS[1])
        result(shift, round_, 1, "push")
        result(shift, round_, 2, "push")
        taken_back = entering.enter_hands(
            round_id=round_.pk,
            hands={"1": Dealt(hand=HANDS[1], given_set=HOUSE_WAY), "2": None},
            actor=shift.crew.dealer,
            at=shift.clock,
        )

        assert taken_back.record["seats"][0].keys() == {"seat", "wager", "hand", "set"}
        assert taken_back.state == RoundState.DEALT

    def test_every_hand_entered_is_full_depth_all_the_same(self, shift):
        round_ = locked_round(shift)
        enter(shift, round_, BANK, BANK_HAND)
        enter(shift, round_, "1", HANDS[1])
        enter(shift, round_, "2", HANDS[2])

        done = settle_round(round_id=round_.pk, actor=shift.crew.dealer, at=shift.clock)

        assert done.round.depth == "full"

    @pytest.mark.parametrize("outcome", ["won", "", "WIN"])
    def test_an_outcome_is_one_that_the_rules_know(self, shift, outcome):
        round_ = locked_round(shift)
        before = everything()

        with pytest.raises(RoundRefusedError) as refused:
            result(shift, round_, 1, outcome)

        assert refused.value.pointer == "/outcome"
        assert everything() == before
