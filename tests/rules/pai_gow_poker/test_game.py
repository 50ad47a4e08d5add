"""What the registry asks of the game: options, hands, sets, wagers, values."""

from fractions import Fraction

import pytest
from hypothesis import given

import rules.pai_gow_poker
from rules import errors
from rules.pai_gow_poker import GAME, HouseRules
from rules.pai_gow_poker.options import (
    BankMode,
    FoulPolicy,
    HouseWayName,
    Variant,
)
from rules.pai_gow_poker.ranking import JokerFlush, WheelRank
from rules.registry import game
from rules.rounds import SetInput
from rules.settlement import NO_COMMISSION, Rounding
from tests.rules.pai_gow_poker.cards import any_seven, rankings

HAND = ["As", "Ah", "Kd", "Qc", "9h", "5s", "2c"]
DEFAULTS = GAME.options.resolve({}, complete=True)


def refused(act, *arguments, **named):
    with pytest.raises(errors.RulesError) as refusal:
        act(*arguments, **named)
    return refusal.value.code, refusal.value.pointer


def test_package_offers_the_game_and_its_house_rules():
    assert rules.pai_gow_poker.__all__ == ["GAME", "HouseRules", "PaiGowPoker"]
    assert all(hasattr(rules.pai_gow_poker, name) for name in rules.pai_gow_poker.__all__)
    assert game("pai_gow_poker") is GAME


# Options.


def test_defaults_are_those_of_the_specification():
    assert (
        HouseRules(
            wheel_rank=WheelRank.SECOND,
            joker_flush=JokerFlush.HIGHEST_MISSING,
            house_way=HouseWayName.FOXWOODS,
            variant=Variant.COMMISSION,
            foul_policy=FoulPolicy.LOSE,
            bank_mode=BankMode.HOUSE_ONLY,
            commission_rate=Fraction(1, 20),
            commission_unit=1,
            commission_rounding=Rounding.HALF_UP,
            wager_min=200,
            wager_max=10_000,
            wager_increment=100,
        )
        == DEFAULTS
    )


def test_words_of_the_specification_are_accepted_beside_the_common_ones():
    own = {"min_bet": 500, "max_bet": 50_000, "player_banking": "off", "commission_unit": "0.25"}
    common = {
        "wager_min": 500,
        "wager_max": 50_000,
        "bank_mode": "house_only",
        "commission_unit": 25,
    }

    assert GAME.options.resolve(own) == GAME.options.resolve(common)


def test_profile_is_stored_and_taken_back():
    chosen = GAME.options.resolve({"wheel_rank": "lowest", "joker_flush": "ace", "min_bet": 500})
    stored = GAME.options.canonical(chosen)

    assert stored["wager_min"] == 500
    assert GAME.options.resolve(stored, complete=True) == chosen


def test_commission_is_taken_by_the_commission_variant_alone():
    assert DEFAULTS.commission().rate == Fraction(1, 20)
    assert GAME.options.resolve({"variant": "tiger9_push"}).commission() == NO_COMMISSION


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("house_way", "trump_plaza"),
        ("house_way", "claridge"),
        ("house_way", "ballys_ac"),
        ("house_way", "mgm_grand"),
        ("house_way", "casino_real_ca"),
        ("variant", "ez_queen_push"),
        ("variant", "ace_high_push"),
        ("variant", "collection"),
        ("bank_mode", "alternate"),
        ("player_banking", "circle"),
        ("player_banking", "two_consecutive"),
        ("cobank_allowed", True),
        ("co_banking", "on"),
        ("bank_cover_mode", "must_cover"),
        ("bank_settlement", "limited"),
        ("dragon_hand", "on"),
        ("collection_schedule", []),
        ("collection_fee_table", []),
        ("positions", 8),
        ("count_direction", "clockwise"),
        ("start_method", "three_dice"),
        ("chip_denominations", [100]),
    ],
)
def test_what_is_not_built_is_refused_by_name(name, value):
    assert refused(GAME.options.resolve, {name: value}) == ("not_built", f"/options/{name}")


