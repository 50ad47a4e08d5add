"""Two programs that know nothing of this one read the books and come to what the books hold."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import groupby
from uuid import UUID

import pytest
from beancount import loader
from beancount.core.data import Balance, Open, Transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.export.beancount import beancount_text
from ledger.export.books import BookEntry, BookPosting, Books, Close
from ledger.export.hledger import hledger_text
from ledger.export.names import account_name, read_code
from tests.ledger.test_export_names import account

AT = datetime(2026, 3, 14, 20, 30, tzinfo=UTC)
DAY = date(2026, 3, 14)

ACCOUNTS = tuple(
    account(code, id=number, currency=currency, exponent=exponent, type=type)
    for number, (code, currency, exponent, type) in enumerate(
        [
            ("1010/window:main", "USD", 2, "asset"),
            ("1010/window:main/currency:JPY", "JPY", 0, "asset"),
            ("1010/window:main/currency:KWD", "KWD", 3, "asset"),
            ("1120/table:3", "USD", 2, "asset"),
            ("3100/pair:JPY-USD", "USD", 2, "equity"),
            ("3100/pair:JPY-USD/currency:JPY", "JPY", 0, "equity"),
            ("3100/pair:KWD-USD/currency:KWD", "KWD", 3, "equity"),
            ("4910/box:2", "USD", 2, "revenue"),
            ("4910/box:2/reason:counterfeit", "USD", 2, "revenue"),
            ("5200", "USD", 2, "expense"),
        ],
        start=1,
    )
)
BY_CURRENCY = {
    currency: tuple(of)
    for currency, of in groupby(
        sorted(ACCOUNTS, key=lambda each: each.currency), key=lambda each: each.currency
    )
}
TEXT = st.text(max_size=30) | st.sampled_from(
    [
        '"quoted" \\ and \\"both\\"',
        "two\nlines\r\n* 2019-01-01 balance",
        "; comment | note, date:2019-01-01 [2019-01-01]",
        "שלום \u202eright to left\u202c 🀄",
        "(12) ! = 5.00 USD @ 2 JPY",
    ]
)


def books_of(entries, *, opening=None, first=None, closes=()):
    """Return books whose entries and opening balances lead to what they hold."""
    held = defaultdict(int, opening or {})
    for entry in entries:
        for posting in entry.postings:
            held[posting.account.id] += posting.amount
    days = [entry.gaming_day for entry in entries] or [DAY]
    return Books(
        property_code="golden-gate",
        property_name='The "Golden" Gate',
        currency="USD",
        first=first,
        last=None,
        begins_on=first or min(days),
        ends_on=max(days),
        accounts=tuple(
            replace(each, opening=(opening or {}).get(each.id, 0), closing=held[each.id])
            for each in ACCOUNTS
        ),
        entries=lambda: iter(entries),
        closes=lambda: iter(closes),
    )


def entry(number, *sides, **other):
    """Return an entry of accounts and amounts."""
    usual = {
        "public_id": UUID(int=number),
        "kind": "round_settled",
        "source": "round:812",
        "gaming_day": DAY,
        "effective_at": AT,
        "recorded_at": AT,
        "actor": "employee:12",
    }
    postings = tuple(
        BookPosting(account=each, line=line, amount=amount, event="drop", balance_after=None)
        for line, (each, amount) in enumerate(sides, start=1)
    )
    return BookEntry(id=number, postings=postings, **usual | other)


@st.composite
def sides(draw):
    """Draw the legs of an entry, balanced in each of one to three currencies."""
    drawn = []
    for currency in draw(
        st.lists(st.sampled_from(sorted(BY_CURRENCY)), min_size=1, max_size=3, unique=True)
    ):
        amounts = draw(
            st.lists(st.integers(-(10**18), 10**18).filter(bool), min_size=1, max_size=4).filter(
                sum
            )
        )
        drawn += [
            (draw(st.sampled_from(BY_CURRENCY[currency])), amount)
            for amount in (*amounts, -sum(amounts))
        ]
    return drawn


@st.composite
def all_books(draw):
    """Draw books of some days, begun before or not, with what the days closed with."""
    entries = [
        entry(
            number,
            *draw(sides()),
            gaming_day=DAY + timedelta(days=draw(st.integers(0, 3))),
            kind=draw(TEXT.filter(bool)),
            memo=draw(TEXT),
            source=draw(TEXT.filter(bool)),
            approver=draw(TEXT),
        )
        for number in range(1, draw(st.integers(1, 6)))
    ]
    if not draw(st.booleans()):
        return books_of(entries, closes=closes_of(entries, {}))
    opening = defaultdict(int)
    for each, amount in draw(sides()):
        opening[each.id] += amount
    return books_of(entries, opening=opening, first=DAY, closes=closes_of(entries, opening))


def closes_of(entries, opening):
    """Return what the close of every day kept."""
    held = defaultdict(int, opening)
    closes = []
    for day, of_day in groupby(
        sorted(entries, key=lambda each: each.gaming_day), key=lambda each: each.gaming_day
    ):
        moved = set()
        for posting in (posting for each in of_day for posting in each.postings):
            held[posting.account.id] += posting.amount
            moved.add(posting.account.id)
        closes.append(Close(gaming_day=day, moved=frozenset(moved), held=dict(held)))
    return tuple(closes)


def written(form, books):
    return "".join(form(books))


def load(text):
    """Return what Beancount finds wrong, and what it comes to by code, in minor units."""
    directives, errors, _options = loader.load_string(text)
    currencies = {
        each.meta["code"]: each.currencies[0] for each in directives if isinstance(each, Open)
    }
    exponents = {
        each.currency: int(each.meta["exponent"])
        for each in directives
        if type(each).__name__ == "Commodity"
    }
    held = dict.fromkeys(((code, currency) for code, currency in currencies.items()), 0)
    for each in directives:
        if isinstance(each, Transaction):
            for posting in each.postings:
                place = (read_code(posting.account), posting.units.currency)
                held[place] += posting.units.number.scaleb(exponents[posting.units.currency])
    return errors, held


LINE = re.compile(
    r"    (?P<name>\S+)  (?P<amount>-?[0-9.]+) (?P<currency>[A-Z]{3})"
    r"(?: == (?P<held>-?[0-9.]+) (?P=currency))?(?:  ;.*)?"
)


def read_hledger(text):
    """Return the transactions that do not balance, the assertions that fail, and the balances.

    Reads what the exporter writes and refuses every other line; by date, as hledger does.
    """
    transactions = []
    for line in text.splitlines():
        if found := re.match(r"([0-9]{4}-[0-9]{2}-[0-9]{2}) \* ", line):
            transactions.append((found[1], []))
        elif found := LINE.fullmatch(line):
            transactions[-1][1].append(found)
        else:
            assert re.match(r"(    )?;|account |commodity |decimal-mark |$", line), line
    wrong, held = [], defaultdict(Decimal)
    for _day, lines in sorted(transactions, key=lambda each: each[0]):
        off = defaultdict(Decimal)
        for each in lines:
            place = (read_code(each["name"]), each["currency"])
            off[each["currency"]] += Decimal(each["amount"])
            held[place] += Decimal(each["amount"])
            if each["held"] is not None and held[place] != Decimal(each["held"]):
                wrong.append(each[0])
        wrong += [currency for currency, amount in off.items() if amount]
    return wrong, dict(held)


def checked_by_hledger(text):
    """Return what hledger itself says against *text*; nothing where it is not installed."""
    program = shutil.which("hledger")
    if program is None:
        return ""
    done = subprocess.run(
        [program, "-f", "-", "check", "--strict"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C.UTF-8"},
    )
    return done.stderr


UNHURRIED = settings(deadline=None)
"""Other programs read what is drawn, and how fast is not the subject."""


def kept(books):
    return {(each.code, each.currency): each.closing for each in books.accounts}


@UNHURRIED
@given(books=all_books())
def test_beancount_comes_to_what_the_books_hold(books):
    errors, held = load(written(beancount_text, books))
    assert errors == []
    assert held == kept(books)


@UNHURRIED
@given(books=all_books())
def test_hledger_form_comes_to_what_the_books_hold(books):
    text = written(hledger_text, books)
    wrong, held = read_hledger(text)
    exponents = books.currencies
    assert wrong == []
    assert {
        (code, currency): amount.scaleb(exponents[currency])
        for (code, currency), amount in held.items()
    } == kept(books)


@pytest.mark.long
@UNHURRIED
@given(books=all_books())
def test_hledger_itself_finds_nothing_wrong(books):
    assert checked_by_hledger(written(hledger_text, books)) == ""


@UNHURRIED
@given(books=all_books(), data=st.data())
def test_any_balance_that_is_a_minor_unit_off_is_caught(books, data):
    which = data.draw(st.integers(0, len(books.accounts) - 1))
    off = tuple(
        replace(each, closing=each.closing + (place == which))
        for place, each in enumerate(books.accounts)
    )
    wrong = replace(books, accounts=off)
    errors, _held = load(written(beancount_text, wrong))
    assert errors
    assert read_hledger(written(hledger_text, wrong))[0]


def exchange():
    dollars, yen, _dinars, tray, traded, traded_yen, *_ = ACCOUNTS
    return [
        entry(1, (tray, 500), (ACCOUNTS[7], -500)),
        entry(2, (ACCOUNTS[8], 20), (ACCOUNTS[7], -20), gaming_day=DAY + timedelta(days=1)),
        entry(
            3,
            (yen, 15000),
            (traded_yen, -15000),
            (traded, 10000),
            (dollars, -10000),
            rate_sold=1,
            rate_bought=150,
            memo='he said "no"\nthen yes',
        ),
    ]


def test_exchange_balances_in_both_currencies_without_a_price():
    text = written(beancount_text, books_of(exchange()))
    assert load(text)[0] == []
    assert " @" not in text
    assert "  Assets:1010-Table-inventory-tray:Window-main:Currency-JPY  15000 JPY\n" in text
    assert "  Equity:3100-Table-inventory-tray:Pair-JPY-USD  100.00 USD\n" in text


def test_transaction_carries_what_the_entry_says():
    told = exchange()[2]
    told = replace(told, seal=4, late_day=DAY - timedelta(days=1), reverses=UUID(int=1))
    directives, errors, _options = loader.load_string(
        written(beancount_text, books_of([*exchange()[:2], told]))
    )
    (found,) = (
        each
        for each in directives
        if isinstance(each, Transaction) and each.meta["entry_id"] == told.id
    )
    assert errors == []
    assert (found.date, found.payee) == (DAY, "round_settled")
    assert found.narration == 'he said "no"\\u000Athen yes'
    assert found.links == {f"ent_{UUID(int=1)}", f"ent_{UUID(int=3)}"}
    facts = {name: fact for name, fact in found.meta.items() if not name.startswith("__")}
    del facts["filename"], facts["lineno"]
    assert facts == {
        "entry_id": 3,
        "public_id": f"ent_{UUID(int=3)}",
        "source": "round:812",
        "actor": "employee:12",
        "effective_at": "2026-03-14T20:30:00Z",
        "recorded_at": "2026-03-14T20:30:00Z",
        "gaming_day": DAY,
        "late_day": DAY - timedelta(days=1),
        "rate_sold": 1,
        "rate_bought": 150,
        "seal": 4,
        "reverses": f"ent_{UUID(int=1)}",
    }
    assert [each.meta["event"] for each in found.postings] == ["drop"] * 4


def test_account_is_asserted_together_with_those_below_it():
    directives, errors, _options = loader.load_string(written(beancount_text, books_of(exchange())))
    asserted = {read_code(each.account): each for each in directives if isinstance(each, Balance)}
    assert errors == []
    assert asserted["4910/box:2"].amount.number == Decimal("-5.00")
    assert asserted["4910/box:2/reason:counterfeit"].amount.number == Decimal("0.20")
    assert {each.tolerance for each in asserted.values()} == {Decimal(0)}
    assert {each.date for each in asserted.values()} == {DAY + timedelta(days=2)}


@pytest.mark.parametrize("form", [beancount_text, hledger_text])
def test_every_changed_amount_is_caught(form):
    entries = exchange()
    text = written(form, books_of(entries, closes=closes_of(entries, {})))
    found_wrong = {beancount_text: load, hledger_text: read_hledger}[form]
    assert not found_wrong(text)[0]
    # Not the tolerance of an assertion, nor the example that declares a commodity.
    amounts = list(re.finditer(r"(?<=[^~y] )(-?[0-9.]*[0-9])(?= (?:~ 0 )?[A-Z]{3}\b)", text))
    assert len(amounts) > 20
    for amount in amounts:
        digit = "1" if amount[1][-1] == "0" else "0"
        changed = text[: amount.end() - 1] + digit + text[amount.end() :]
        assert found_wrong(changed)[0], changed


def test_strict_check_of_hledger_bites_where_it_is_installed():
    text = written(hledger_text, books_of(exchange()))
    assert checked_by_hledger(text) == ""
    changed = text.replace("15000 JPY\n", "15001 JPY\n")
    assert read_hledger(changed)[0]
    assert (checked_by_hledger(changed) != "") is (shutil.which("hledger") is not None)


def test_names_of_the_accounts_are_those_of_the_books():
    books = books_of(exchange())
    opened = re.findall(r" open (\S+) ", written(beancount_text, books))
    assert opened == [account_name(each) for each in books.accounts]
