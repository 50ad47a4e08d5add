"""One property may keep its books in several currencies; each adds up by itself.

Source: ledger.md 1.8; table-operations.md 1 and 18.
"""

from __future__ import annotations

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import (
    InsufficientFundsError,
    InvalidEntryError,
    KeyReusedError,
    UnbalancedError,
    UnknownAccountError,
    UnknownCurrencyError,
)
from ledger.models import Account, Entry, Period, Posting
from ledger.money import Money
from ledger.selectors import balances
from ledger.services.exchange import exchange_legs
from ledger.services.posting import require_valid
from ledger.services.reversal import reverse_entry
from ledger.services.templates import Places
from tests.ledger.conftest import AT, DAY, PIT_BOSS, books, close, draft, legs

pytestmark = pytest.mark.django_db

CURRENCIES = {"USD": "", "HKD": "/currency:HKD", "MOP": "/currency:MOP", "JPY": "/currency:JPY"}
CURRENCIES |= {"KWD": "/currency:KWD"}
"""What the codes of each end in; the property's own has no ending."""


def stock(post, amount=1_000_000):
    """Put cash of every currency into the window."""
    for currency, ending in CURRENCIES.items():
        post(
            key=f"stock:{currency}",
            legs=legs((f"1010/window:main{ending}", amount), (f"3000{ending}", -amount)),
        )


def exchanged(sold=Money(10_000, "HKD"), currency="MOP", rate=(100, 103)):  # noqa: B008  frozen
    return exchange_legs(
        sold=sold,
        currency=currency,
        rate=rate,
        own_currency="USD",
        places=Places(window="main"),
    )


def exchange(post, **other):
    done = exchanged()
    usual = {"key": "exchange:1", "kind": "currency_exchange", "legs": done.legs, "rate": done.rate}
    return post(**(usual | other))


def test_accounts_of_several_currencies_stand_side_by_side(post, casino):
    stock(post, 700)
    assert dict(Account.objects.filter(number="1010").values_list("currency_id", "code")) == {
        currency: f"1010/window:main{ending}" for currency, ending in CURRENCIES.items()
    }
    assert set(Posting.objects.values_list("account__currency_id", "currency")) == {
        (currency, currency) for currency in CURRENCIES
    }
    assert balances(casino.pk, "1010") == {
        f"1010/window:main{ending}": 700 for ending in CURRENCIES.values()
    }


def test_exchange_goes_through_the_account_of_its_pair(post, casino):
    stock(post)
    posted = exchange(post)

    entry = Entry.objects.get(pk=posted.id)
    assert (entry.rate_sold, entry.rate_bought) == (100, 103)
    assert balances(casino.pk, "3100") == {
        "3100/pair:HKD-MOP/currency:HKD": -10_000,
        "3100/pair:HKD-MOP/currency:MOP": 10_300,
    }
    assert balances(casino.pk, "1010/window:main/currency:HKD") == {
        "1010/window:main/currency:HKD": 1_010_000
    }
    assert balances(casino.pk, "1010/window:main/currency:MOP") == {
        "1010/window:main/currency:MOP": 989_700
    }


@pytest.mark.parametrize(
    ("sold", "rate", "bought"),
    [
        # Minor units for minor units: yen have none, dinars have three decimals.
        (Money(10_000, "USD"), (100, 150), Money(15_000, "JPY")),
        (Money(15_000, "JPY"), (1_000, 2_050), Money(30_750, "KWD")),
        (Money(1_000, "KWD"), (1_000, 325), Money(325, "USD")),
    ],
)
def test_exchange_keeps_the_decimals_of_each_currency(post, casino, sold, rate, bought):
    stock(post)
    done = exchanged(sold, bought.currency, rate)
    post(key="exchange", legs=done.legs, rate=done.rate)
    assert done.bought == bought
    held = balances(casino.pk, "1010")
    assert held[f"1010/window:main{CURRENCIES[bought.currency]}"] == 1_000_000 - bought.minor
    assert held[f"1010/window:main{CURRENCIES[sold.currency]}"] == 1_000_000 + sold.minor


def test_window_does_not_give_currency_that_it_does_not_hold(post):
    before = books()["ledger_entry"]
    with pytest.raises(InsufficientFundsError) as refused, transaction.atomic():
        exchange(post)
    assert refused.value.account == "1010/window:main/currency:MOP"
    assert books()["ledger_entry"] == before


