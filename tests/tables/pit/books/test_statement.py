"""A statement is the account's own order with what it held after each line, both ways."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from html import unescape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.staff.actors import Actor
from casino.web.amounts import amount_text
from ledger import selectors as ledger
from ledger.services.posting import Leg
from tables.pit.access import Reader
from tables.pit.books import limits
from tables.pit.books import statement as lines
from tests.tables.pit.conftest import queries, read

from .conftest import (
    CAGE,
    DAY,
    EQUITY,
    NEXT_DAY,
    alike,
    links,
    poster,
    read_csv,
    read_xlsx,
    rows_of,
)

ADDRESS = f"/pit/books/statement/?account={CAGE}"


def balances(response) -> list[str]:
    return [row[-1] for row in rows_of(response)]


def kept(casino) -> list[str]:
    """Return what the account held after each line, the newest first."""
    found = ledger.statement(casino.pk, CAGE, newest_first=True, limit=500)
    return [f"{amount_text(line.balance_after, 'USD')} Dr" for line in found]


def test_each_line_says_what_the_account_held_after_it(pit_boss, casino, post):
    post(1_000)
    post(250, debit=EQUITY, credit=CAGE, memo="Change for the pit.")
    page = pit_boss.get(ADDRESS)
    assert rows_of(page)[:2] == [
        (
            "12:02:00 PDT",
            "Opening balance Change for the pit.",
            "test:2",
            "Daniel Reyes PB-004",
            "",
            "2.50",
            "500,007.50 Dr",
        ),
        (
            "12:01:00 PDT",
            "Opening balance",
            "test:1",
            "Daniel Reyes PB-004",
            "10.00",
            "",
            "500,010.00 Dr",
        ),
    ]
    text = read(page)
    assert "Statement of Cage cash, window main" in text
    assert "Holds now 500,007.50 Dr" in text
    assert "Lines shown 500,010.00 2.50 Held before the oldest line shown 0.00" in text


def test_the_days_asked_for_bound_the_lines(pit_boss, post):
    post(100)
    post(200, gaming_day=NEXT_DAY)
    post(300, gaming_day=NEXT_DAY + timedelta(days=1))
    page = pit_boss.get(f"{ADDRESS}&day=2026-03-14&until=2026-03-15")
    assert [row[4] for row in rows_of(page)] == ["2.00", "1.00"]
    assert "Held before the oldest line shown 500,000.00 Dr" in read(page)
    assert [row[4] for row in rows_of(pit_boss.get(f"{ADDRESS}&day=2026-03-16"))] == ["3.00"]
    assert "Nothing was posted to it in these days." in read(
        pit_boss.get(f"{ADDRESS}&day=2026-03-20")
    )


def test_cursors_lead_to_the_oldest_line_and_back(pit_boss, casino, post):
    for _ in range(119):
        post()
    first = pit_boss.get(ADDRESS)
    assert links(first, "Newer") == links(first, "Newest") == []
    (older,) = links(first, "Older")
    second = pit_boss.get(older.removesuffix("#rows"))
    (oldest,) = links(second, "Older")
    third = pit_boss.get(oldest.removesuffix("#rows"))
    assert links(third, "Older") == []
    pages = [balances(each) for each in (first, second, third)]
    assert [len(each) for each in pages] == [50, 50, 20]
    assert [each for page in pages for each in page] == kept(casino)

    (newer,) = links(third, "Newer")
    back = pit_boss.get(newer.removesuffix("#rows"))
    assert balances(back) == pages[1]
    (newer,) = links(back, "Newer")
    again = pit_boss.get(newer.removesuffix("#rows"))
    assert balances(again) == pages[0]
    assert links(again, "Newer") == []
    (newest,) = links(third, "Newest")
    assert balances(pit_boss.get(newest.removesuffix("#rows"))) == pages[0]


def test_what_is_posted_meanwhile_moves_no_page(pit_boss, casino, post):
    for _ in range(60):
        post()
    first = pit_boss.get(ADDRESS)
    (older,) = links(first, "Older")
    post()
    second = pit_boss.get(older.removesuffix("#rows"))
    assert balances(first) + balances(second) == kept(casino)[1:]
    (newer,) = links(second, "Newer")
    back = pit_boss.get(newer.removesuffix("#rows"))
    assert balances(back) == balances(first)
    (newest,) = links(back, "Newer")
    assert balances(pit_boss.get(newest.removesuffix("#rows"))) == kept(casino)[:1]


def test_a_cursor_of_another_account_or_way_is_refused(pit_boss, post):
    for _ in range(60):
        post()
    (older,) = links(pit_boss.get(ADDRESS), "Older")
    cursor = older.removesuffix("#rows").partition("older=")[2]
    for address in (
        f"/pit/books/statement/?account=3000&older={cursor}",
        f"{ADDRESS}&newer={cursor}",
        f"{ADDRESS}&day=2026-03-14&older={cursor}",
    ):
        refused = pit_boss.get(address)
        assert refused.status_code == 400, address
        assert "This cursor was given out for another filter" in unescape(refused.text)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("account=1030", "No account 1030 was ever opened. Find it by its name under Accounts."),
        ("account=nonsense", "No account nonsense was ever opened."),
        ("account=", "This field is required."),
        (f"account={CAGE}&day=soon", "Write the gaming day as 2026-03-14."),
        (f"account={CAGE}&until=2026-03-14", "Say on which gaming day the range begins."),
    ],
)
def test_what_is_no_statement_is_refused_beside_its_field(pit_boss, asked, sentence):
    for address in (f"/pit/books/statement/?{asked}", f"/pit/books/statement.csv?{asked}"):
        refused = pit_boss.get(address)
        assert refused.status_code == 400
        assert f"<li>{sentence}" in refused.text
        assert rows_of(refused) == []


def test_a_bare_number_leads_to_the_accounts_below_it_and_their_sum(pit_boss, post):
    post(1_000)
    post(250, debit="1010/window:east")
    led = pit_boss.get("/pit/books/statement/?account=1010&day=2026-03-14")
    assert (led.status_code, led.url) == (302, "/pit/books/accounts/?under=1010")
    page = pit_boss.get(led.url)
    assert rows_of(page) == [
        ("1010/window:east", "window east", "2.50 Dr"),
        ("1010/window:main", "window main", "500,010.00 Dr"),
    ]
    text = read(page)
    assert "Nothing is posted to 1010 itself" in text
    assert "1010 Cage cash together 500,012.50 Dr" in text
    file = pit_boss.get("/pit/books/statement.csv?account=1010")
    assert file.status_code == 400
    assert "Nothing is posted to 1010 itself: take one of the accounts below it." in file.text


def test_without_an_account_one_is_asked_for(pit_boss):
    page = pit_boss.get("/pit/books/statement/")
    assert page.status_code == 200
    assert "errorlist" not in page.text


def test_another_propertys_account_was_never_opened_here(pit_boss, macau):
    poster(macau)(debit="1010/window:east")
    assert pit_boss.get("/pit/books/statement/?account=1010/window:east").status_code == 400


def test_an_account_in_another_currency_has_its_own_decimals(pit_boss, post):
    post(
        kind="currency_exchanged",
        legs=[
            Leg(account="1010/window:main/currency:JPY", amount=15_000, event="currency_exchanged"),
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
    page = pit_boss.get(f"/pit/books/statement/?account={CAGE}/currency:JPY")
    assert rows_of(page)[0][-3:] == ("15,000", "", "15,000 Dr")
    assert "Currency JPY Holds now 15,000 JPY Dr" in read(page)


def test_an_account_that_several_rows_share_has_no_balance_between(pit_boss, post):
    post(credit="2400/meter:1")
    page = pit_boss.get("/pit/books/statement/?account=2400/meter:1")
    assert rows_of(page)[0][-1] == "—"
    assert "there is no balance after each of them" in read(page)
    assert "Held before the oldest line shown" not in read(page)
    assert "Holds now 10.00 Cr" in read(page)


def test_a_file_holds_every_line_of_the_page(pit_boss, casino, post):
    for number in range(60):
        post(100 + number, memo="=1+1" if number == 3 else "")
    post(5_000, debit=EQUITY, credit=CAGE)
    paper = rows_of(pit_boss.get(f"{ADDRESS}&print=1"))
    written = read_csv(pit_boss.get(ADDRESS.replace("statement/", "statement.csv")))
    assert written[0][:2] == ["Gaming day", "Time (America/Los_Angeles)"]
    assert written[0][-6:] == [
        "Debit",
        "Credit",
        "Balance, debit above zero",
        "Currency",
        "Number",
        "Public id",
    ]
    assert len(written) - 1 == len(paper) == 62
    found = ledger.statement(casino.pk, CAGE, newest_first=True, limit=100)
    for row, shown, line in zip(written[1:], paper, found, strict=True):
        debit, credit, balance, currency, *entry = row[-6:]
        assert entry == [str(line.entry_id), str(line.entry)]
        assert datetime.fromisoformat(row[1]) == line.effective_at.replace(microsecond=0)
        assert (f"{float(debit):,.2f}" if debit else "") == shown[4]
        assert (f"{float(credit):,.2f}" if credit else "") == shown[5]
        assert f"{float(balance):,.2f} Dr" == shown[6]
        assert currency == "USD"
        assert row[2] == "Opening balance"
        assert row[5] == shown[2]
    assert [row[7] for row in written if row[7].startswith("'")] == ["'=1+1"]
    book = read_xlsx(pit_boss.get(ADDRESS.replace("statement/", "statement.xlsx")))
    assert alike(book) == alike(written)
    assert book[1][0] == DAY
    assert {(type(row[0]), type(row[1])) for row in book[1:]} == {(date, datetime)}


def test_a_file_is_of_the_days_asked_for(pit_boss, post):
    post(100)
    post(200, gaming_day=NEXT_DAY)
    address = f"/pit/books/statement.csv?account={CAGE}&day=2026-03-15"
    response = pit_boss.get(address)
    assert (
        'filename="jade-harbour-statement-1010-window-main.csv"'
        in (response["Content-Disposition"])
    )
    assert [row[8] for row in read_csv(response)[1:]] == ["2.00"]


def test_a_statement_asks_no_more_for_more_lines(pit_boss, post):
    post()
    few = queries(pit_boss, ADDRESS)
    for _ in range(20):
        post()
    assert queries(pit_boss, ADDRESS) == few


def test_what_is_more_than_a_file_holds_is_refused(pit_boss, post, monkeypatch):
    for _ in range(5):
        post()
    monkeypatch.setattr(lines, "IN_FILE", 5)
    monkeypatch.setattr(lines, "BATCH", 2)
    refused = pit_boss.get(ADDRESS.replace("statement/", "statement.csv"))
    assert refused.status_code == 400
    assert "A file holds 50,000 rows, and these are more. Ask for fewer days." in refused.text
    few = pit_boss.get(f"{ADDRESS.replace('statement/', 'statement.csv')}&day=2026-03-14")
    assert len(read_csv(few)) == 6
    assert limits.IN_FILE == 50_000


@given(data=st.data())
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_pages_of_any_size_hold_every_line_once(casino, data):
    post = poster(casino)
    start = ledger.balance(casino.pk, CAGE)
    stamp = data.draw(st.integers(10**6, 10**9))
    amounts = data.draw(st.lists(st.integers(1, 10**6), max_size=8))
    for number, amount in enumerate(amounts):
        post(amount, key=f"any:{stamp}:{len(kept(casino))}:{number}")
    reader = Reader(
        actor=Actor(kind="employee", ref="4", role="pit_boss", property_id=casino.pk),
        casino=casino,
        own_table_id=None,
    )
    size = data.draw(st.integers(1, 5))
    walked, place = [], None
    while True:
        page = lines.read_lines(reader, CAGE, days=None, start=place, limit=size)
        walked += page
        if len(page) < size:
            break
        place = lines.place_of(page[-1])
    assert [line.amount for line in walked[: len(amounts)]] == amounts[::-1]
    assert walked[0].balance_after == start + sum(amounts)
    assert len({line.version for line in walked}) == len(walked)
