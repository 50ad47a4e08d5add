"""The chart leads down to every account, and each account is found by its code or its name."""

from __future__ import annotations

import pytest

from casino.web.amounts import amount_text
from ledger import selectors as ledger
from ledger.services.accounts import close_account
from ledger.services.posting import Leg
from tables.pit.books.accounts import FOUND
from tests import factories
from tests.tables.pit.conftest import queries, read

from .conftest import CAGE, links, poster, rows_of

ADDRESS = "/pit/books/accounts/"


def held(minor: int) -> str:
    side = "" if minor == 0 else " Dr" if minor > 0 else " Cr"
    return f"{amount_text(abs(minor), 'USD')}{side}"


def test_the_chart_says_what_each_number_holds(pit_boss, casino, open_table):
    open_table().play(3)
    rows = {row[0]: row for row in rows_of(pit_boss.get(ADDRESS))}
    trial = ledger.trial_balance(casino.pk)
    assert {number: row[2] for number, row in rows.items()} == {
        line.number: held(line.closing) for line in trial
    }
    assert rows["1120"][1] == "Table inventory (tray)"
    text = read(pit_boss.get(ADDRESS))
    assets = sum(line.closing for line in trial if line.number < "2000")
    assert f"Assets together {held(assets)}" in text
    classes = ("1 Assets", "2 Liabilities", "3 Equity", "4 Revenue")
    places = [text.index(f" {title} Account") for title in classes]
    assert places == sorted(places)
    assert all(f"{title} together" in text for title in classes)
    assert "It balances: all accounts together come to nothing in each currency." in text


def test_the_classes_keep_currencies_apart(pit_boss, post):
    post(250, debit="5200", credit="2500/patron:7")
    post(
        kind="currency_exchanged",
        legs=[
            Leg(account=f"{CAGE}/currency:JPY", amount=15_000, event="currency_exchanged"),
            Leg(
                account="3100/pair:JPY-USD/currency:JPY",
                amount=-15_000,
                event="currency_exchanged",
            ),
            Leg(account="3100/pair:JPY-USD", amount=10_000, event="currency_exchanged"),
            Leg(account=CAGE, amount=-10_000, event="currency_exchanged"),
        ],
        rate=(15_000, 10_000),
    )
    text = read(pit_boss.get(ADDRESS))
    assert "1 Assets together 15,000 JPY Dr" in text
    assert "3 Equity together 15,000 JPY Cr" in text
    assert "5 Expenses together 2.50 Dr" in text
    assert "It balances:" in text


def test_each_part_of_a_code_is_a_step_down(pit_boss, casino, post):
    post(debit="1220/session:7/seat:3", amount=700)
    post(debit="1220/session:7/seat:4", amount=50)
    post(debit="1220/session:8/seat:1", amount=5)
    number = pit_boss.get(f"{ADDRESS}?under=1220")
    assert rows_of(number) == [
        ("1220/session:7", "session 7", "7.50 Dr"),
        ("1220/session:8", "session 8", "0.05 Dr"),
    ]
    assert "1220 Commission receivable (lammers)" in read(number)
    (down,) = links(number, "session 7")
    session = pit_boss.get(down)
    assert rows_of(session) == [
        ("1220/session:7/seat:3", "seat 3", "7.00 Dr"),
        ("1220/session:7/seat:4", "seat 4", "0.50 Dr"),
    ]
    assert links(session, "1220 Commission receivable (lammers)") == [f"{ADDRESS}?under=1220"]
    (statement,) = links(session, "seat 3")
    assert rows_of(pit_boss.get(statement))[0][-1] == "7.00 Dr"


def test_an_account_with_others_below_it_shows_itself_too(pit_boss, post):
    post(debit="1110", amount=700)
    post(debit="1110/instrument:plaque", amount=50)
    page = pit_boss.get(f"{ADDRESS}?under=1110")
    assert rows_of(page) == [
        ("1110", "The account itself", "250,007.00 Dr"),
        ("1110/instrument:plaque", "in plaques", "0.50 Dr"),
    ]


def test_a_closed_account_says_so(pit_boss, casino, post):
    post(debit="1030/box:B1", amount=700)
    post(debit="3000", credit="1030/box:B1", amount=700)
    close_account(property_id=casino.pk, code="1030/box:B1", at=factories.NOON)
    assert rows_of(pit_boss.get(f"{ADDRESS}?under=1030")) == [
        ("1030/box:B1", "box B1 closed", "0.00")
    ]


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("1010", ["1010/window:main"]),
        ("cage cash", ["1010/window:main"]),
        ("CASH", ["1010/window:main"]),
        ("tray T1", ["1120/table:{T1}"]),
        ("t2", ["1120/table:{T2}"]),
        ("window:main", ["1010/window:main"]),
        ("window equity", []),
    ],
)
def test_an_account_is_found_by_words_of_its_code_or_name(pit_boss, casino, words, codes):
    tables = {code: factories.a_table(casino, code).pk for code in ("T1", "T2")}
    page = pit_boss.get(ADDRESS, {"find": words})
    assert [row[0] for row in rows_of(page)] == [code.format(**tables) for code in codes]


def test_a_table_is_not_found_by_the_beginning_of_its_number(pit_boss, casino, post):
    table = factories.a_table(casino).pk
    post(debit=f"1120/table:{table}9")
    page = pit_boss.get(ADDRESS, {"find": "T1"})
    assert [row[0] for row in rows_of(page)] == [f"1120/table:{table}"]


def test_a_search_shows_only_so_many(pit_boss, post):
    for number in range(FOUND + 1):
        post(debit=f"1030/box:B{number:03}")
    page = pit_boss.get(ADDRESS, {"find": "1030"})
    assert len(rows_of(page)) == FOUND
    assert f"Only the first {FOUND} are shown: add a word." in page.text


def test_cursors_walk_all_children_once(pit_boss, post):
    codes = [f"1030/box:B{number:03}" for number in range(120)]
    for code in codes:
        post(debit=code)
    address, walked = f"{ADDRESS}?under=1030", []
    while address:
        page = pit_boss.get(address)
        walked += [row[0] for row in rows_of(page)]
        address = next(iter(links(page, "Go on")), "").removesuffix("#rows")
    assert walked == codes
    assert len(rows_of(pit_boss.get(f"{ADDRESS}?under=1030&print=1"))) == 120


@pytest.mark.parametrize("under", ["9999", "1120/..", "nonsense", "1120/table:3/"])
def test_what_is_no_code_of_the_chart_is_refused(pit_boss, under):
    refused = pit_boss.get(ADDRESS, {"under": under})
    assert refused.status_code == 400
    assert f"There is no account {under} in the chart." in refused.text


def test_accounts_of_another_property_are_not_there(pit_boss, macau):
    poster(macau)(debit="1030/box:B7")
    assert rows_of(pit_boss.get(ADDRESS, {"find": "B7"})) == []
    assert rows_of(pit_boss.get(ADDRESS, {"under": "1030"})) == []


def test_accounts_ask_no_more_for_more_of_them(pit_boss, post):
    post(debit="1030/box:B1")
    addresses = (ADDRESS, f"{ADDRESS}?under=1030", f"{ADDRESS}?find=box")
    few = [queries(pit_boss, address) for address in addresses]
    for number in range(2, 12):
        post(debit=f"1030/box:B{number}")
    assert [queries(pit_boss, address) for address in addresses] == few
