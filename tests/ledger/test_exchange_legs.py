"""An exchange balances in each of its currencies, and the pair's account holds what was traded.

Source: ledger.md 1.8.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.chart import MissingPlaceError, Number, currency_of, read_number
from ledger.errors import InvalidEntryError
from ledger.money import MAX_MINOR, Money
from ledger.services.exchange import exchange_legs
from ledger.services.templates import Places

WINDOW = Places(window="2")
PEG = (100, 103)
"""Hong Kong dollars to patacas."""


def exchanged(**changes):
    asked = {
        "sold": Money(10_000, "HKD"),
        "currency": "MOP",
        "rate": PEG,
        "own_currency": "MOP",
        "places": WINDOW,
    }
    return exchange_legs(**(asked | changes))


def accounts(exchange):
    return [(leg.account, leg.amount) for leg in exchange.legs]


def test_dollars_are_exchanged_for_patacas_at_the_peg():
    done = exchanged()
    assert accounts(done) == [
        ("1010/window:2/currency:HKD", 10_000),
        ("3100/pair:HKD-MOP/currency:HKD", -10_000),
        ("3100/pair:HKD-MOP", 10_300),
        ("1010/window:2", -10_300),
    ]
    assert (done.sold, done.bought, done.rate) == (Money(10_000, "HKD"), Money(10_300, "MOP"), PEG)
    assert {leg.event for leg in done.legs} == {"currency_exchanged"}


def test_patacas_back_for_dollars_go_through_the_same_pair():
    done = exchanged(sold=Money(10_300, "MOP"), currency="HKD", rate=(103, 100))
    assert accounts(done) == [
        ("1010/window:2", 10_300),
        ("3100/pair:HKD-MOP", -10_300),
        ("3100/pair:HKD-MOP/currency:HKD", 10_000),
        ("1010/window:2/currency:HKD", -10_000),
    ]


def test_chips_may_be_given_for_the_currency_of_another_place():
    done = exchanged(given=Number.CAGE_CHIP_BANK, pieces_given=((10_000, 1), (100, 3)))
    assert accounts(done)[3] == ("1110", -10_300)
    assert [leg.pieces for leg in done.legs] == [(), (), (), ((10_000, 1), (100, 3))]


def test_chips_of_another_currency_may_be_taken():
    done = exchanged(taken=Number.CAGE_CHIP_BANK, pieces_taken=((10_000, 1),))
    assert accounts(done)[0] == ("1110/currency:HKD", 10_000)
    assert done.legs[0].pieces == ((10_000, 1),)


def test_two_foreign_currencies_are_both_written():
    done = exchanged(own_currency="USD")
    assert [leg.account for leg in done.legs] == [
        "1010/window:2/currency:HKD",
        "3100/pair:HKD-MOP/currency:HKD",
        "3100/pair:HKD-MOP/currency:MOP",
        "1010/window:2/currency:MOP",
    ]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"currency": "HKD"}, "currency"),
        ({"sold": Money(0, "HKD")}, "amount"),
        ({"sold": Money(-5, "HKD")}, "amount"),
        ({"rate": (0, 103)}, "rate"),
        ({"rate": (100, -103)}, "rate"),
        ({"sold": Money(MAX_MINOR, "HKD")}, "amount"),
        ({"sold": Money(1, "MOP"), "currency": "HKD", "rate": (103, 100)}, "amount"),
        ({"given": Number.TRAY}, "given"),
        ({"taken": Number.DROP_BOX_CURRENCY}, "taken"),
    ],
)
def test_exchange_that_cannot_be_is_refused(changes, field):
    with pytest.raises(InvalidEntryError) as refused:
        exchanged(**changes)
    assert refused.value.field == field


def test_currency_lies_at_a_window():
    with pytest.raises(MissingPlaceError):
        exchanged(places=Places(window=None))


@given(
    sold=st.integers(1, 10**12),
    rate=st.tuples(st.integers(1, 10**4), st.integers(1, 10**4)),
    currencies=st.permutations(["USD", "JPY", "KWD", "MOP"]),
)
def test_every_exchange_balances_in_each_currency(sold, rate, currencies):
    first, second, *_others = currencies
    sold *= rate[0]  # enough to buy something
    done = exchange_legs(
        sold=Money(sold, first), currency=second, rate=rate, own_currency="MOP", places=WINDOW
    )
    by_currency, by_number = Counter(), Counter()
    for leg in done.legs:
        currency = currency_of(leg.account, "MOP")
        by_currency[currency] += leg.amount
        by_number[read_number(leg.account), currency] += leg.amount
    assert by_currency == {first: 0, second: 0}
    assert by_number[Number.CURRENCY_TRADING, first] == -sold
    assert by_number[Number.CURRENCY_TRADING, second] == done.bought.minor
