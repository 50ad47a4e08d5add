"""Rounds of tiles: the worked examples, fouls, commission, and what must hold of every round."""

import re
from collections import Counter

import pytest
from hypothesis import given

from rules import errors
from rules.banked import outcome_of
from rules.banked_round import compare
from rules.pai_gow import GAME
from rules.pai_gow.house_ways import set_house_way
from rules.pai_gow.ranking import rank
from rules.pai_gow.setting import ranked_set
from rules.rounds import (
    BankInput,
    ResultInput,
    RoundInput,
    SeatInput,
    SetInput,
)
from rules.settlement import Outcome, SetBy, Transfer, moved_to_each_party
from tests.rules.specification import rows
from tests.strategies import tile_deals, tile_rounds

RULES = GAME.options.resolve({})
EXAMPLES = rows("rules/pai-gow.md", section="10", first_cell=r"E\d\d( \([SN]\))?")
HAND = re.compile(r"(\d\d)\+(\d\d) \(([\w ]+)\)")


def read_hand(cell: str) -> tuple[tuple[str, str], str]:
    match = HAND.fullmatch(cell)
    assert match
    return (match[1], match[2]), match[3]


def hands_of(row: tuple[str, ...]) -> list[tuple[str, str]]:
    return [read_hand(cell)[0] for cell in row[1:5]]


def test_the_worked_examples_are_all_there():
    assert [row[0][:3] for row in EXAMPLES] == [f"E{number:02}" for number in range(1, 37)]


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: row[0][:3])
def test_each_hand_of_an_example_is_worth_what_it_says(row):
    for cell in row[1:5]:
        hand, value = read_hand(cell)
        worth = rank(*hand)
        if value == "high nine":
            assert worth.is_high_nine
        elif value.isdigit():
            assert (worth.scale, worth.hand_class) == (int(value), "points")
        else:
            assert worth.hand_class == value


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: row[0][:3])
def test_an_example_ends_as_it_says(row):
    player_low, player_high, bank_low, bank_high = (rank(*hand) for hand in hands_of(row))
    low, high = compare(player_low, bank_low), compare(player_high, bank_high)
    assert outcome_of(low, high).name == row[5]
    reason = row[6]
    if "copy" in reason or "copies" in reason:
        assert low.copy or high.copy
    if reason.startswith("0–0"):
        assert low.copy
        assert low.winner == "bank"


def house_bank_keeps(row: tuple[str, ...]) -> bool:
    """Tell whether the bank's hands of an example are what the house way makes of its tiles."""
    _, _, low, high = hands_of(row)
    placed = ranked_set(low, high, single_rank=RULES.gee_joon_single_rank)
    return set_house_way((*low, *high), RULES).played.low_first == placed.low_first


def round_of(row: tuple[str, ...]) -> dict[str, object]:
    player_low, player_high, bank_low, bank_high = map(list, hands_of(row))
    return {
        "bank": {"hand": bank_low + bank_high, "set": {"low": bank_low, "high": bank_high}},
        "seats": [
            {
                "seat": 1,
                "hand": player_low + player_high,
                "set": {"low": player_low, "high": player_high},
                "wager": 10_000,
            }
        ],
    }


@pytest.mark.parametrize(
    "row", [row for row in EXAMPLES if house_bank_keeps(row)], ids=lambda row: row[0][:3]
)
def test_an_example_whose_bank_lies_right_settles_as_it_says(row):
    settled = GAME.settle(options=RULES, round=round_of(row))
    (seat,) = settled.seats
    assert seat.outcome.name == row[5]
    assert seat.net == {"WIN": 9_500, "PUSH": 0, "LOSE": -10_000}[row[5]]
    assert settled.bank.set.low == hands_of(row)[2]


def seat(number: int, hand: str, low: str, high: str, wager: int = 10_000) -> SeatInput:
    return SeatInput(
        seat=number,
        wager=wager,
        hand=tuple(hand.split()),
        set=SetInput(low=tuple(low.split()), high=tuple(high.split())),
        side_bets={},
    )


def against(bank: str, *seats: SeatInput) -> RoundInput:
    return RoundInput(bank=BankInput(hand=tuple(bank.split())), seats=seats)


WINNER = seat(3, "66 66 11 11", "11 11", "66 66")


