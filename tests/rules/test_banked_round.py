"""What a table can have seen: recorded results are held to its house rules, in every game."""

import pytest

from rules import errors
from rules.registry import game

LOSING = {"pai_gow": {"foul_policy": "lose"}, "pai_gow_poker": {}}
CORRECTING = {
    "pai_gow": [{}, {"foul_policy": "house_way"}],
    "pai_gow_poker": [{"foul_policy": "house_way_reset"}],
}
GAMES = sorted(LOSING)
NINE_HIGH = ["Qd", "9c", "8h", "6s", "4d", "3h", "2h"]
KINGS_UP = ["Kd", "Kc", "8h", "6s", "4d", "3h", "2h"]


def settle(name: str, *results: dict, options: dict, hand: list[str] | None = None):
    seats = [
        {"seat": number, "wager": 500, "result": result} for number, result in enumerate(results, 1)
    ]
    bank = {} if hand is None else {"hand": hand}
    table_game = game(name)
    return table_game.settle(
        options=table_game.options.resolve(options), round={"bank": bank, "seats": seats}
    )


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("outcome", ["win", "push"])
def test_a_recorded_foul_that_did_not_lose_is_refused_where_fouls_lose(name, outcome):
    with pytest.raises(errors.ImpossibleResultError) as refused:
        settle(name, {"outcome": "lose"}, {"outcome": outcome, "foul": True}, options=LOSING[name])
    assert refused.value.as_dict() == {
        "code": "impossible_result",
        "detail": f"a foul set loses at this table: it cannot {outcome}",
        "pointer": "/round/seats/1/result/outcome",
    }


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("outcome", "net"), [("lose", -500), ("void", 0)])
def test_a_recorded_foul_loses_or_its_wager_is_void(name, outcome, net):
    (result,) = settle(name, {"outcome": outcome, "foul": True}, options=LOSING[name]).seats
    assert (result.foul, result.outcome, result.net) == (True, outcome, net)


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in GAMES for options in CORRECTING[name]]
)
def test_a_recorded_foul_may_win_where_fouls_are_corrected(name, options):
    (result,) = settle(name, {"outcome": "win", "foul": True}, options=options).seats
    assert (result.foul, result.net) == (True, 475)


def test_a_recorded_foul_pushes_only_if_the_bank_may_have_pushed_every_wager():
    pushed = {"outcome": "push", "foul": True}
    tiger = {"variant": "tiger9_push"}
    assert settle("pai_gow_poker", pushed, options=tiger).seats[0].returned == 500
    assert settle("pai_gow_poker", pushed, options=tiger, hand=NINE_HIGH).seats[0].returned == 500
    with pytest.raises(errors.ImpossibleResultError):
        settle("pai_gow_poker", pushed, options=tiger, hand=KINGS_UP)


@pytest.mark.parametrize("outcome", ["win", "lose"])
def test_nobody_wins_or_loses_against_a_bank_that_pushes_every_wager(outcome):
    with pytest.raises(errors.ImpossibleResultError) as refused:
        settle(
            "pai_gow_poker",
            {"outcome": outcome},
            options={"variant": "tiger9_push"},
            hand=NINE_HIGH,
        )
    assert refused.value.detail == f"the bank's hand pushes every wager: none can {outcome}"
    assert refused.value.pointer == "/round/seats/0/result/outcome"
