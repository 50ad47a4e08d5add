"""Rounds against the house: outcomes, copies, fouls, money, and what a round may not be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import errors
from rules.cards import DECK
from rules.pai_gow_poker import GAME
from rules.pai_gow_poker.setting import list_settings
from rules.settlement import moved_to_each_party

BANK = "Kh Kc 8d 7s 5d 4h 3c"  # 8-7 in front of kings
ACES = "As Ah Kd Qc 9h 5s 2c"


def seat(hand=ACES, low=None, *, number=1, wager=10_000, **more):
    tokens = hand.split()
    chosen = (
        "house_way"
        if low is None
        else {
            "low": low.split(),
            "high": [token for token in tokens if token not in low.split()],
        }
    )
    return {"seat": number, "hand": tokens, "set": chosen, "wager": wager} | more


def settle(*seats, bank=BANK, bank_low=None, options=None, **round_members):
    held = {"hand": bank.split()}
    if bank_low is not None:
        held["set"] = seat(bank, bank_low)["set"]
    return GAME.settle(
        options=GAME.options.resolve(options or {}),
        round={"bank": held, "seats": list(seats)} | round_members,
    )


def moves(settlement):
    return [(t.payer, t.payee, t.amount, t.reason) for t in settlement.transfers]


def refusal(*seats, code, **round_members):
    with pytest.raises(errors.RulesError) as refused:
        settle(*seats, **round_members)
    assert refused.value.code == code
    return refused.value.pointer


# The four outcomes.


def test_winning_both_hands_wins_less_commission():
    settled = settle(seat())
    result = settled.seats[0]

    assert result.as_dict() == {
        "seat": 1,
        "set": {"low": ["Kd", "Qc"], "high": ["Ah", "As", "9h", "5s", "2c"], "by": "house_way"},
        "foul": False,
        "low": {
            "winner": "player",
            "copy": False,
            "player": "king-queen",
            "bank": "eight-seven",
        },
        "high": {
            "winner": "player",
            "copy": False,
            "player": "pair of aces, nine-five-two",
            "bank": "pair of kings, five-four-three",
        },
        "outcome": "win",
        "covered": 10_000,
        "returned": 0,
        "commission": 500,
        "net": 9_500,
        "side_bets": {},
    }
    assert moves(settled) == [
        ("bank", "seat:1", 10_000, "main"),
        ("seat:1", "house", 500, "commission"),
    ]
    assert settled.bank.as_dict() == {
        "holder": "house",
        "set": {"low": ["8d", "7s"], "high": ["Kc", "Kh", "5d", "4h", "3c"], "by": "house_way"},
        "net": -10_000,
        "share": 0,
        "commission": 0,
    }


@pytest.mark.parametrize(
    ("hand", "low", "won"),
    [
        ("Qs Qh 9c 6d 5s 4d 2c", "9c 6d", ("player", "bank")),
        ("As Ah 7d 6c 5s 4s 2c", "7d 6c", ("bank", "player")),
    ],
)
def test_winning_one_hand_pushes(hand, low, won):
    settled = settle(seat(hand, low))
    result = settled.seats[0]

    assert (result.low.winner, result.high.winner) == won
    assert (result.outcome, result.covered, result.returned, result.net) == ("push", 0, 10_000, 0)
    assert moves(settled) == []


def test_winning_neither_hand_loses():
    settled = settle(seat("2s 2h 7d 6c Ts Js Qc", "7d 6c"))

    assert (settled.seats[0].outcome, settled.seats[0].net) == ("lose", -10_000)
    assert moves(settled) == [("seat:1", "bank", 10_000, "main")]
    assert settled.bank.net == 10_000


def test_copies_go_to_the_bank():
    settled = settle(seat("Ks Kd 8c 7d 5s 4d 3d", "8c 7d"))
    result = settled.seats[0]

    assert [(hand.copy, hand.winner) for hand in (result.low, result.high)] == [
        (True, "bank"),
        (True, "bank"),
    ]
    assert result.outcome == "lose"


def test_copy_of_one_hand_loses_only_that_hand():
    result = settle(seat("As Ah 8c 7d 5s 4d 2c", "8c 7d")).seats[0]

    assert (result.low.copy, result.high.copy) == (True, False)
    assert (result.low.winner, result.high.winner, result.outcome) == ("bank", "player", "push")


# The sets.


def test_bank_that_lay_otherwise_is_corrected_and_the_answer_shows_it():
    settled = settle(seat(), bank_low="Kh Kc", bank="Kh Kc 8d 8s 5d 4h 3c")

    assert settled.bank.set.as_dict() == {
        "low": ["8d", "8s"],
        "high": ["Kc", "Kh", "5d", "4h", "3c"],
        "by": "house_way",
    }
    said = [str(step) for step in settled.steps]
    assert "The bank lay as Kc Kh low, 8d 8s 5d 4h 3c high; that is corrected." in said


def test_bank_that_lies_right_stays_with_the_cards_it_has():
    settled = settle(seat(), bank_low="Tc Ts", bank="Tc Th Ts 4d 4h 4s Kc")

    assert settled.bank.set.low == ("Tc", "Ts")
    said = [str(step) for step in settled.steps]
    assert "The bank lies as the house way asks: Tc Ts low, Kc Th 4d 4h 4s high." in said


def test_set_of_the_player_stands_though_the_house_way_is_another():
    result = settle(seat(low="9h 5s")).seats[0]

    assert (result.set.low, result.set.by) == (("9h", "5s"), "player")
    assert result.outcome == "win"


FOULED = seat("As Kd Qc 9h 7h 6s 2c", "As Qc")


def test_fouled_hand_loses_both_hands_whatever_the_dealer_holds():
    settled = settle(FOULED, bank="Jh Jd 9c 8h 6h 4d 3c")
    result = settled.seats[0]

    assert (result.foul, result.outcome, result.net) == (True, "lose", -10_000)
    assert (result.low.winner, result.high.winner) == ("bank", "bank")
    assert result.set.as_dict() == {
        "low": ["As", "Qc"],
        "high": ["Kd", "9h", "7h", "6s", "2c"],
        "by": "player",
    }
    assert [str(step) for step in settled.steps][-5:-3] == [
        "Seat 1 lay as As Qc low, Kd 9h 7h 6s 2c high, which is foul: ace-queen in front is higher "
        "than high card, king-nine-seven-six-two behind.",
        "Seat 1 loses both hands by the foul.",
    ]


def test_fouled_hand_is_never_a_copy():
    result = settle(seat("As Qd Jc 9h 7h 6s 2c", "As Qd"), bank="Ah Ac Qs Jh 6d 4d 3c").seats[0]

    assert (result.low.copy, result.high.copy, result.outcome) == (False, False, "lose")


def test_fouled_hand_may_be_reset_the_house_way():
    settled = settle(
        FOULED, bank="Jh Jd 9c 8h 6h 4d 3c", options={"foul_policy": "house_way_reset"}
    )
    result = settled.seats[0]

    assert (result.foul, result.set.low, result.set.by) == (True, ("Kd", "Qc"), "house_way")
    assert (result.low.winner, result.high.winner, result.outcome) == ("player", "bank", "push")


# Money.


@pytest.mark.parametrize(
    ("options", "wager", "commission"),
    [
        ({}, 200, 10),
        ({}, 10_000, 500),
        ({"commission_rounding": "down"}, 210, 10),
        ({}, 210, 11),
        ({"commission_unit": "0.25", "commission_rounding": "up"}, 1_100, 75),
        ({"commission_unit": 25, "commission_rounding": "up"}, 600, 50),
        ({"commission_unit": 25, "commission_rounding": "down"}, 1_100, 50),
        ({"commission_unit": 25}, 1_100, 50),
        ({"commission_unit": 25}, 1_250, 75),
        ({"commission_rate": "0.03"}, 1_000, 30),
        ({"commission_rate": "0"}, 1_000, 0),
    ],
)
def test_commission_is_taken_on_the_win_in_the_unit_and_mode_of_the_table(
    options, wager, commission
):
    result = settle(seat(wager=wager), options=options).seats[0]

    assert (result.commission, result.net) == (commission, wager - commission)


def test_accepted_wager_outside_the_limits_is_settled_in_full():
    assert settle(seat(wager=1_000_050)).seats[0].net == 950_047
    assert settle(seat(wager=1)).seats[0].net == 1


def test_nine_high_front_of_the_bank_pushes_every_wager_and_no_commission_is_taken():
    nine_high = "Qd 9c 8h 6s 4d 3h 2h"
    tiger = {"variant": "tiger9_push"}
    seats = (
        seat(),
        seat("2s 2d 7d 6c Ts Js Qh", number=2),
        seat("Kh Ks 9s 7h 5d 4h 3c", "Kh Ks", number=3),
    )
    settled = settle(*seats, bank=nine_high, options=tiger)

    assert [result.outcome for result in settled.seats] == ["push"] * 3
    assert [result.foul for result in settled.seats] == [False, False, True]
    assert moves(settled) == []
    assert settled.seats[0].low.winner == "player"
    said = [str(step) for step in settled.steps]
    assert "The bank's low hand is nine high: every main wager pushes." in said


@pytest.mark.parametrize(
    ("bank", "outcome", "net"),
    [
        ("Qd Tc 8h 6s 4d 3h 2h", "win", 10_000),
        ("Td 8c 7h 6s 4d 3h 2h", "win", 10_000),
        ("Kc Kh 9c 9d 4d 3h 2h", "push", 0),
    ],
)
def test_other_fronts_of_the_bank_are_settled_without_commission(bank, outcome, net):
    result = settle(seat(), bank=bank, options={"variant": "tiger9_push"}).seats[0]

    assert (result.outcome, result.commission, result.net) == (outcome, 0, net)


# Results without hands.


def test_recorded_results_are_settled_without_cards():
    outcomes = ["win", "lose", "push", "void"]
    settled = settle_results(*({"outcome": outcome} for outcome in outcomes))

    assert [result.net for result in settled.seats] == [9_500, -10_000, 0, 0]
    assert [result.returned for result in settled.seats] == [0, 0, 10_000, 10_000]
    assert all(r.low is None and r.high is None and r.set is None for r in settled.seats)
    assert settled.bank.set is None
    assert settled.bank.net == 0


def settle_results(*results, options=None):
    seats = [
        {"seat": number, "wager": 10_000, "result": result}
        for number, result in enumerate(results, 1)
    ]
    return GAME.settle(
        options=GAME.options.resolve(options or {}), round={"bank": {}, "seats": seats}
    )


def test_recorded_win_against_a_bank_that_pushes_every_wager_is_refused():
    recorded = {"seat": 4, "wager": 500, "result": {"outcome": "win"}}
    tiger = {"variant": "tiger9_push"}
    nine_high = "Qd 9c 8h 6s 4d 3h 2h"

    pointer = refusal(seat(), recorded, bank=nine_high, options=tiger, code="impossible_result")

    assert pointer == "/round/seats/1/result/outcome"
    recorded["result"] = {"outcome": "push"}
    pushed = settle(seat(), recorded, bank=nine_high, options=tiger)
    assert [result.outcome for result in pushed.seats] == ["push", "push"]


def test_hands_and_results_may_stand_side_by_side():
    settled = settle(seat(), {"seat": 4, "wager": 5_000, "result": {"outcome": "lose"}})

    assert [result.net for result in settled.seats] == [9_500, -5_000]
    assert settled.bank.net == -5_000


# What cannot have happened.


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"hand": [*ACES.split(), "3h"]}, "hand_size", "/hand"),
        ({"hand": ACES.split()[:6]}, "hand_size", "/hand"),
        ({"hand": ["As", "Ah", "Xd", "Qc", "9h", "5s", "2c"]}, "unknown_token", "/hand/2"),
        ({"hand": ["As", "Ah", "Kd", "Qc", "9h", "as", "2c"]}, "unknown_token", "/hand/5"),
        ({"hand": ["As", "Ah", "Kd", "As", "9h", "5s", "2c"]}, "token_repeated", "/hand/3"),
        ({"hand": ["As", "Ah", "Kh", "Qc", "9h", "5s", "2c"]}, "token_repeated", "/hand/2"),
        ({"hand": None}, "missing_member", "/hand"),
        ({"set": None}, "missing_member", "/set"),
        (
            {"set": {"low": ["Kd", "Qc", "9h"], "high": ["As", "Ah", "5s", "2c"]}},
            "hand_size",
            "/set/low",
        ),
        (
            {"set": {"low": ["Kd", "Qc"], "high": ["As", "Ah", "9h", "5s"]}},
            "hand_size",
            "/set/high",
        ),
        (
            {"set": {"low": ["Kd", "3d"], "high": ["As", "Ah", "9h", "5s", "2c"]}},
            "foreign_set",
            "/set/low/1",
        ),
        (
            {"set": {"low": ["Kd", "Qc"], "high": ["As", "Ah", "9h", "5s", "5s"]}},
            "foreign_set",
            "/set/high/4",
        ),
        (
            {"set": {"low": ["Kd", "QC"], "high": ["As", "Ah", "9h", "5s", "2c"]}},
            "unknown_token",
            "/set/low/1",
        ),
        ({"wager": 0}, "wager_not_positive", "/wager"),
        ({"wager": -500}, "wager_not_positive", "/wager"),
        ({"wager": 10.5}, "wager_not_integer", "/wager"),
        ({"wager": "100"}, "wager_not_integer", "/wager"),
        ({"seat": 8}, "seat_number", "/seat"),
        ({"seat": 0}, "seat_number", "/seat"),
        ({"seat": 5}, "seat_twice", "/seat"),
        ({"result": {"outcome": "win"}}, "malformed", "/result"),
        ({"side_bets": {"fortune_2": 500}}, "not_built", "/side_bets/fortune_2"),
        ({"side_bets": {"tiger_9": 500}}, "not_built", "/side_bets/tiger_9"),
        (
            {"side_bets": {"bonanza_commerce": 500}},
            "unknown_side_bet",
            "/side_bets/bonanza_commerce",
        ),
        ({"hnad": []}, "unknown_member", "/hnad"),
    ],
)
def test_seat_that_cannot_be_is_refused_where_it_is_wrong(change, code, pointer):
    first = seat("2s 2h 7d 6c Ts Js Qd", number=5)

    assert refusal(first, seat() | change, code=code) == f"/round/seats/1{pointer}"
    assert settle(first, seat()).seats[1].net == 9_500


def test_card_that_two_seats_hold_is_refused_at_the_later_one():
    seats = (seat("2s 2h 7d 6c Ts Js Qc", number=2), seat("As Ah Qc Kd 9h 5s 2c"))

    assert refusal(*seats, code="token_repeated") == "/round/seats/1/hand/2"


def test_joker_exists_once():
    other_joker = seat("Ah Jk 7d 6c Ts Js Qc")
    pointer = refusal(other_joker, bank="Jk Kc 8d 7s 5d 4h 3c", code="token_repeated")

    assert pointer == "/round/seats/0/hand/1"


@pytest.mark.parametrize(
    ("bank", "code", "pointer"),
    [
        ({"holder": "seat:1", "hand": BANK.split()}, "not_built", "/holder"),
        ({"hand": BANK.split(), "cobank": True}, "not_built", "/cobank"),
        ({"hand": BANK.split(), "fund": 10_000}, "not_built", "/fund"),
        ({"hand": BANK.split()[1:]}, "hand_size", "/hand"),
        ({}, "missing_member", "/hand"),
        (
            {"hand": BANK.split(), "set": {"low": ["As", "Kc"], "high": BANK.split()[2:]}},
            "foreign_set",
            "/set/low/0",
        ),
    ],
)
def test_bank_that_cannot_be_is_refused_where_it_is_wrong(bank, code, pointer):
    with pytest.raises(errors.RulesError) as refused:
        GAME.settle(options=GAME.options.resolve({}), round={"bank": bank, "seats": [seat()]})

    assert (refused.value.code, refused.value.pointer) == (code, f"/round/bank{pointer}")


# Properties.


@st.composite
def rounds(draw):
    """A round of one to six seats with random cards, sets (fouled ones too) and wagers."""
    count = draw(st.integers(1, 6))
    deck = draw(st.permutations(DECK))
    seats = []
    for number in range(1, count + 1):
        hand = deck[7 * number : 7 * number + 7]
        setting = draw(st.none() | st.sampled_from(list_settings(hand)))
        seats.append(
            {
                "seat": number,
                "hand": [str(card) for card in hand],
                "set": "house_way"
                if setting is None
                else {"low": [*map(str, setting.low)], "high": [*map(str, setting.high)]},
                "wager": draw(st.integers(1, 100_000)),
            }
        )
    return {"bank": {"hand": [str(card) for card in deck[:7]]}, "seats": seats}


house_rules = st.fixed_dictionaries(
    {
        "foul_policy": st.sampled_from(["lose", "house_way_reset"]),
        "variant": st.sampled_from(["commission", "tiger9_push"]),
        "commission_unit": st.sampled_from([1, 25]),
        "commission_rounding": st.sampled_from(["half_up", "up", "down"]),
    }
).map(GAME.options.resolve)


@given(given_round=rounds(), options=house_rules)
def test_settling_makes_and_loses_no_money(given_round, options):
    settled = GAME.settle(options=options, round=given_round)
    moved = moved_to_each_party(settled.transfers)

    assert sum(moved.values()) == 0
    for result in settled.seats:
        assert moved[f"seat:{result.seat}"] == result.net
        assert result.covered + result.returned == given_round["seats"][result.seat - 1]["wager"]
    assert moved["bank"] == settled.bank.net
    assert moved["house"] == sum(result.commission for result in settled.seats)


@given(given_round=rounds(), options=house_rules, data=st.data())
def test_order_of_cards_and_seats_does_not_change_a_result(given_round, options, data):
    shuffled = {
        "bank": {"hand": data.draw(st.permutations(given_round["bank"]["hand"]))},
        "seats": [
            one | {"hand": data.draw(st.permutations(one["hand"]))}
            for one in data.draw(st.permutations(given_round["seats"]))
        ],
    }
    before = GAME.settle(options=options, round=given_round)
    after = GAME.settle(options=options, round=shuffled)

    assert after.bank == before.bank
    assert sorted(after.seats, key=lambda result: result.seat) == list(before.seats)


@given(deck=st.permutations(DECK))
def test_swapping_player_and_bank_swaps_win_and_loss_and_copies_stay_with_the_bank(deck):
    hands = [[str(card) for card in deck[:7]], [str(card) for card in deck[7:14]]]
    one, other = (
        GAME.settle(
            options=GAME.options.resolve({}),
            round={
                "bank": {"hand": bank},
                "seats": [{"seat": 1, "hand": player, "set": "house_way", "wager": 100}],
            },
        ).seats[0]
        for player, bank in (hands, hands[::-1])
    )

    for first, second in ((one.low, other.low), (one.high, other.high)):
        assert first.copy is second.copy
        assert (first.winner == second.winner == "bank") is first.copy
    if not (one.low.copy or one.high.copy):
        swapped = {"win": "lose", "lose": "win", "push": "push"}
        assert other.outcome == swapped[one.outcome]
