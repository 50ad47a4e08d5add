"""Money adds up within a currency and is never a fraction."""

from __future__ import annotations

import pytest

from ledger.money import CurrencyMismatchError, Money


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