def test_a_win_pays_the_wager_less_commission():
    settled = GAME.settle(options=RULES, round=against("42 41 44 51", WINNER))
    (result,) = settled.seats
    assert (result.outcome, result.covered, result.returned) == (Outcome.WIN, 10_000, 0)
    assert (result.commission, result.net) == (500, 9_500)
    assert settled.bank.net == -10_000
    assert settled.transfers == (
        Transfer(payer="bank", payee="seat:3", amount=10_000, reason="main"),
        Transfer(payer="seat:3", payee="house", amount=500, reason="commission"),
    )
    assert [str(step) for step in settled.steps[-3:]] == [
        "Seat 3, low hand: Day pair against 4 (top 44): the player wins it.",
        "Seat 3, high hand: Teen pair against 8 (top 42): the player wins it.",
        "Seat 3 wins 10000, less 500 commission: pay 9500.",
    ]


def test_no_commission_where_the_table_takes_none():
    rules = GAME.options.resolve({"commission_mode": "none"})
    settled = GAME.settle(options=rules, round=against("42 41 44 51", WINNER))
    assert (settled.seats[0].commission, settled.seats[0].net) == (0, 10_000)
    assert str(settled.steps[-1]) == "Seat 3 wins: pay 10000."


def test_the_tables_rate_unit_and_rounding_are_used():
    rules = GAME.options.resolve(
        {"commission_rate": "0.04", "commission_unit": 100, "commission_rounding": "down"}
    )
    won = seat(3, "66 66 11 11", "11 11", "66 66", wager=4_999)
    settled = GAME.settle(options=rules, round=against("42 41 44 51", won))
    assert settled.seats[0].commission == 100


def test_zero_against_zero_is_the_banks():
    zero_low = seat(1, "64 55 66 63", "64 55", "66 63")
    bank = {"bank": BankInput(hand=("65", "54", "66", "11"))}
    settled = GAME.settle(options=RULES, round=RoundInput(**bank, seats=(zero_low,)))
    assert settled.bank.set.as_dict() == {
        "low": ["11", "65"],
        "high": ["66", "54"],
        "by": "house_way",
    }
    assert (settled.seats[0].high.copy, settled.seats[0].high.winner) == (True, "bank")


FOULS = ("66 66 44 63", "66 63", "66 44")  # the wong lies low, the gong high
APART = ("42 21 66 65", "42 65", "21 66")  # Gee Joon parted


@pytest.mark.parametrize(
    ("policy", "placed", "settled_as", "by", "outcome"),
    [
        ("reorder", FOULS, ("66 44", "66 63"), SetBy.REORDER, Outcome.WIN),
        ("reorder", APART, ("66 65", "42 21"), SetBy.HOUSE_WAY, Outcome.PUSH),
        ("house_way", FOULS, ("66 44", "66 63"), SetBy.HOUSE_WAY, Outcome.WIN),
        ("lose", FOULS, ("66 63", "66 44"), SetBy.PLAYER, Outcome.LOSE),
        ("lose", APART, ("42 65", "21 66"), SetBy.PLAYER, Outcome.LOSE),
    ],
)
def test_a_foul_set_is_settled_by_the_tables_policy(policy, placed, settled_as, by, outcome):
    rules = GAME.options.resolve({"foul_policy": policy})
    settled = GAME.settle(options=rules, round=against("55 61 33 43", seat(1, *placed)))
    (result,) = settled.seats
    assert result.foul
    assert (" ".join(result.set.low), " ".join(result.set.high)) == settled_as
    assert result.set.by is by
    assert result.outcome is outcome
    if policy == "lose":
        assert {(hand.winner, hand.copy) for hand in (result.low, result.high)} == {("bank", False)}
    assert any("which is foul" in str(step) for step in settled.steps)


def test_parted_gee_joon_is_no_foul_where_it_is_free():
    rules = GAME.options.resolve({"gee_joon_together": "free", "foul_policy": "lose"})
    settled = GAME.settle(options=rules, round=against("55 61 33 43", seat(1, *APART)))
    assert not settled.seats[0].foul


def test_a_bank_that_is_not_set_the_house_way_is_corrected():
    given_round = RoundInput(
        bank=BankInput(
            hand=("66", "66", "44", "63"), set=SetInput(low=("44", "63"), high=("66", "66"))
        ),
        seats=(seat(1, "11 11 62 64", "62 64", "11 11"),),
    )
    settled = GAME.settle(options=RULES, round=given_round)
    assert (settled.bank.set.low, settled.bank.set.high) == (("66", "44"), ("66", "63"))
    assert "The bank lay as 44 63 low, 66 66 high; that is corrected." in map(str, settled.steps)


