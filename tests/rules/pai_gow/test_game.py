"""Pai Gow's options and questions, as the registry's callers ask them."""

import pytest

from rules import errors
from rules.pai_gow import GAME

COMPLETE = {"bank_mode": "house_only"}
PROFILE = {
    "accepted_out_of_limit": "stands",
    "bank_mode": "house_only",
    "commission_mode": "on_win",
    "commission_rate": "0.05",
    "commission_rounding": "half_up",
    "commission_unit": 1,
    "foul_policy": "reorder",
    "gee_joon_single_rank": "split",
    "gee_joon_together": "required",
    "house_way": "traditional",
    "wager_increment": None,
    "wager_max": None,
    "wager_min": None,
}


def test_a_tables_profile_names_its_bank_and_has_the_defaults_of_the_specification():
    rules = GAME.options.resolve(COMPLETE, complete=True)
    assert GAME.options.canonical(rules) == PROFILE
    assert GAME.options.resolve(PROFILE, complete=True) == rules


def test_a_profile_without_its_bank_mode_is_refused():
    with pytest.raises(errors.NotBuiltError) as refused:
        GAME.options.resolve({}, complete=True)
    assert refused.value.pointer == "/options/bank_mode"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bank_mode", "rotating"),
        ("bank_mode", "card_room"),
        ("commission_mode", "prepaid"),
        ("commission_mode", "collection"),
        ("bank_max_consecutive", 1),
        ("cobank_allowed", True),
        ("house_plays_against_player_bank", True),
        ("bank_shortfall", "refuse"),
        ("bank_cover_mode", "must_cover"),
        ("dice_count", 3),
        ("dice_adjustment", "none"),
        ("pay_order", "after_all"),
        ("collection_fee_table", []),
        ("collection_schedule", []),
        ("fee_refund_on_no_action", False),
        ("side_bet", "none"),
    ],
)
def test_what_is_specified_and_not_built_is_refused_by_name(name, value):
    with pytest.raises(errors.NotBuiltError, match=name) as refused:
        GAME.options.resolve({name: value})
    assert refused.value.pointer == f"/options/{name}"


def test_only_what_is_built_is_described():
    described = GAME.describe()
    assert described["options"].keys() == PROFILE.keys()
    ways = ["traditional", "foxwoods_1997", "nz_1998", "pa_621a"]
    assert described["options"]["house_way"]["values"] == ways
    assert (described["seats"], described["hand_size"]) == ({"first": 1, "last": 7}, 4)
    assert (described["house_ways"], described["side_bets"]) == (ways, [])


def test_a_hand_is_valued_in_class_key_and_words():
    value = GAME.value(options=GAME.options.resolve({}), cards=["36", "66b"])
    assert value.as_dict() == {"class": "wong", "key": [2, 0, 17], "text": "Teen wong"}


@pytest.mark.parametrize(
    ("tokens", "code", "pointer"),
    [
        (["66", "66", "44"], "hand_size", "/hand"),
        (["66", "66", "44", "63", "54"], "hand_size", "/hand"),
        (["66", "66", "66", "63"], "token_repeated", "/hand/2"),
        (["63", "66", "36", "66"], "token_repeated", "/hand/2"),
        (["66", "66", "44", "As"], "unknown_token", "/hand/3"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(tokens, code, pointer):
    with pytest.raises(errors.RulesError) as refused:
        GAME.check_hand(tokens)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)


@pytest.mark.parametrize(
    ("wager", "code"), [(499, "wager_below_minimum"), (550, "wager_increment")]
)
def test_a_wager_is_placed_within_the_tables_limits(wager, code):
    rules = GAME.options.resolve({"wager_min": 500, "wager_max": 5_000, "wager_increment": 100})
    GAME.check_wager(options=rules, wager=600)
    with pytest.raises(errors.RulesError) as refused:
        GAME.check_wager(options=rules, wager=wager)
    assert (refused.value.code, refused.value.pointer) == (code, "/wager")
