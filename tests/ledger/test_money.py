"""Money adds up within a currency, is never a fraction, and nothing of it is lost in a division.

Source: ledger.md 1.8.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.money import (
    MICROS,
    CurrencyMismatchError,
    Money,
    Rounded,
    RoundingMode,
    accrue,
    exchange,
    round_to,
    share,
)
from rules.settlement import Rounding

AMOUNTS = st.integers(-(10**18), 10**18)
POSITIVE = st.integers(1, 10**15)
WEIGHTS = st.lists(st.integers(0, 10**9), min_size=1, max_size=20).filter(any)
UNITS = st.integers(1, 10**6)
MODES = st.sampled_from(RoundingMode)


def test_amounts_of_one_currency_add_up():
    assert Money(500, "USD") + Money(-200, "USD") == Money(300, "USD")
    assert Money(500, "USD") - Money(700, "USD") == Money(-200, "USD")
    assert -Money(5, "JPY") == Money(-5, "JPY")


def test_currencies_do_not_mix():
    with pytest.raises(CurrencyMismatchError, match="USD and HKD"):
        Money(1, "USD") + Money(1, "HKD")
    assert Money(1, "USD") != Money(1, "HKD")


@pytest.mark.parametrize("amount", [1.0, "1", True, None])
def test_amount_is_a_whole_number(amount):
    with pytest.raises(TypeError):
        Money(amount, "USD")


def test_amount_has_a_limit():
    assert Money(10**18, "USD").minor == 10**18
    with pytest.raises(OverflowError):
        Money(10**18 + 1, "USD")


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [
        (100, (1, 1), (50, 50)),
        (100, (1, 1, 1), (34, 33, 33)),
        (101, (1, 1, 1), (34, 34, 33)),
        (10, (5, 3, 1), (6, 3, 1)),
        (-100, (1, 1, 1), (-34, -33, -33)),
        (7, (0, 1), (0, 7)),
        (0, (3, 4), (0, 0)),
        (1, (1, 2), (0, 1)),
    ],
)
def test_left_over_units_go_to_the_largest_remainders_and_of_equal_ones_to_the_first(
    total, weights, shares
):
    assert share(total, weights) == shares


@given(total=AMOUNTS, weights=WEIGHTS)
def test_shares_add_up_and_each_is_within_one_unit_of_its_due(total, weights):
    shares = share(total, weights)
    assert sum(shares) == total
    dues = [Fraction(total * weight, sum(weights)) for weight in weights]
    assert all(abs(part - due) < 1 for part, due in zip(shares, dues, strict=True))
    assert share(-total, weights) == tuple(-part for part in shares)


@pytest.mark.parametrize("weights", [(), (0, 0), (2, -1)])
def test_total_is_parted_by_weights(weights):
    with pytest.raises(ValueError, match="no weights"):
        share(100, weights)


@pytest.mark.parametrize(
    ("amount", "unit", "mode", "rounded"),
    [
        (749, 100, RoundingMode.HALF_UP, Rounded(700, 49)),
        (750, 100, RoundingMode.HALF_UP, Rounded(800, -50)),
        (750, 100, RoundingMode.DOWN, Rounded(700, 50)),
        (701, 100, RoundingMode.UP, Rounded(800, -99)),
        (700, 100, RoundingMode.UP, Rounded(700, 0)),
        (-750, 100, RoundingMode.HALF_UP, Rounded(-800, 50)),
        (-750, 100, RoundingMode.DOWN, Rounded(-700, -50)),
        (40, 25, RoundingMode.HALF_UP, Rounded(50, -10)),
        (0, 25, RoundingMode.UP, Rounded(0, 0)),
    ],
)
def test_amount_goes_to_a_multiple_of_the_unit_and_leaves_its_rest(amount, unit, mode, rounded):
    assert round_to(amount, unit, mode) == rounded


@given(amount=AMOUNTS, unit=UNITS, mode=MODES)
def test_rounding_loses_nothing(amount, unit, mode):
    rounded = round_to(amount, unit, mode)
    assert rounded.amount + rounded.rest == amount
    assert rounded.amount % unit == 0
    assert abs(rounded.rest) < unit
    if mode is RoundingMode.HALF_UP:
        assert 2 * abs(rounded.rest) <= unit
    mirrored = round_to(-amount, unit, mode)
    assert (mirrored.amount, mirrored.rest) == (-rounded.amount, -rounded.rest)


@given(amount=st.integers(0, 10**18), unit=UNITS, mode=MODES)
def test_rounding_is_that_of_the_rules(amount, unit, mode):
    assert round_to(amount, unit, mode).amount == Rounding(mode).quotient(amount, unit) * unit


def test_modes_are_those_of_the_rules():
    assert {mode.value for mode in RoundingMode} == {mode.value for mode in Rounding}


@pytest.mark.parametrize("unit", [0, -25])
def test_unit_of_rounding_is_above_zero(unit):
    with pytest.raises(ValueError, match="no unit"):
        round_to(100, unit, RoundingMode.DOWN)


def test_meter_posts_a_unit_when_it_has_one():
    first = accrue(0, amount=60, rate_micros=12_500)
    assert (first.whole, first.rest_micros) == (0, 750_000)
    second = accrue(first.rest_micros, amount=60, rate_micros=12_500)
    assert (second.whole, second.rest_micros) == (1, 500_000)


def test_wager_taken_back_leaves_the_meter_as_it_was():
    grown = accrue(750_000, amount=60, rate_micros=12_500)
    back = accrue(grown.rest_micros, amount=-60, rate_micros=12_500)
    assert (grown.whole + back.whole, back.rest_micros) == (0, 750_000)


@given(
    wagers=st.lists(st.tuples(st.integers(-(10**12), 10**12), st.integers(0, MICROS)), max_size=30)
)
def test_accrued_is_posted_and_rest_always(wagers):
    posted, rest = 0, 0
    for count, (amount, rate) in enumerate(wagers, start=1):
        grown = accrue(rest, amount=amount, rate_micros=rate)
        posted, rest = posted + grown.whole, grown.rest_micros
        assert 0 <= rest < MICROS
        assert posted * MICROS + rest == sum(amount * rate for amount, rate in wagers[:count])


@pytest.mark.parametrize(
    ("rest", "rate"), [(-1, 12_500), (MICROS, 12_500), (0, -1), (0, MICROS + 1)]
)
def test_meter_takes_no_other_rest_or_rate(rest, rate):
    with pytest.raises(ValueError, match="millionths"):
        accrue(rest, amount=100, rate_micros=rate)


@pytest.mark.parametrize(
    ("sold", "rate", "bought"),
    [
        (10_000, (100, 103), 10_300),  # HKD 100.00 at the peg: MOP 103.00
        (10_300, (103, 100), 10_000),
        (10_000, (103, 100), 9_708),  # MOP 100.00 are HKD 97.0873…
        (1, (103, 100), 0),
        (10_000, (100, 150), 15_000),  # USD 100.00 at 150 yen, which have no cents: JPY 15,000
        (1_000, (151, 100), 662),  # JPY 1,000 are USD 6.6225…
        (10_000, (1_000, 3_075), 30_750),  # USD 100.00 at 0.3075 dinar of 1,000 fils: KWD 30.750
        (1_000, (488, 1_000), 2_049),  # JPY 1,000 at 488 yen for a dinar: KWD 2.049…
    ],
)
def test_exchange_is_exact_and_leaves_the_broken_unit_with_the_house(sold, rate, bought):
    assert exchange(sold, *rate) == bought


@given(sold=POSITIVE, rate_sold=UNITS, rate_bought=UNITS)
def test_house_never_pays_more_than_the_rate_and_less_than_a_unit_below_it(
    sold, rate_sold, rate_bought
):
    bought = exchange(sold, rate_sold, rate_bought)
    assert bought * rate_sold <= sold * rate_bought < (bought + 1) * rate_sold
    assert exchange(sold + 1, rate_sold, rate_bought) >= bought


@given(sold=POSITIVE, rate_sold=UNITS, rate_bought=UNITS)
def test_there_and_back_again_gains_nothing(sold, rate_sold, rate_bought):
    bought = exchange(sold, rate_sold, rate_bought)
    assert not bought or exchange(bought, rate_bought, rate_sold) <= sold


@given(lots=POSITIVE, rate_sold=UNITS, rate_bought=UNITS)
def test_whole_lots_of_the_rate_exchange_without_a_rest(lots, rate_sold, rate_bought):
    assert exchange(lots * rate_sold, rate_sold, rate_bought) == lots * rate_bought


@pytest.mark.parametrize(("sold", "rate"), [(0, (100, 103)), (-5, (100, 103)), (5, (0, 103))])
def test_exchange_is_of_something_at_some_rate(sold, rate):
    with pytest.raises(ValueError, match="no exchange"):
        exchange(sold, *rate)
