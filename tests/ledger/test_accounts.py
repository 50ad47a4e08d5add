"""Accounts open by the chart, say in their code what they are, and hold to their limits."""

from __future__ import annotations

import pytest
from django.db import transaction
from psycopg import errors

from ledger.errors import (
    AccountNotEmptyError,
    CeilingExceededError,
    UnknownAccountError,
    UnknownCurrencyError,
    UnknownPropertyError,
)
from ledger.models import Account, Balance
from ledger.selectors import balance
from ledger.services.accounts import close_account, open_account
from tests.ledger.conftest import AT, books, house, legs

pytestmark = pytest.mark.django_db

NEW_ACCOUNT = """
INSERT INTO ledger_account (property_id, code, name, currency, side, type, instrument, shards,
                            opened_at)
VALUES (%s, %s, 'by hand', %s, 1, 'asset', %s, 1, now())
"""


def open_(casino, code, **other):
    return open_account(property_id=casino.pk, code=code, at=AT, **other)


@pytest.mark.parametrize(
    ("code", "instrument", "currency", "parent"),
    [
        ("1100", "value_chip", "USD", ""),
        ("1010/window:main", "cash", "USD", "1010"),
        ("1010/window:main/currency:HKD", "cash", "HKD", "1010/window:main"),
        ("1110/instrument:plaque", "plaque", "USD", "1110"),
        (
            "1120/table:3/instrument:non_negotiable_chip/currency:JPY",
            "non_negotiable_chip",
            "JPY",
            "1120/table:3/instrument:non_negotiable_chip",
        ),
        ("1220/session:7/seat:3", "lammer", "USD", "1220/session:7"),
        ("1210/patron:4/marker:M-1", "marker", "USD", "1210/patron:4"),
        ("1020/session:7/box:1", "cash", "USD", "1020/session:7"),
        ("1027/session:7/box:1", "voucher", "USD", "1027/session:7"),
        ("1030/box:1", "mixed", "USD", "1030"),
        ("2200/patron:4", "book", "USD", "2200"),
    ],
)
def test_code_says_what_the_account_is_in_and_where_it_stands(
    casino, code, instrument, currency, parent
):
    account = Account.objects.get(pk=open_(casino, code))
    assert (account.code, account.instrument, account.currency_id, account.parent) == (
        code,
        instrument,
        currency,
        parent,
    )
    assert list(account.balances.values_list("currency", flat=True)) == [currency] * account.shards


def test_account_is_opened_once(casino):
    first = open_(casino, "1100")
    before = books()
    assert open_(casino, "1100") == first
    assert books() == before


@pytest.mark.parametrize("code", ["1100/instrument:value_chip", "2200/instrument:plaque", "7777"])
def test_account_that_the_chart_does_not_know_is_not_opened(casino, code):
    with pytest.raises(UnknownAccountError):
        open_(casino, code)
    assert Account.objects.count() == 0


def test_property_and_currency_must_be_there(casino):
    with pytest.raises(UnknownPropertyError):
        open_account(property_id=404, code="1100", at=AT)
    nowhere = house("nowhere")
    nowhere.currency = "XXX"
    nowhere.save()
    with pytest.raises(UnknownCurrencyError), transaction.atomic():
        open_(nowhere, "1100")
    assert Account.objects.count() == 0


def test_ceiling_is_the_most_that_an_account_may_hold(post, casino):
    open_(casino, "1110", ceiling=1000)
    post(key="a", legs=legs(("1110", 1000), ("3000", -1000)))
    before = books()
    with pytest.raises(CeilingExceededError) as refused, transaction.atomic():
        post(key="b", legs=legs(("1110", 1), ("3000", -1)))
    assert (refused.value.account, refused.value.code) == ("1110", "limit_exceeded")
    assert (refused.value.status, refused.value.members) == (409, {"account": "1110"})
    assert books() == before
    post(key="c", legs=legs(("1110", 600), ("1110", -600)))
    assert balance(casino.pk, "1110") == 1000


def test_ceiling_is_on_the_accounts_own_side(post, casino):
    open_(casino, "2200/patron:4", ceiling=100)
    post(key="a", legs=legs(("1120/table:3", 100), ("2200/patron:4", -100)))
    with pytest.raises(CeilingExceededError), transaction.atomic():
        post(key="b", legs=legs(("1120/table:3", 1), ("2200/patron:4", -1)))
    post(key="c", legs=legs(("2200/patron:4", 100), ("1120/table:3", -100)))


def test_ceiling_cannot_be_held_by_an_account_of_many_rows(casino):
    with pytest.raises(Exception, match="ledger_balance_limit"), transaction.atomic():
        open_(casino, "2400/meter:1", ceiling=100)
    assert Account.objects.count() == 0


def test_account_of_many_rows_closes_when_they_come_to_nothing_together(post, casino, owner):
    grow = legs(("4020/session:7/wager:tiger9", 30), ("2400/meter:1", -30))
    post(legs=grow)
    account = Account.objects.get(code="2400/meter:1")
    assert account.balances.count() == account.shards == 16
    with pytest.raises(AccountNotEmptyError) as refused, transaction.atomic():
        close_account(property_id=casino.pk, code="2400/meter:1", at=AT)
    assert refused.value.balance == -30
    post(key="won", legs=legs(("2400/meter:1", 30), ("1120/table:3", -30)))
    assert close_account(property_id=casino.pk, code="2400/meter:1", at=AT)
    assert set(account.balances.values_list("is_open", flat=True)) == {False}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("code", "currency", "is_right"),
    [
        ("1100/currency:HKD", "HKD", True),
        ("1100", "USD", True),
        ("1100/currency:HKD", "USD", False),
        ("1100/currency:HKD", "MOP", False),
        ("1100/currency:HKD/instrument:plaque", "HKD", False),
        ("1100/currency:USD/currency:HKD", "HKD", True),
    ],
)
def test_code_cannot_name_another_currency_than_the_accounts(
    owner, casino, code, currency, is_right
):
    if is_right:
        owner.execute(NEW_ACCOUNT, [casino.pk, code, currency, "value_chip"])
        return
    with pytest.raises(
        errors.CheckViolation,
        check=lambda e: e.diag.constraint_name == "ledger_account_of_currency",
    ):
        owner.execute(NEW_ACCOUNT, [casino.pk, code, currency, "value_chip"])
    assert Account.objects.count() == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("instrument", ["", "chips", "vouchers", "gold", "Cash"])
def test_instrument_is_one_that_there_is(owner, casino, instrument):
    with pytest.raises(
        errors.CheckViolation, check=lambda e: e.diag.constraint_name == "ledger_account_instrument"
    ):
        owner.execute(NEW_ACCOUNT, [casino.pk, "1100", "USD", instrument])
    assert Account.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_limits_are_constraints_of_the_row(owner, casino):
    open_(casino, "1110", ceiling=1000)
    for change, constraint in (
        ("debit = 1001", "ledger_balance_ceiling"),
        ("credit = 1", "ledger_balance_floor"),
    ):
        with pytest.raises(
            errors.CheckViolation,
            check=lambda e, constraint=constraint: e.diag.constraint_name == constraint,
        ):
            owner.execute(f"UPDATE ledger_balance SET {change}")  # noqa: S608
    assert list(Balance.objects.values_list("debit", "credit")) == [(0, 0)]
