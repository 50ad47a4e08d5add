"""Rounds that cannot have happened are refused, each fault at its place."""

from copy import deepcopy

import pytest

from rules import errors
from rules.registry import game
from rules.rounds import LARGEST_WAGER, RoundInput, check_wager, read_round

GAME = game("pai_gow")
RULES = GAME.options.resolve({})
ROUND = {
    "bank": {
        "holder": "house",
        "hand": ["66", "11", "63", "44"],
        "set": "house_way",
        "cobank": False,
        "fund": None,
    },
    "seats": [
        {
            "seat": 1,
            "hand": ["55", "62", "64", "53"],
            "set": {"low": ["64", "53"], "high": ["55", "62"]},
            "wager": 10_000,
            "side_bets": {},
        },
        {"seat": 2, "hand": ["66", "22", "31", "43"], "set": "house_way", "wager": 500},
    ],
    "house_hand": None,
    "action_order": None,
}
MISSING = object()


def changed(path: str, value: object) -> dict[str, object]:
    """Return the round with *value* at *path* (``seats/0/wager``), or without it."""
    given = deepcopy(ROUND)
    *parents, last = path.split("/")
    inner: object = given
    for part in parents:
        inner = inner[int(part) if isinstance(inner, list) else part]
    key = int(last) if isinstance(inner, list) else last
    if value is MISSING:
        del inner[key]
    else:
        inner[key] = value
    return given


def test_the_round_of_the_example_settles():
    settled = GAME.settle(options=RULES, round=ROUND)
    assert [(seat.seat, seat.net) for seat in settled.seats] == [(1, -10_000), (2, -500)]


def test_a_round_of_python_settles_as_its_json_form_does():
    typed = read_round(ROUND)
    assert isinstance(typed, RoundInput)
    assert GAME.settle(options=RULES, round=typed) == GAME.settle(options=RULES, round=ROUND)


FAULTS = [
    ("bank", MISSING, "missing_member", "/bank"),
    ("bank", [], "malformed", "/bank"),
    ("seats", MISSING, "missing_member", "/seats"),
    ("seats", {}, "malformed", "/seats"),
    ("seats", [], "malformed", "/seats"),
    ("seats", "1", "malformed", "/seats"),
    ("bank/holder", "seat:3", "not_built", "/bank/holder"),
    ("bank/holder", "dealer", "malformed", "/bank/holder"),
    ("bank/cobank", True, "not_built", "/bank/cobank"),
    ("bank/cobank", "yes", "malformed", "/bank/cobank"),
    ("bank/fund", 10_000, "not_built", "/bank/fund"),
    ("bank/hand", None, "missing_member", "/bank/hand"),
    ("bank/hand/0", "67", "unknown_token", "/bank/hand/0"),
    ("bank/set", {"low": ["66", "11"], "high": ["63"]}, "hand_size", "/bank/set/high"),
    ("bank/banker", 1, "unknown_member", "/bank/banker"),
    ("house_hand", {"hand": []}, "not_built", "/house_hand"),
    ("action_order", [1], "action_order", "/action_order"),
    ("action_order", [1, 1], "action_order", "/action_order"),
    ("action_order", [2, 1, 3], "action_order", "/action_order"),
    ("action_order", [1, "2"], "malformed", "/action_order/1"),
    ("action_order", "12", "malformed", "/action_order"),
    ("dice", [1, 2, 3], "unknown_member", "/dice"),
    ("seats/0", 1, "malformed", "/seats/0"),
    ("seats/0/seat", MISSING, "missing_member", "/seats/0/seat"),
    ("seats/0/seat", "1", "malformed", "/seats/0/seat"),
    ("seats/0/seat", 0, "seat_number", "/seats/0/seat"),
    ("seats/0/seat", 8, "seat_number", "/seats/0/seat"),
    ("seats/1/seat", 1, "seat_twice", "/seats/1/seat"),
    ("seats/0/wager", MISSING, "missing_member", "/seats/0/wager"),
    ("seats/0/wager", 0, "wager_not_positive", "/seats/0/wager"),
    ("seats/0/wager", -5, "wager_not_positive", "/seats/0/wager"),
    ("seats/0/wager", 100.0, "wager_not_integer", "/seats/0/wager"),
    ("seats/0/wager", "100", "wager_not_integer", "/seats/0/wager"),
    ("seats/0/wager", True, "wager_not_integer", "/seats/0/wager"),
    ("seats/0/wager", LARGEST_WAGER + 1, "wager_above_maximum", "/seats/0/wager"),
    ("seats/0/hand", MISSING, "missing_member", "/seats/0/hand"),
    ("seats/0/hand", "55626453", "malformed", "/seats/0/hand"),
    ("seats/0/hand/3", 53, "malformed", "/seats/0/hand/3"),
    ("seats/0/hand/3", "5", "unknown_token", "/seats/0/hand/3"),
    ("seats/0/hand/3", MISSING, "hand_size", "/seats/0/hand"),
    ("seats/1/hand/2", "63", "token_repeated", "/seats/1/hand/2"),
    ("seats/0/hand/3", "62", "token_repeated", "/seats/0/hand/3"),
    ("seats/0/set", MISSING, "missing_member", "/seats/0/set"),
    ("seats/0/set", "housey", "malformed", "/seats/0/set"),
    ("seats/0/set/low", MISSING, "missing_member", "/seats/0/set/low"),
    ("seats/0/set/low/0", "65", "foreign_set", "/seats/0/set/low/0"),
    ("seats/0/set/high/0", "64", "foreign_set", "/seats/0/set/high/0"),
    ("seats/0/set/high/0", "99", "unknown_token", "/seats/0/set/high/0"),
    ("seats/0/set/middle", [], "unknown_member", "/seats/0/set/middle"),
    ("seats/0/side_bets", [], "malformed", "/seats/0/side_bets"),
    (
        "seats/0/side_bets/bonanza_melbourne",
        500,
        "not_built",
        "/seats/0/side_bets/bonanza_melbourne",
    ),
    ("seats/0/side_bets/lucky", 500, "unknown_side_bet", "/seats/0/side_bets/lucky"),
    ("seats/0/side_bets/lucky", "5", "wager_not_integer", "/seats/0/side_bets/lucky"),
    ("seats/0/wagr", 500, "unknown_member", "/seats/0/wagr"),
    ("seats/0/result", {"outcome": "win"}, "malformed", "/seats/0/result"),
    ("seats/0/result", {"outcome": "tie"}, "unknown_outcome", "/seats/0/result/outcome"),
    ("seats/0/result", {}, "missing_member", "/seats/0/result/outcome"),
    ("seats/0/result", {"outcome": "lose", "foul": 1}, "malformed", "/seats/0/result/foul"),
    ("seats/0/result", "win", "malformed", "/seats/0/result"),
]