@pytest.mark.parametrize(
    ("given_options", "code", "pointer"),
    [
        ({"wheel": "second"}, "unknown_option", "/options/wheel"),
        ({"wheel_rank": "highest"}, "option_value", "/options/wheel_rank"),
        ({"joker_flush": None}, "option_value", "/options/joker_flush"),
        ({"house_way": "nz_1998"}, "option_value", "/options/house_way"),
        ({"foul_policy": "reorder"}, "option_value", "/options/foul_policy"),
        ({"commission_unit": 2}, "option_value", "/options/commission_unit"),
        ({"commission_rate": "1.5"}, "option_value", "/options/commission_rate"),
        ({"min_bet": 0}, "option_value", "/options/min_bet"),
        ({"wager_max": None}, "option_value", "/options/wager_max"),
        ({"min_bet": 200, "wager_min": 200}, "option_twice", "/options/wager_min"),
        ({"min_bet": 500, "max_bet": 400}, "option_value", "/options/max_bet"),
        ({"min_bet": 20_000}, "option_value", "/options/min_bet"),
    ],
)
def test_wrong_options_are_refused(given_options, code, pointer):
    assert refused(GAME.options.resolve, given_options) == (code, pointer)


def test_description_says_what_is_built():
    described = GAME.describe()

    assert described.keys() == {"options", "seats", "hand_size", "house_ways", "side_bets"}
    assert described["seats"] == {"first": 1, "last": 7}
    assert described["hand_size"] == 7
    assert described["house_ways"] == described["options"]["house_way"]["values"] == ["foxwoods"]
    assert described["side_bets"] == []
    assert described["options"]["wager_min"]["aliases"] == ["min_bet"]


# Hands, sets, wagers.


def test_hand_is_answered_in_its_one_spelling_and_in_the_order_given():
    assert GAME.check_hand(["10d", "Jk", "2c", "As", "Kh", "9s", "3d"]) == (
        "Td",
        "Jk",
        "2c",
        "As",
        "Kh",
        "9s",
        "3d",
    )


@pytest.mark.parametrize(
    ("hand", "code", "pointer"),
    [
        ([*HAND, "3c"], "hand_size", "/hand"),
        ([], "hand_size", "/hand"),
        ([*HAND[:6], "2C"], "unknown_token", "/hand/6"),
        ([*HAND[:6], "As"], "token_repeated", "/hand/6"),
        (["Jk", *HAND[:5], "Jk"], "token_repeated", "/hand/6"),
    ],
)
def test_hand_that_cannot_be_is_refused(hand, code, pointer):
    assert refused(GAME.check_hand, hand) == (code, pointer)
    assert refused(GAME.house_way, options=DEFAULTS, hand=hand) == (code, pointer)
    assert refused(GAME.legal_sets, options=DEFAULTS, hand=hand) == (code, pointer)


def test_legal_set_is_answered_in_shown_order():
    placed = SetInput(low=("Qc", "Kd"), high=("2c", "5s", "As", "9h", "Ah"))

    assert GAME.check_set(options=DEFAULTS, hand=HAND, given=placed) == SetInput(
        low=("Kd", "Qc"), high=("Ah", "As", "9h", "5s", "2c")
    )


@pytest.mark.parametrize(
    ("low", "high", "code", "pointer"),
    [
        ("As Ah", "Kd Qc 9h 5s 2c", "illegal_set", "/set"),
        ("As Ah Kd", "Qc 9h 5s 2c", "hand_size", "/set/low"),
        ("Kd", "As Ah Qc 9h 5s 2c", "hand_size", "/set/low"),
        ("Kd Qc", "As Ah 9h 5s", "hand_size", "/set/high"),
        ("Kd Qd", "As Ah 9h 5s 2c", "foreign_set", "/set/low/1"),
        ("Kd Kd", "As Ah 9h 5s 2c", "foreign_set", "/set/low/1"),
        ("Kd Q", "As Ah 9h 5s 2c", "unknown_token", "/set/low/1"),
    ],
)
def test_set_before_the_reveal_must_be_legal_and_of_the_hand(low, high, code, pointer):
    placed = SetInput(low=tuple(low.split()), high=tuple(high.split()))

    assert refused(GAME.check_set, options=DEFAULTS, hand=HAND, given=placed) == (code, pointer)


