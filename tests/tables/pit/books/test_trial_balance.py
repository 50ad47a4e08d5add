"""A trial balance says of a day or a shift what moved and what stands, and shows that it agrees."""

from __future__ import annotations

from datetime import timedelta

import pytest

from casino.staff.models import Employee
from casino.web.amounts import amount_text
from ledger import selectors as ledger
from ledger.models import Period
from ledger.services.days import close_day, close_shift
from ledger.services.posting import Leg
from tests import factories
from tests.tables.pit.conftest import queries, read

from .conftest import CAGE, DAY, NEXT_DAY, alike, links, poster, read_csv, read_xlsx, rows_of

ADDRESS = "/pit/books/trial-balance/"
THAT_DAY = f"{ADDRESS}?day={DAY}"
BALANCES = "It balances: debits come to what credits come to"


@pytest.fixture
def people(casino):
    """Return the pit boss and the auditor as the books name them."""
    return [f"employee:{Employee.objects.get(number=number).pk}" for number in ("PB-004", "AU-002")]


@pytest.fixture
def close(casino, people):
    """Return a function that closes days in their order."""

    def closed(*days) -> None:
        for day in days:
            close_day(
                property_id=casino.pk,
                gaming_day=day,
                actor=people[0],
                approver=people[1],
                at=factories.NOON,
            )

    return closed


def written(minor: int) -> str:
    return amount_text(minor, "USD") if minor else ""


def shown(row) -> tuple[str, ...]:
    """Return a row of the books as the page writes it."""
    opening = f"{written(abs(row.opening))} {'Dr' if row.opening > 0 else 'Cr'}"
    return (
        f"{row.number} {row.name}",
        opening if row.opening else "",
        written(row.debits),
        written(row.credits),
        written(max(row.closing, 0)),
        written(max(-row.closing, 0)),
    )


def test_an_open_day_stands_so_far(pit_boss, casino, open_table):
    open_table().play(4)
    page = pit_boss.get(THAT_DAY)
    rows = ledger.trial_balance(casino.pk, DAY)
    assert rows_of(page) == [shown(row) for row in rows]
    text = read(page)
    assert "State open: so far" in text
    assert BALANCES in text
    debits = amount_text(sum(row.debits for row in rows), "USD")
    closing = amount_text(sum(row.closing for row in rows if row.closing > 0), "USD")
    assert f"Totals {debits} {debits} {closing} {closing}" in text


def test_a_closed_day_stands_as_it_closed_with_who_closed_it(pit_boss, casino, post, close):
    post(1_000)
    close(DAY - timedelta(days=1), DAY)
    before = rows_of(pit_boss.get(THAT_DAY))
    post(5_000, gaming_day=NEXT_DAY, late_day=DAY)
    page = pit_boss.get(THAT_DAY)
    assert rows_of(page) == before
    period = Period.objects.get(property_id=casino.pk, gaming_day=DAY, shift="")
    text = read(page)
    assert "State closed: as it closed" in text
    assert "Closed by Daniel Reyes PB-004 Approved by Leila Karimi AU-002" in text
    assert f"Hash of the report {bytes(period.report_hash).hex()}" in text
    assert BALANCES in text
    assert "2026-03-15 open" in text
    assert "2026-03-14 closed" in text


def test_a_shift_shows_what_its_entries_moved(pit_boss, casino, post, people):
    post(1_000, shift="day")
    post(250, shift="swing")
    close_shift(
        property_id=casino.pk, gaming_day=DAY, shift="day", actor=people[0], at=factories.NOON
    )
    day = pit_boss.get(f"{THAT_DAY}&shift=day")
    assert rows_of(day) == [
        ("1010 Cage cash", "10.00", "", "10.00", ""),
        ("3000 Equity", "", "10.00", "", "10.00"),
    ]
    assert "State closed: as it closed" in read(day)
    assert "Closed by Daniel Reyes PB-004 Approved by —" in read(day)
    swing = pit_boss.get(f"{THAT_DAY}&shift=swing")
    assert rows_of(swing)[0] == ("1010 Cage cash", "2.50", "", "2.50", "")
    assert "State open: so far" in read(swing)
    assert "Nothing stands in the books of that time." in read(
        pit_boss.get(f"{THAT_DAY}&shift=grave")
    )


def test_each_currency_balances_by_itself(pit_boss, post):
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
    page = pit_boss.get(THAT_DAY)
    text = read(page)
    assert text.index("In USD") < text.index("In JPY")
    assert text.count(BALANCES) == 2
    assert rows_of(page)[-2:] == [
        ("1010 Cage cash", "", "15,000", "", "15,000", ""),
        ("3100 Currency trading", "", "", "15,000", "", "15,000"),
    ]
    book = read_csv(pit_boss.get(f"/pit/books/trial-balance.csv?day={DAY}"))
    assert book[-2][2:] == ["1010", "Cage cash", "JPY", "0", "15000", "0", "15000", "0"]


def test_a_line_leads_to_its_accounts(pit_boss, post):
    post()
    page = pit_boss.get(THAT_DAY)
    assert 'href="/pit/books/accounts/?under=1010"' in page.text


def test_without_a_day_the_running_one_is_shown(pit_boss):
    page = pit_boss.get(ADDRESS)
    assert page.status_code == 200
    assert "State nothing was posted to it" in read(page)
    assert links(pit_boss.get("/pit/books/seals/"), "Trial balance") == [ADDRESS]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("day=soon", "Write the gaming day as 2026-03-14."),
        ("day=2026-3-14", "Write the gaming day as 2026-03-14."),
        (f"day={DAY}&shift=matinee", "There is no shift matinee."),
    ],
)
def test_what_is_no_period_is_refused_beside_its_field(pit_boss, asked, sentence):
    for address in (f"{ADDRESS}?{asked}", f"/pit/books/trial-balance.xlsx?{asked}"):
        refused = pit_boss.get(address)
        assert refused.status_code == 400
        assert f"<li>{sentence}</li>" in refused.text
        assert rows_of(refused) == []


def test_files_hold_the_rows_of_the_page(pit_boss, casino, open_table):
    open_table().play(4)
    rows = ledger.trial_balance(casino.pk, DAY)
    book = read_csv(pit_boss.get(f"/pit/books/trial-balance.csv?day={DAY}"))
    assert book[1:] == [
        [
            str(DAY),
            "",
            row.number,
            row.name,
            "USD",
            *(
                f"{minor / 100:.2f}"
                for minor in (
                    row.opening,
                    row.debits,
                    row.credits,
                    max(row.closing, 0),
                    max(-row.closing, 0),
                )
            ),
        ]
        for row in rows
    ]
    written = read_xlsx(pit_boss.get(f"/pit/books/trial-balance.xlsx?day={DAY}"))
    assert alike(written) == alike(book)
    assert {row[0] for row in written[1:]} == {DAY}


def test_another_propertys_books_are_not_added(pit_boss, macau, post):
    post()
    before = rows_of(pit_boss.get(THAT_DAY))
    poster(macau)()
    assert rows_of(pit_boss.get(THAT_DAY)) == before


def test_a_trial_balance_asks_no_more_for_more_accounts(pit_boss, casino, post, open_table):
    post()
    few = queries(pit_boss, THAT_DAY)
    for number in range(10):
        post(debit=f"1030/box:B{number}")
    assert queries(pit_boss, THAT_DAY) == few
