"""An account has one name in a journal, amounts are exact, and text passes for nothing else."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
import regex
from beancount.core.account import ACCOUNT_RE
from hypothesis import given
from hypothesis import strategies as st

from ledger.chart import CHART, CODE, AccountType, Number
from ledger.export.amounts import decimal_text
from ledger.export.books import BookAccount
from ledger.export.names import account_name, read_code
from ledger.export.text import description_text, quoted, tag_text
from ledger.money import MAX_MINOR

PARTS = st.builds(
    "/{}:{}".format,
    st.text("abz_", min_size=1, max_size=6),
    st.text("aBz019_.-", min_size=1, max_size=8),
)
CODES = st.builds("{:04d}{}".format, st.integers(0, 9999), st.lists(PARTS, max_size=3).map("".join))
"""Every code that the database takes, of letters that stand for all."""
NAMES = st.sampled_from([rule.name for rule in CHART.values()]) | st.text()


def account(code, **other):
    """Return an account of the books, of what is not the subject a tray in dollars."""
    usual = {
        "id": 1,
        "number": code[:4],
        "name": "Table inventory (tray)",
        "type": "asset",
        "side": 1,
        "instrument": "value_chip",
        "currency": "USD",
        "exponent": 2,
        "opened_at": datetime(2026, 3, 14, tzinfo=UTC),
        "closed_at": None,
        "opening": 0,
        "closing": 0,
    }
    return BookAccount(code=code, **usual | other)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("1120/table:3", "Assets:1120-Table-inventory-tray:Table-3"),
        ("1100", "Assets:1100-Table-inventory-tray"),
        ("1130/document:F-0001", "Assets:1130-Table-inventory-tray:Document-F-0001"),
        ("1220/session:7/seat:3", "Assets:1220-Table-inventory-tray:Session-7:Seat-3"),
        ("2100/chip_set:red_1.b", "Assets:2100-Table-inventory-tray:ChipSet-red--u--1--p--b"),
        ("1010/currency:HKD", "Assets:1010-Table-inventory-tray:Currency-HKD"),
        ("1120/_a__b:-", "Assets:1120-Table-inventory-tray:0a00b--"),
    ],
)
def test_names_say_kind_number_and_sub_ledger(code, name):
    assert account_name(account(code)) == name


@given(code=CODES, name=NAMES, type=st.sampled_from(AccountType))
def test_code_comes_back_from_its_name(code, name, type):
    assert CODE.fullmatch(code)
    assert read_code(account_name(account(code, name=name, type=type))) == code


@given(code=CODES, name=NAMES, type=st.sampled_from(AccountType))
def test_beancount_takes_every_name(code, name, type):
    assert regex.fullmatch(ACCOUNT_RE, account_name(account(code, name=name, type=type)))


def test_every_account_of_the_chart_has_its_words_in_its_name():
    for number in Number:
        name = account_name(account(f"{number}/table:3", name=CHART[number].name))
        assert re.fullmatch(rf"Assets:{number}-[A-Za-z-]+[a-z]:Table-3", name)


@pytest.mark.parametrize(
    ("minor", "exponent", "text"),
    [
        (123450, 2, "1234.50"),
        (-5, 2, "-0.05"),
        (0, 2, "0.00"),
        (7, 0, "7"),
        (-1, 3, "-0.001"),
        (MAX_MINOR, 3, "1000000000000000.000"),
    ],
)
def test_amounts_are_written_by_the_currency(minor, exponent, text):
    assert decimal_text(minor, exponent) == text


@given(minor=st.integers(-(2**63), 2**63), exponent=st.integers(0, 4))
def test_amount_comes_back_from_its_text(minor, exponent):
    text = decimal_text(minor, exponent)
    assert int(Decimal(text).scaleb(exponent)) == minor
    assert len(text.partition(".")[2]) == exponent


def test_text_shows_what_would_not_be_seen():
    assert quoted('a "b" \\ c\nd\u202ee') == '"a \\"b\\" \\\\ c\\\\u000Ad\\\\u202Ee"'
    assert quoted("שלום 🀄 賭場") == '"שלום 🀄 賭場"'


def test_hledger_reads_no_tag_date_comment_or_note_in_text():
    assert tag_text("short, recounted") == "short, recounted"
    assert tag_text("x, date:2019-01-01 [2019-01-01]") == (
        "x\\u002C date:2019-01-01 \\u005B2019-01-01]"
    )
    assert description_text("a;b|c") == "a\\u003Bb\\u007Cc"


@given(text=st.text())
def test_text_stays_on_its_line(text):
    for shown in (quoted(text), tag_text(text), description_text(text)):
        assert len(shown.splitlines()) <= 1