def test_what_is_balanced_in_total_but_in_no_currency_is_refused(post):
    stock(post)
    before = books()
    sides = legs(("1010/window:main/currency:HKD", 500), ("1010/window:main/currency:MOP", -500))
    for rate in (None, (1, 1)):
        with pytest.raises(UnbalancedError) as refused:
            post(key="crooked", legs=sides, rate=rate)
        assert refused.value.off == 500
    assert books() == before


@pytest.mark.parametrize(
    ("sides", "rate"),
    [
        (exchanged().legs, None),
        (legs(("1120/table:3", 5), ("3000", -5)), (1, 1)),
    ],
)
def test_rate_and_second_currency_come_together(post, sides, rate):
    stock(post)
    before = books()
    with pytest.raises(InvalidEntryError) as refused:
        post(key="crooked", legs=sides, rate=rate)
    assert refused.value.field == "rate"
    assert books() == before


@given(
    sides=st.lists(
        st.tuples(st.sampled_from(list(CURRENCIES.values())), st.integers(-3, 3).filter(bool)),
        min_size=2,
        max_size=6,
    ),
    rate=st.none() | st.just((1, 2)),
)
def test_entry_is_valid_when_each_currency_adds_up_and_a_rate_says_there_are_several(sides, rate):
    entry = draft(legs=legs(*[(f"3000{ending}", amount) for ending, amount in sides]), rate=rate)
    totals = {}
    for ending, amount in sides:
        totals[ending] = totals.get(ending, 0) + amount
    is_right = not any(totals.values()) and (len(totals) > 1) == (rate is not None)
    if is_right:
        require_valid(entry)
    else:
        with pytest.raises(InvalidEntryError):
            require_valid(entry)


@pytest.mark.parametrize("rate", [(0, 1), (1, 0), (-1, 1), (2**63, 1), (1.5, 1), (True, 1)])
def test_rate_is_two_counts_above_zero(post, rate):
    stock(post)
    before = books()
    with pytest.raises(InvalidEntryError) as refused, transaction.atomic():
        exchange(post, rate=rate)
    assert refused.value.field == "rate"
    assert books() == before


def test_rate_is_part_of_what_the_key_stands_for(post):
    stock(post)
    first = exchange(post)
    assert exchange(post).id == first.id
    with pytest.raises(KeyReusedError) as refused, transaction.atomic():
        exchange(post, rate=(100, 104))
    assert refused.value.field == "rate"


def test_exchange_is_reversed_as_a_whole_with_its_rate(post, casino):
    stock(post)
    before = balances(casino.pk, "1010", "3000", "3100")
    posted = exchange(post)

    reversal = reverse_entry(
        property_id=casino.pk,
        entry_id=posted.id,
        key="exchange:1:voided",
        actor="employee:12",
        approver=PIT_BOSS,
        at=AT,
        gaming_day=DAY,
        reason="wrong rate",
    )

    entry = Entry.objects.get(pk=reversal.id)
    assert (entry.reverses_id, entry.rate_sold, entry.rate_bought) == (posted.id, 100, 103)
    after = balances(casino.pk, "1010", "3000", "3100")
    assert {code: held for code, held in after.items() if held} == before
    assert {code for code, held in after.items() if not held} == {
        "3100/pair:HKD-MOP/currency:HKD",
        "3100/pair:HKD-MOP/currency:MOP",
    }


def test_day_closes_with_a_balance_of_zero_in_every_currency(post, casino):
    stock(post)
    exchange(post)
    close(casino)
    totals = Period.objects.get(shift="").totals
    assert {(line["number"], line["currency"]) for line in totals} == {
        *((number, currency) for number in ("1010", "3000") for currency in CURRENCIES),
        ("3100", "HKD"),
        ("3100", "MOP"),
    }
    for currency in CURRENCIES:
        assert sum(line["closing"] for line in totals if line["currency"] == currency) == 0


@pytest.mark.parametrize(
    "code",
    ["3000/currency:USD", "3000/currency:XXX", "3000/currency:hkd", "3000/currency:"],
)
def test_code_that_names_no_other_currency_is_refused(post, code):
    """The property's own goes without saying, so that every account has one code."""
    before = books()["ledger_entry"]
    with (
        pytest.raises((UnknownAccountError, UnknownCurrencyError)) as refused,
        transaction.atomic(),
    ):
        post(legs=legs((code, 5), (code, -5)))
    assert refused.value.status in {404, 422}
    assert books()["ledger_entry"] == before
