"""Hands are entered by taps, settled, corrected; the tablet says what to pay and why."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tables.rounds.models import Round
from tables.rounds.states import RoundState
from tests import factories

HANDS = {
    "hand_bank": "66 42 44 11",
    "hand_1": "55 64 33 21",
    "hand_2": "62 53 65 65",
}


@pytest.fixture
def table(tiles):
    """Return a table at no more bets: 25.00 at seat 1, 100.00 at seat 2."""
    tiles.open().seat(1, 2)
    tiles.done("wager", seat=1, amount="25")
    tiles.done("wager", seat=2, amount="100.00")
    tiles.done("round/lock", round=Round.objects.get().pk)
    return tiles


@pytest.fixture
def entered(table):
    """Return the same table with every hand entered."""
    send(table, "round/hands", **HANDS)
    return table


def send(tablet, act, **given):
    return tablet.done(act, round=Round.objects.latest("pk").pk, **given)


def test_the_last_hand_brings_what_to_pay_and_take(table):
    screen = send(table, "round/hands", **HANDS)
    assert 'Pay <span class="amount">95.00</span>' in screen
    assert 'after <span class="amount">5.00</span> commission' in screen
    assert 'Take <span class="amount">25.00</span>' in screen
    assert "High: Foo pair beats Teen gong" in screen
    assert "Low: 0 loses to 8 (top 11)" in screen
    assert "Bank: A gong can be made" in screen
    assert "Seat 2 wins 100.00, less 5.00 commission: pay 95.00." in screen
    assert Round.objects.get().state == RoundState.REVEALED


def test_a_whole_hand_is_kept_without_redrawing_the_page(table):
    answer = table.do(
        "round/hands",
        round=Round.objects.get().pk,
        hand_bank=HANDS["hand_bank"],
        hand_1="55 64",
        hand_2="",
    )
    text = answer.content.decode()
    round_ = Round.objects.get()
    assert answer.headers["HX-Reswap"] == "none"
    assert f'name="revision" value="{round_.revision}"' in text
    assert "data-picker" not in text
    assert round_.record["bank"]["hand"] == ["66", "42", "44", "11"]
    assert round_.record["seats"][0]["hand"] is None
    assert round_.state == RoundState.DEALT
    assert 'value="66 42 44 11"' in table.look()


def test_a_tile_that_lies_elsewhere_is_refused_beside_its_hand(table):
    refused = table.do(
        "round/hands", round=Round.objects.get().pk, **HANDS | {"hand_1": "55 64 33 42"}
    )
    text = refused.content.decode()
    assert refused.status_code == 422
    assert 'class="field__error" role="alert"' in text
    assert 'value="55 64 33 42"' in text
    assert Round.objects.get().state == RoundState.LOCKED


@pytest.mark.parametrize("hand", ["55 64 33 99", "55 64 33 21 22"])
def test_a_hand_that_cannot_be_is_refused(table, hand):
    refused = table.do("round/hands", round=Round.objects.get().pk, **HANDS | {"hand_1": hand})
    assert refused.status_code == 422
    assert Round.objects.get().record["bank"]["hand"] is None


def test_a_hand_is_corrected_until_it_is_confirmed(entered):
    assert "Tap the low hand first." in entered.look("?view=hands")
    screen = send(entered, "round/hands", view="hands", **HANDS | {"hand_1": "55 64 33 22"})
    assert "pay and take" in screen
    assert Round.objects.get().record["seats"][0]["hand"] == ["55", "64", "33", "22"]


def test_a_tile_may_go_from_one_hand_to_another(entered):
    exchanged = {"hand_1": HANDS["hand_2"], "hand_2": HANDS["hand_1"]}
    send(entered, "round/hands", view="hands", **HANDS | exchanged)
    seats = Round.objects.get().record["seats"]
    assert [seat["hand"] for seat in seats] == [["62", "53", "65", "65"], ["55", "64", "33", "21"]]


def test_a_seat_is_set_the_house_way_with_its_reasons(entered):
    screen = send(entered, "round/house-way", seat=1)
    assert "Seat 1 is set the house way: 33 64 low, 55 21 high." in screen
    assert "Seat 1: set the house way" not in screen
    assert "Seat 2: set the house way" in screen
    assert "The best low hand is played" in entered.look("?view=hands")


def test_the_house_way_is_chosen_and_given_up_while_hands_are_entered(table):
    screen = send(table, "round/hands", view="hands", way="1", **HANDS | {"hand_2": ""})
    assert 'name="way_1" value="house_way"' in screen
    send(table, "round/hands", view="hands", way="1", way_1="house_way", **HANDS | {"hand_2": ""})
    assert Round.objects.get().record["seats"][0]["set"] == {
        "low": ["55", "64"],
        "high": ["33", "21"],
    }


def test_confirming_settles_once(entered):
    round_ = Round.objects.get()
    assert "Settled" in send(entered, "round/settle")
    send(entered, "round/settle")
    round_.refresh_from_db()
    assert round_.state == RoundState.SETTLED
    assert round_.house_net == 2_500 - 9_500
    assert round_.outcomes.count() == 2


def test_a_round_with_a_missing_hand_is_not_settled(table):
    send(table, "round/hands", **HANDS | {"hand_2": ""})
    refused = table.do("round/settle", round=Round.objects.get().pk)
    assert refused.status_code == 409
    assert Round.objects.get().state == RoundState.DEALT


def test_the_next_round_begins_with_one_tap(entered):
    send(entered, "round/settle")
    screen = send(entered, "round/next")
    assert "Round 2" in screen
    assert "Wagers open" in screen
    assert Round.objects.get().state == RoundState.CLOSED


def test_the_last_wagers_are_repeated_with_one_tap(entered):
    screen = send(entered, "round/settle")
    assert 'Repeat wagers <span class="amount">125.00</span>' in screen
    entered.done("wager/repeat")
    second = Round.objects.latest("pk")
    assert second.number == 2
    assert dict(second.wagers.values_list("seat", "amount")) == {1: 2_500, 2: 10_000}


def test_the_wager_of_a_patron_who_left_is_not_repeated(entered):
    send(entered, "round/settle")
    send(entered, "round/next")
    entered.done("seat/leave", seat=2)
    entered.done("wager/repeat")
    assert dict(Round.objects.latest("pk").wagers.values_list("seat", "amount")) == {1: 2_500}


def test_a_table_that_records_results_asks_for_three_words(tiles):
    factories.record_outcomes_alone(tiles.table.property, tiles.table, at=timezone.now())
    tiles.open().seat(1, 2)
    tiles.done("wager", seat=1, amount="25")
    tiles.done("wager", seat=2, amount="100")
    assert "WIN" in send(tiles, "round/lock")
    assert 'value="win" aria-pressed="true"' in send(tiles, "round/result", seat=1, outcome="win")
    refused = tiles.do("round/result", round=Round.objects.get().pk, seat=2, outcome="draw")
    assert refused.status_code == 422
    screen = send(tiles, "round/result", seat=2, outcome="push")
    assert "Leave the wager" in screen
    assert 'Pay <span class="amount">23.75</span>' in screen
    send(tiles, "round/settle")
    assert Round.objects.get().house_net == -2_375


def test_cards_are_set_by_the_order_of_their_taps(cards):
    cards.open().seat(3)
    cards.done("wager", seat=3, amount="100")
    send(cards, "round/lock")
    screen = send(
        cards,
        "round/hands",
        hand_bank="As Ks Qh 9c 8d 4h 2c",
        hand_3="Ah Ac Tc Td Th 3s 5c",
    )
    assert "Low: pair of aces beats king-queen" in screen
    assert 'Pay <span class="amount">95.00</span>' in screen
