"""Commission to the cent, and settlements that cannot disagree with their transfers."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.settlement import (
    NO_COMMISSION,
    BankResult,
    CommissionRule,
    Outcome,
    Rounding,
    SeatResult,
    Settlement,
    Step,
    Transfer,
    commission_on,
    moved_to_each_party,
)
from tests.rules.specification import rows

FIVE_PERCENT = Fraction(5, 100)
COLUMNS = (
    (1, Rounding.HALF_UP),
    (5, Rounding.HALF_UP),
    (25, Rounding.HALF_UP),
    (25, Rounding.UP),
    (50, Rounding.HALF_UP),
    (100, Rounding.HALF_UP),
    (100, Rounding.UP),
    (100, Rounding.DOWN),
)
ROUNDING_ROWS = rows("rules/pai-gow.md", section="7.4", first_cell=r"\d+")


def minor(cell: str) -> int:
    return int(Decimal(cell) * 100)


def test_the_rounding_table_is_whole():
    assert [row[0] for row in ROUNDING_ROWS] == ["10", "15", "25", "33", "130"]
    assert all(len(row) == 2 + len(COLUMNS) for row in ROUNDING_ROWS)


@pytest.mark.parametrize("row", ROUNDING_ROWS, ids=lambda row: row[0])
def test_commission_is_rounded_as_the_table_says(row):
    win, _exact, *rounded = map(minor, row)
    rules = (
        CommissionRule(rate=FIVE_PERCENT, unit=unit, rounding=rounding)
        for unit, rounding in COLUMNS
    )
    assert [commission_on(win, rule=rule) for rule in rules] == rounded


def test_no_commission_takes_nothing():
    assert commission_on(10**9, rule=NO_COMMISSION) == 0


@given(
    win=st.integers(0, 10**15),
    millionths=st.integers(0, 10**6),
    unit=st.sampled_from((1, 5, 25, 50, 100)),
    rounding=st.sampled_from(Rounding),
)
def test_commission_is_the_multiple_of_the_unit_on_its_side(win, millionths, unit, rounding):
    rate = Fraction(millionths, 10**6)
    taken = commission_on(win, rule=CommissionRule(rate=rate, unit=unit, rounding=rounding))
    excess = taken - win * rate
    assert taken % unit == 0
    match rounding:
        case Rounding.HALF_UP:
            assert -Fraction(unit, 2) < excess <= Fraction(unit, 2)
        case Rounding.UP:
            assert 0 <= excess < unit
        case Rounding.DOWN:
            assert -unit < excess <= 0


def a_win() -> Settlement:
    return Settlement(
        seats=(SeatResult(seat=2, outcome=Outcome.WIN, covered=100, commission=5, net=95),),
        bank=BankResult(holder="house", set=None, net=-100),
        transfers=(
            Transfer(payer="bank", payee="seat:2", amount=100, reason="main"),
            Transfer(payer="seat:2", payee="house", amount=5, reason="commission"),
        ),
        steps=(),
    )


def test_transfers_add_up_to_zero():
    moved = moved_to_each_party(a_win().transfers)
    assert moved == {"bank": -100, "seat:2": 95, "house": 5}
    assert sum(moved.values()) == 0


@pytest.mark.parametrize("net", [94, 0])
def test_a_settlement_whose_transfers_disagree_cannot_be_made(net):
    settled = a_win()
    with pytest.raises(AssertionError, match="disagree"):
        replace(settled, seats=(replace(settled.seats[0], net=net),))


def test_a_settlement_cannot_move_money_to_a_seat_without_a_result():
    with pytest.raises(AssertionError, match="disagree"):
        replace(a_win(), seats=())


@pytest.mark.parametrize(
    ("payer", "payee", "amount"), [("bank", "seat:1", 0), ("bank", "seat:1", -1), ("a", "a", 5)]
)
def test_a_transfer_moves_something_to_another(payer, payee, amount):
    with pytest.raises(AssertionError):
        Transfer(payer=payer, payee=payee, amount=amount, reason="main")


def test_a_played_game_settles_without_a_bank():
    settled = Settlement(
        seats=(
            SeatResult(seat=0, outcome=Outcome.LOSE, net=-300),
            SeatResult(seat=1, outcome=Outcome.WIN, net=300),
        ),
        bank=None,
        transfers=(Transfer(payer="seat:0", payee="seat:1", amount=300, reason="stake"),),
        steps=(),
    )
    assert settled.as_dict()["bank"] is None


def test_a_step_fills_its_sentence_with_values_and_other_steps():
    step = Step(
        "Seat {seat}: {why}", {"seat": 3, "why": Step("pay {paid_minor}", {"paid_minor": 95})}
    )
    assert str(step) == "Seat 3: pay 95"
    assert step.template == "Seat {seat}: {why}"
