"""Entries are found by what is known of them; nothing is guessed, and nobody else's is shown."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal
from urllib.parse import unquote, urlencode

import pytest
from django.utils import timezone

from casino.staff.models import Employee
from casino.staff.roles import Role
from casino.web.amounts import amount_text
from casino.web.cursors import write_cursor
from ledger import selectors as ledger
from ledger.money import Money
from ledger.services.days import close_day
from ledger.services.exchange import exchange_legs
from ledger.services.posting import Leg
from ledger.services.reversal import correct_entry, reverse_entry
from ledger.services.templates import Places
from tests import factories
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

ADDRESS = "/pit/books/entries/"


def ids(response) -> list[int]:
    """Return the keys of the entries that the page lists, in its order."""
    return [
        int(key)
        for key in re.findall(r'<th scope="row"><a href="/pit/entries/(\d+)/["?]', response.text)
    ]


@pytest.fixture
def find(pit_boss):
    """Return a function that searches and returns the keys of what is found."""

    def found(**asked) -> list[int]:
        response = pit_boss.get(f"{ADDRESS}?{urlencode(asked)}")
        assert response.status_code == 200, response.text
        return ids(response)

    return found


@pytest.fixture
def booked(casino, post):
    """Return entries of two days, tables, kinds, persons and amounts, by what they differ in."""
    (opening,) = ledger.entries(casino.pk)
    people = {each.number: f"employee:{each.pk}" for each in Employee.objects.all()}
    tables = {code: f"table:{factories.a_table(casino, code).pk}" for code in ("T1", "T2")}
    return {
        "opening": opening.id,
        "plain": post().id,
        "other day": post(gaming_day=NEXT_DAY).id,
        "table": post(table=tables["T1"]).id,
        "other table": post(table=tables["T2"]).id,
        "kind": post(kind="cash_buy_in").id,
        "amount": post(123_450).id,
        "credit": post(77, debit=EQUITY, credit=CAGE).id,
        "person": post(actor=people["AU-002"]).id,
        "approver": post(approver=people["SV-009"]).id,
        "memo": post(memo="Seat 4 was PAID as seat 5.").id,
        "all": post(
            123_450,
            gaming_day=NEXT_DAY,
            table=tables["T1"],
            kind="cash_buy_in",
            actor=people["AU-002"],
            memo="Paid.",
        ).id,
    }


def test_without_a_filter_all_entries_stand_newest_first(find, booked):
    assert find() == sorted(booked.values(), reverse=True)


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"day": "2026-03-15"}, ["other day", "all"]),
        ({"day": "2026-03-14", "until": "2026-03-15", "table": "T1"}, ["table", "all"]),
        ({"table": "T2"}, ["other table"]),
        ({"kind": "cash_buy_in"}, ["kind", "all"]),
        ({"amount": "1,234.50"}, ["amount", "all"]),
        ({"amount": "1234.5"}, ["amount", "all"]),
        ({"amount": "0.77"}, ["credit"]),
        ({"amount": "0.78"}, []),
        ({"person": "AU-002"}, ["person", "all"]),
        ({"person": "leila"}, ["person", "all"]),
        ({"person": "Arthur Quinn"}, ["approver"]),
        ({"text": "paid", "day": "2026-03-14"}, ["memo"]),
        ({"text": "paid", "day": "2026-03-14", "until": "2026-03-15"}, ["memo", "all"]),
        ({"table": "T1", "kind": "cash_buy_in"}, ["all"]),
        ({"table": "T2", "kind": "cash_buy_in"}, []),
        ({"amount": "1234.50", "person": "AU-002"}, ["all"]),
        (
            {
                "day": "2026-03-15",
                "until": "2026-03-15",
                "table": "T1",
                "kind": "cash_buy_in",
                "amount": "1,234.50",
                "person": "AU-002",
                "text": "paid",
            },
            ["all"],
        ),
    ],
)
def test_each_filter_finds_exactly_what_it_says(find, booked, asked, names):
    assert sorted(find(**asked)) == sorted(booked[name] for name in names)


def test_the_days_of_a_range_count_both(find, booked):
    first = find(day="2026-03-14")
    assert find(day="2026-03-14", until="2026-03-15") == sorted(
        {*first, *find(day="2026-03-15")}, reverse=True
    )


def test_an_entry_is_found_by_its_number_in_all_of_history(find, post):
    post()
    wanted = post()
    assert find(text=str(wanted.public_id)) == [wanted.id]
    assert find(text=f"ent_{wanted.public_id}") == [wanted.id]
    assert find(text=str(wanted.id)) == [wanted.id]
    assert find(text=str(wanted.id + 1)) == []
    assert find(text=str(wanted.id), kind="cash_buy_in") == []


def test_digits_within_days_are_looked_for_in_words(find, post):
    told = post(memo="Slip 4711.")
    assert find(text="4711", day="2026-03-14") == [told.id]


@pytest.mark.parametrize(
    ("asked", "field", "sentence"),
    [
        ({"day": "14.3.2026"}, "day", "Write the gaming day as 2026-03-14."),
        ({"day": "2026-02-30"}, "day", "Write the gaming day as 2026-03-14."),
        ({"until": "2026-03-14"}, "day", "Say on which gaming day the range begins."),
        ({"day": "2026-03-14", "until": "2026-03-13"}, "until", "The range ends before it begins."),
        ({"table": "T9"}, "table", "There is no table T9."),
        ({"kind": "theft"}, "kind", "There is no kind of entry called theft."),
        ({"amount": "1,50"}, "amount", "Write the amount in plain digits, such as 25.00."),
        ({"amount": "1.005"}, "amount", "Write the amount in plain digits, such as 25.00."),
        ({"amount": "0"}, "amount", "No entry moves nothing."),
        ({"person": "Nobody"}, "person", "Nobody at Jade Harbour has this name or number."),
        (
            {"person": "r"},
            "person",
            "Several people are meant: Jonas Weber AD-001, Leila Karimi AU-002, Sofia Marino "
            "CC-117 and 6 more. Write the number of one.",
        ),
        ({"text": "paid"}, "text", "Say within which gaming days to look for this text."),
    ],
)
def test_a_wrong_value_is_refused_beside_its_field(pit_boss, booked, asked, field, sentence):
    refused = pit_boss.get(f"{ADDRESS}?{urlencode(asked)}")
    assert refused.status_code == 400
    assert re.search(
        rf'<ul class="errorlist" id="id_{field}_error"><li>{re.escape(sentence)}', refused.text
    )
    assert 'aria-invalid="true" aria-describedby="' in refused.text
    assert ids(refused) == []
    file = pit_boss.get(f"{ADDRESS.removesuffix('/')}.csv?{urlencode(asked)}")
    assert file.status_code == 400
    assert sentence in file.text


def test_the_person_is_one_of_this_property(pit_boss, macau):
    assert pit_boss.get(f"{ADDRESS}?person=PB-900").status_code == 400


def test_entries_of_another_property_are_not_there(client, pit_boss, casino, macau, post):
    theirs = poster(macau)(key="theirs").id
    post()
    assert theirs not in ids(pit_boss.get(ADDRESS))
    client.post("/sign-in/", {"number": "PB-900", "password": "jade-harbour"})
    assert ids(client.get(ADDRESS)) == [theirs]
    assert client.get(f"{ADDRESS}?table=T1").status_code == 400
    assert client.get(f"/pit/entries/{theirs}/").status_code == 200


def offered(response) -> list[str]:
    """Return the kinds that the search offers."""
    picker = response.text.partition('<select name="kind"')[2].partition("</select>")[0]
    return re.findall(r'<option value="(\w+)"', picker)


def test_only_kinds_that_stand_in_the_books_are_offered(pit_boss, macau, post):
    poster(macau)(kind="comp_earned")
    assert offered(pit_boss.get(ADDRESS)) == ["opening_balance"]
    post(kind="cash_buy_in")
    post(kind="seat_paid_twice")
    page = pit_boss.get(ADDRESS)
    assert offered(page) == ["cash_buy_in", "opening_balance", "seat_paid_twice"]
    assert ">Seat paid twice</option>" in page.text


def test_a_question_that_was_kept_is_asked_before_the_first_of_its_kind(pit_boss, post):
    post()
    page = pit_boss.get(f"{ADDRESS}?kind=comp_earned")
    assert rows_of(page) == []
    assert offered(page) == ["comp_earned", "opening_balance"]


def test_an_entry_leads_back_to_what_was_asked_for(pit_boss, post):
    entry = post(1_000)
    asked = f"{ADDRESS}?table=&kind=opening_balance&amount=10.00"
    (address, *_more) = links(pit_boss.get(asked), "Opening balance")
    page = pit_boss.get(address)
    assert links(page, "Back to the entries found") == [asked]
    assert re.search('href="/pit/books/entries/" aria-current="page">Entries<', page.text)
    assert f"Ledger entry {entry.id}" in read(page)
    statement = f"/pit/books/statement/?account={CAGE}"
    (address, *_more) = links(pit_boss.get(statement), "Opening balance")
    (back,) = links(pit_boss.get(address), "Back to the statement")
    assert unquote(back) == statement
    assert links(pit_boss.get(f"/pit/entries/{entry.id}/"), "All entries") == [ADDRESS]


def test_the_way_back_is_kept_from_one_entry_to_another(pit_boss, casino, post):
    boss = f"employee:{Employee.objects.get(number='PB-004').pk}"
    wrong = post()
    reverse_entry(
        property_id=casino.pk,
        entry_id=wrong.id,
        key="back",
        actor=boss,
        approver=f"employee:{Employee.objects.get(number='AU-002').pk}",
        at=factories.NOON,
        gaming_day=DAY,
        reason="Counted twice.",
    )
    asked = f"{ADDRESS}?kind=reversal"
    (address,) = links(pit_boss.get(asked), "Taken back")
    (address,) = links(pit_boss.get(address), str(wrong.public_id))
    assert links(pit_boss.get(address), "Back to the entries found") == [asked]


@pytest.mark.parametrize(
    "back",
    ["https://elsewhere.example/pit/?x=1", "//elsewhere.example?x", "/pit/?pit=1", "javascript:1"],
)
def test_an_entry_leads_nowhere_else(pit_boss, post, back):
    page = pit_boss.get(f"/pit/entries/{post().id}/?{urlencode({'back': back})}")
    assert links(page, "All entries") == [ADDRESS]
    assert "Back to" not in page.text


def test_cursors_walk_all_entries_once(pit_boss, casino, post):
    for number in range(120):
        post(kind="cash_buy_in" if number % 10 else "opening_balance")
    address, walked, pages = f"{ADDRESS}?kind=cash_buy_in", [], 0
    while address:
        page = pit_boss.get(address)
        walked += ids(page)
        pages += 1
        address = next(iter(links(page, "Go on")), "").removesuffix("#rows")
    assert pages == 3
    every = ledger.entries(casino.pk, kind="cash_buy_in", limit=200)
    assert walked == [entry.id for entry in reversed(every)]


def test_a_cursor_of_another_question_is_refused(pit_boss, casino, post):
    post()
    cursor = write_cursor(1, bound_to={"list": "rows", "property": casino.pk}, at=timezone.now())
    refused = pit_boss.get(f"{ADDRESS}?rows={cursor}")
    assert refused.status_code == 400
    assert "This cursor was given out for another filter" in refused.text


def test_a_row_says_who_where_and_why(pit_boss, open_table):
    shift = open_table()
    done = next(done for done in shift.play(5) if done.entry)
    page = pit_boss.get(f"{ADDRESS}?kind=round_settled&table=T1")
    row = next(row for row in rows_of(page) if f"Round {done.round.number}," in row[4])
    (entry,) = ledger.details([ledger.entry_detail(done.entry.id).entry])
    debits = sum(line.amount for line in entry.lines if line.amount > 0)
    assert row == (
        str(entry.entry.id),
        row[1],
        "Round settled",
        "T1 #1",
        f"Round {done.round.number}, table T1",
        "Mei Tran DL-210",
        amount_text(debits, "USD"),
    )
    assert re.fullmatch(r"12:0\d:\d\d PDT", row[1])
    assert "Amounts are in USD where no currency is written beside them." in page.text
    assert f'href="/pit/rounds/{done.round.pk}/"' in page.text
    assert f'href="/pit/sessions/{shift.session.pk}/"' in page.text


def test_marks_say_in_words_what_became_of_an_entry(pit_boss, casino, post):
    boss, auditor = (
        f"employee:{Employee.objects.get(number=number).pk}" for number in ("PB-004", "AU-002")
    )
    wrong, short = post(), post(2_000)
    taken_back = reverse_entry(
        property_id=casino.pk,
        entry_id=wrong.id,
        key="back",
        actor=boss,
        approver=auditor,
        at=factories.NOON,
        gaming_day=DAY,
        reason="Counted twice.",
    )
    anew = post(900, restates=wrong.id)
    correction = correct_entry(
        property_id=casino.pk,
        entry_id=short.id,
        key="more",
        kind="late_payment",
        legs=[
            Leg(account=CAGE, amount=50, event="late_payment"),
            Leg(account=EQUITY, amount=-50, event="late_payment"),
        ],
        source="test:more",
        actor=boss,
        approver=auditor,
        at=factories.NOON,
        gaming_day=DAY,
        reason="A chip was forgotten.",
    )
    for day in (DAY - timedelta(days=1), DAY):
        close_day(
            property_id=casino.pk, gaming_day=day, actor=boss, approver=auditor, at=factories.NOON
        )
    late = post(gaming_day=NEXT_DAY, late_day=DAY)
    page = pit_boss.get(ADDRESS)
    said = dict(zip(ids(page), [row[2] for row in rows_of(page)], strict=True))
    assert said[wrong.id] == "Opening balance reversed"
    assert said[taken_back.id] == "Taken back reversal"
    assert said[anew.id] == "Opening balance restated"
    assert said[short.id] == "Opening balance"
    assert said[correction.id] == "Late payment to a patron correction"
    assert said[late.id] == "Opening balance late"

    first, second = (pit_boss.get(f"/pit/entries/{each.id}/") for each in (wrong, short))
    assert (
        f'Taken back by</dt><dd class="code"><a href="/pit/entries/{taken_back.id}/"' in first.text
    )
    assert f'Told anew by</dt><dd class="code"><a href="/pit/entries/{anew.id}/"' in first.text
    assert (
        f'Corrected by</dt><dd class="code"><a href="/pit/entries/{correction.id}/"' in second.text
    )
    assert f'Corrects</dt><dd class="code"><a href="/pit/entries/{short.id}/"' in (
        pit_boss.get(f"/pit/entries/{correction.id}/").text
    )
    assert f'Tells anew</dt><dd class="code"><a href="/pit/entries/{wrong.id}/"' in (
        pit_boss.get(f"/pit/entries/{anew.id}/").text
    )
    assert "Late for 2026-03-14 , which was closed by then" in read(
        pit_boss.get(f"/pit/entries/{late.id}/")
    )


def test_an_exchange_is_written_in_both_currencies(pit_boss, casino, post):
    exchange = exchange_legs(
        sold=Money(10_000, "JPY"),
        currency="USD",
        rate=(15_000, 10_000),
        own_currency="USD",
        places=Places(window="main"),
    )
    entry = post(legs=exchange.legs, rate=exchange.rate, kind="currency_exchanged")
    page = pit_boss.get(f"{ADDRESS}?kind=currency_exchanged")
    assert rows_of(page)[0][-1] == "10,000 JPY 66.66 USD"
    text = read(pit_boss.get(f"/pit/entries/{entry.id}/"))
    assert "Rate 100.00 USD for 15,000 JPY" in text
    assert "Sum JPY 10,000 10,000 Sum USD 66.66 66.66" in text


def test_files_hold_the_rows_of_the_page(pit_boss, casino, open_table, post):
    shift = open_table()
    shift.void(shift.play(30)[-1], "Seat 2 was paid for a push.")
    post(kind="cash_buy_in", memo="@once", at=factories.NOON)
    asked = "?day=2026-03-14"
    paper = rows_of(pit_boss.get(f"{ADDRESS}{asked}&print=1"))
    book = read_csv(pit_boss.get(f"/pit/books/entries.csv{asked}"))
    assert len(book) - 1 == len(paper) > 30
    for row, shown in zip(book[1:], paper, strict=True):
        marks = f" {row[3].replace(',', '')}" if row[3] else ""
        approver = f" approved by {row[8]}" if row[8] else ""
        assert row[0] == "2026-03-14"
        assert row[1] == f"2026-03-14T{shown[1].removesuffix(' PDT')}-07:00"
        assert shown[0] == row[13]
        assert shown[2:] == (
            f"{row[2]}{marks}",
            row[5] or "—",
            row[6],
            f"{row[7]}{approver}",
            f"{Decimal(row[10]):,.2f}",
        )
        assert row[11] == "USD"
    assert "'@once" in {row[9] for row in book}
    written = read_xlsx(pit_boss.get(f"/pit/books/entries.xlsx{asked}"))
    assert alike(written) == alike(book)
    assert written[0][1] == "Time (America/Los_Angeles)"
    assert {row[0] for row in written[1:]} == {DAY}
    assert {type(row[1]) for row in written[1:]} == {datetime}
    assert [row[13] for row in book[1:]] == [
        str(entry.id) for entry in ledger.search_entries(casino.pk, days=(DAY, DAY), limit=100)
    ]


def test_a_file_is_of_what_was_asked_for(pit_boss, booked):
    book = read_csv(pit_boss.get("/pit/books/entries.csv?amount=1,234.50&person=AU-002"))
    assert [row[9] for row in book[1:]] == ["Paid."]


def test_a_search_asks_no_more_for_more_entries(pit_boss, open_table):
    shift = open_table()
    shift.play(3)
    few = queries(pit_boss, ADDRESS)
    shift.play(20)
    assert queries(pit_boss, ADDRESS) == few


def test_a_person_who_left_is_still_found(find, casino, post):
    gone = Employee.objects.create_employee(
        property=casino, number="DL-300", name="Noor Aziz", roles=(Role.DEALER,), pin="3001"
    )
    entry = post(actor=f"employee:{gone.pk}")
    gone.is_active = False
    gone.save()
    assert find(person="noor") == [entry.id]