def test_refusal_of_a_fouled_set_says_why():
    placed = SetInput(low=("As", "Ah"), high=("Kd", "Qc", "9h", "5s", "2c"))

    with pytest.raises(errors.IllegalSetError) as refusal:
        GAME.check_set(options=DEFAULTS, hand=HAND, given=placed)

    assert refusal.value.detail == (
        "the set is foul: pair of aces in front is higher than high card, "
        "king-queen-nine-five-two behind"
    )


@pytest.mark.parametrize("wager", [200, 300, 10_000])
def test_wager_within_the_limits_may_be_placed(wager):
    GAME.check_wager(options=DEFAULTS, wager=wager)


@pytest.mark.parametrize(
    ("wager", "code"),
    [
        (0, "wager_not_positive"),
        (-200, "wager_not_positive"),
        (100, "wager_below_minimum"),
        (10_100, "wager_above_maximum"),
        (250, "wager_increment"),
    ],
)
def test_wager_outside_the_limits_is_refused(wager, code):
    assert refused(GAME.check_wager, options=DEFAULTS, wager=wager) == (code, "/wager")


# Values and house way.


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        ("Jk Ah 9h 5h 2h", ("flush", [5, 12, 11, 7, 3, 0], "flush, ace-king-nine-five-two")),
        ("Jk Ac", ("pair", [1, 12], "pair of aces")),
        ("Ac Ad Ah As Jk", ("five_aces", [10], "five aces")),
        ("10c 9d", ("high_card", [0, 8, 7], "ten-nine")),
    ],
)
def test_value_of_two_or_five_cards(cards, value):
    found = GAME.value(options=DEFAULTS, cards=cards.split()).as_dict()

    assert (found["class"], found["key"], found["text"]) == value


@pytest.mark.parametrize(
    ("cards", "code", "pointer"),
    [
        ("As Kd Qc", "hand_size", "/cards"),
        ("As Kx", "unknown_token", "/cards/1"),
        ("As As", "token_repeated", "/cards/1"),
    ],
)
def test_value_of_other_cards_is_refused(cards, code, pointer):
    assert refused(GAME.value, options=DEFAULTS, cards=cards.split()) == (code, pointer)


def test_house_way_is_answered_with_its_reasons():
    found = GAME.house_way(options=DEFAULTS, hand=HAND).as_dict()

    assert (found["low"], found["high"]) == (["Kd", "Qc"], ["Ah", "As", "9h", "5s", "2c"])
    assert found["steps"] == [
        "The seven cards hold two aces, king, queen, nine, five, two.",
        "One pair and no straight or flush: the pair stays behind, the two highest other cards go "
        "in front.",
        "In front: king-queen. Behind, the highest hand this leaves: pair of aces, nine-five-two.",
    ]


def test_legal_sets_are_all_that_are_not_fouled():
    found = GAME.legal_sets(options=DEFAULTS, hand=["As", "Kd", "Qc", "9h", "7s", "5s", "2c"])

    assert [" ".join(one.low) for one in found] == [
        "Kd Qc",
        "Kd 9h",
        "Kd 7s",
        "Kd 5s",
        "Kd 2c",
        "Qc 9h",
        "Qc 7s",
        "Qc 5s",
        "Qc 2c",
        "9h 7s",
        "9h 5s",
        "9h 2c",
        "7s 5s",
        "7s 2c",
        "5s 2c",
    ]


@given(hand=any_seven, ranking=rankings)
def test_house_way_is_among_the_legal_sets(hand, ranking):
    options = GAME.options.resolve(
        {"wheel_rank": ranking.wheel_rank, "joker_flush": ranking.joker_flush}
    )
    tokens = [str(card) for card in hand]
    found = GAME.house_way(options=options, hand=tokens)

    assert SetInput(low=found.low, high=found.high) in GAME.legal_sets(options=options, hand=tokens)