@pytest.mark.parametrize(
    ("path", "value", "code", "pointer"), FAULTS, ids=lambda part: str(part)[:40]
)
def test_a_fault_is_refused_at_its_place(path, value, code, pointer):
    with pytest.raises(errors.RulesError) as refused:
        GAME.settle(options=RULES, round=changed(path, value))
    assert (refused.value.code, refused.value.pointer) == (code, f"/round{pointer}")


def test_seats_with_results_need_no_bank_hand_and_others_do():
    recorded = {"seat": 1, "wager": 500, "result": {"outcome": "push"}}
    settled = GAME.settle(options=RULES, round={"bank": {}, "seats": [recorded]})
    assert settled.seats[0].returned == 500
    with pytest.raises(errors.MissingMemberError) as refused:
        GAME.settle(options=RULES, round={"bank": {}, "seats": [recorded, ROUND["seats"][1]]})
    assert refused.value.pointer == "/round/bank/hand"


def test_the_bank_cannot_have_a_set_without_a_hand():
    placed = {"low": ["66", "11"], "high": ["63", "44"]}
    recorded = {"seat": 1, "wager": 500, "result": {"outcome": "push"}}
    with pytest.raises(errors.MissingMemberError) as refused:
        GAME.settle(options=RULES, round={"bank": {"set": placed}, "seats": [recorded]})
    assert refused.value.pointer == "/round/bank/hand"


@pytest.mark.parametrize(
    ("wager", "refused"),
    [
        (0, errors.WagerNotPositiveError),
        (499, errors.WagerBelowMinimumError),
        (5_001, errors.WagerAboveMaximumError),
        (550, errors.WagerIncrementError),
    ],
)
def test_a_wager_outside_the_limits_cannot_be_placed(wager, refused):
    with pytest.raises(refused):
        check_wager(wager, minimum=500, maximum=5_000, increment=100)


@pytest.mark.parametrize("wager", [500, 600, 5_000])
def test_a_wager_within_the_limits_can_be_placed(wager):
    check_wager(wager, minimum=500, maximum=5_000, increment=100)


def test_any_wager_can_be_placed_where_there_are_no_limits():
    check_wager(1, minimum=None, maximum=None, increment=None)