def test_a_bank_that_differs_only_in_equal_tiles_stays_as_it_lies():
    given_round = RoundInput(
        bank=BankInput(
            hand=("62", "53", "55", "64"), set=SetInput(low=("62", "64"), high=("53", "55"))
        ),
        seats=(seat(1, "11 11 61 64", "61 64", "11 11"),),
    )
    settled = GAME.settle(options=RULES, round=given_round)
    assert settled.bank.set.low == ("62", "64")


def test_a_seat_may_ask_for_the_house_way():
    asked = {"seat": 1, "hand": ["66", "66", "44", "63"], "set": "house_way", "wager": 500}
    settled = GAME.settle(
        options=RULES, round={"bank": {"hand": ["55", "61", "33", "43"]}, "seats": [asked]}
    )
    assert settled.seats[0].set.as_dict() == {
        "low": ["66", "44"],
        "high": ["66", "63"],
        "by": "house_way",
    }


@pytest.mark.parametrize(
    ("outcome", "net", "bank", "covered", "commission"),
    [
        (Outcome.WIN, 1_900, -2_000, 2_000, 100),
        (Outcome.LOSE, -2_000, 2_000, 2_000, 0),
        (Outcome.PUSH, 0, 0, 0, 0),
        (Outcome.VOID, 0, 0, 0, 0),
    ],
)
def test_a_round_recorded_by_results_moves_the_same_money(outcome, net, bank, covered, commission):
    recorded = SeatInput(seat=4, wager=2_000, side_bets={}, result=ResultInput(outcome=outcome))
    settled = GAME.settle(options=RULES, round=RoundInput(bank=BankInput(), seats=(recorded,)))
    (result,) = settled.seats
    assert (result.net, result.covered, result.commission) == (net, covered, commission)
    assert result.returned == 2_000 - covered
    assert (result.set, result.low, result.high) == (None, None, None)
    assert (settled.bank.net, settled.bank.set) == (bank, None)


def test_results_stay_as_given_while_money_moves_in_the_order_of_action():
    seats = tuple(
        SeatInput(seat=number, wager=100, side_bets={}, result=ResultInput(outcome=Outcome.LOSE))
        for number in (1, 2, 3)
    )
    settled = GAME.settle(
        options=RULES,
        round=RoundInput(bank=BankInput(), seats=seats, action_order=(3, 1, 2)),
    )
    assert [result.seat for result in settled.seats] == [1, 2, 3]
    assert [transfer.payer for transfer in settled.transfers] == ["seat:3", "seat:1", "seat:2"]
    assert [str(step)[:6] for step in settled.steps] == ["Seat 3", "Seat 1", "Seat 2"]


def test_an_accepted_wager_outside_the_limits_stands_unless_the_table_rejects_it():
    limits = {"wager_min": 500, "wager_max": 5_000, "wager_increment": 100}
    given_round = against("42 41 44 51", WINNER)
    stands = GAME.options.resolve(limits)
    assert GAME.settle(options=stands, round=given_round).seats[0].covered == 10_000
    rejects = GAME.options.resolve(limits | {"accepted_out_of_limit": "reject"})
    with pytest.raises(errors.WagerAboveMaximumError) as refused:
        GAME.settle(options=rejects, round=given_round)
    assert refused.value.pointer == "/round/seats/0/wager"


@given(given_round=tile_rounds())
def test_transfers_explain_every_result_and_sum_to_zero(given_round):
    settled = GAME.settle(options=RULES, round=given_round)
    moved = moved_to_each_party(settled.transfers)
    assert sum(moved.values()) == 0
    assert moved["house"] == sum(result.commission for result in settled.seats)
    for result, wagered in zip(settled.seats, given_round["seats"], strict=True):
        assert moved[f"seat:{result.seat}"] == result.net
        assert result.covered + result.returned == wagered["wager"]
        assert Counter(result.set.low + result.set.high) == Counter(wagered["hand"])


@given(given_round=tile_rounds())
def test_settling_again_gives_the_same(given_round):
    first = GAME.settle(options=RULES, round=given_round)
    assert GAME.settle(options=RULES, round=given_round) == first


@given(deal=tile_deals(hands=2))
def test_player_and_bank_never_both_win(deal):
    one, other = (set_house_way(hand, RULES).played for hand in deal)
    as_player = outcome_of(
        compare(one.low_rank, other.low_rank), compare(one.high_rank, other.high_rank)
    )
    as_bank = outcome_of(
        compare(other.low_rank, one.low_rank), compare(other.high_rank, one.high_rank)
    )
    assert (as_player, as_bank) != (Outcome.WIN, Outcome.WIN)
    if as_player is Outcome.WIN:
        assert as_bank is Outcome.LOSE
