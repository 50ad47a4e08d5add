"""The worked examples of pai-gow-poker.md 17, read from the specification itself."""

import json
import re
from itertools import pairwise

import pytest

from rules.pai_gow_poker import GAME
from tests.rules.specification import SPECIFICATIONS

_TEXT = (SPECIFICATIONS / "rules" / "pai-gow-poker.md").read_text(encoding="utf-8")
_JSON = re.search(r"```json\n(\[\n.*?\n\])\n```", _TEXT, re.DOTALL)[1]
EXAMPLES = {example["id"]: example for example in json.loads(_JSON)}

NOT_BUILT = {
    "EX-31": "house way trump_plaza",
    "EX-38": "house way trump_plaza",
    "EX-46": "house way ballys_ac",
    "EX-51": "variant ez_queen_push",
    "EX-52": "side bets",
    "EX-53": "side bets",
    "EX-54": "side bets",
    "EX-58": "start position",
    "EX-59": "limited bank",
}


def built(*kinds):
    """Return the examples of these kinds that concern what is built."""
    return [
        pytest.param(example, id=name)
        for name, example in EXAMPLES.items()
        if name not in NOT_BUILT and example.get("kind") in kinds
    ]


def split(cards, low):
    """Return the set that has *low* in front."""
    return {"low": low.split(), "high": [card for card in cards.split() if card not in low.split()]}


def test_every_example_is_checked_or_named_as_not_built():
    checked = built("rank5", "legal", None, "commission")

    assert len(EXAMPLES) == 59
    assert len(checked) == 50
    assert {param.id for param in checked} | NOT_BUILT.keys() == EXAMPLES.keys()


@pytest.mark.parametrize("example", built("rank5"))
def test_five_card_ranks(example):
    options = GAME.options.resolve(example.get("rules", {}))
    values = [GAME.value(options=options, cards=hand.split()) for hand in example["hands"]]
    relation = "".join(
        "=" if one.key == other.key else ">" if one.key > other.key else "<"
        for one, other in pairwise(values)
    )

    assert relation == example["expected_relation"]
    names = [value.category.replace("_", " ") for value in values]
    assert example.get("expected_names", names) == names


@pytest.mark.parametrize("example", built("legal"))
def test_legal_settings(example):
    low, high = example["low"].split(), example["high"].split()
    legal = GAME.legal_sets(options=GAME.options.resolve({}), hand=[*low, *high])
    fronts = [set(found.low) for found in legal]

    assert (set(low) in fronts) is example["expected_legal"]


@pytest.mark.parametrize(
    "example", [param for param in built(None) if "house_way" in param.values[0]]
)
def test_house_way(example):
    options = GAME.options.resolve({"house_way": example["house_way"]})
    cards = example["player_cards"].split()
    found = GAME.house_way(options=options, hand=cards)

    assert set(found.low) == set(example["expected_low"].split())
    assert {*found.low, *found.high} == set(cards)
    if "expected_high_name" in example:
        value = GAME.value(options=options, cards=found.high)
        assert value.category.replace("_", " ") == example["expected_high_name"]


@pytest.mark.parametrize(
    "example", [param for param in built(None) if "dealer_cards" in param.values[0]]
)
def test_settled_rounds(example):
    way = example.get("dealer_house_way") or example["house_way"]
    cards = example["player_cards"]
    seat = {
        "seat": 1,
        "hand": cards.split(),
        "set": split(cards, example["player_low"]) if "player_low" in example else "house_way",
        "wager": 10_000,
    }
    settled = GAME.settle(
        options=GAME.options.resolve({"house_way": way}),
        round={"bank": {"hand": example["dealer_cards"].split()}, "seats": [seat]},
    )
    result = settled.seats[0]

    if "expected_dealer_low" in example:
        assert set(settled.bank.set.low) == set(example["expected_dealer_low"].split())
    if "expected_compare" in example:
        assert [
            "copy" if hand.copy else {"player": "win", "bank": "lose"}[hand.winner]
            for hand in (result.low, result.high)
        ] == example["expected_compare"]
    fouled = example["expected_outcome"] == "foul"
    assert result.foul is fouled
    assert result.outcome == ("lose" if fouled else example["expected_outcome"])
    assert result.net == {"win": 9_500, "push": 0, "lose": -10_000}[result.outcome]


@pytest.mark.parametrize("example", built("commission"))
def test_commission(example):
    options = {
        "commission_unit": example.get("unit", "0.01"),
        "commission_rounding": example.get("mode", "half_up"),
    }
    won = {"seat": 1, "wager": int(example["win"]) * 100, "result": {"outcome": "win"}}
    settled = GAME.settle(options=GAME.options.resolve(options), round={"bank": {}, "seats": [won]})

    dollars, cents = divmod(settled.seats[0].commission, 100)
    assert f"{dollars}.{cents:02}" == example["expected_commission"]
