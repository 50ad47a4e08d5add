"""What is exported of real books proves itself elsewhere, at one moment, while others post."""

from __future__ import annotations

import csv
import itertools
import json
from collections import defaultdict
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from beancount import loader
from beancount.core.data import Balance as Assertion
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.models import F, Sum
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.api.serializers import TransactionDetailOutput, show_detail
from ledger.export import rows
from ledger.export.beancount import beancount_text
from ledger.export.hledger import hledger_text
from ledger.export.lines import json_lines
from ledger.export.rows import one_moment, read_books
from ledger.export.tables import postings_table
from ledger.models import Account, Balance, Denomination, Entry, Posting
from ledger.selectors import entry_detail, seal_of
from ledger.services.days import close_day
from ledger.services.posting import Leg
from ledger.services.reversal import correct_entry, reverse_entry
from ledger.services.sealing import seal_next
from ledger.services.templates import opening_legs
from tests.ledger.conftest import AT, DAY, NEXT_DAY, house, legs, poster
from tests.ledger.test_export_journal import (
    UNHURRIED,
    checked_by_hledger,
    load,
    read_hledger,
    written,
)
from tests.ledger.test_worked_day import ALL, DAY_BEFORE, OPENING, enter

pytestmark = pytest.mark.django_db(transaction=True)

YEN, DINARS = "1010/window:main/currency:JPY", "1010/window:main/currency:KWD"


def export(casino, form, *arguments):
    """Return what the command writes to the screen."""
    output = StringIO()
    call_command("ledger_export", casino.code, "--format", form, *arguments, stdout=output)
    return output.getvalue()


def held(casino):
    """Return what the books hold, by code and currency."""
    sums = Balance.objects.filter(account__property_id=casino.pk).values_list(
        "account__code", "currency"
    )
    return {
        (code, currency): int(amount)
        for code, currency, amount in sums.annotate(held=Sum(F("debit") - F("credit")))
    }


def proves_itself(casino, *arguments):
    """Return whether both programs find nothing wrong; Beancount comes to what the books hold."""
    errors, came_to = load(export(casino, "beancount", *arguments))
    text = export(casino, "hledger", *arguments)
    assert errors == []
    assert read_hledger(text)[0] == []
    assert checked_by_hledger(text) == ""
    return came_to == held(casino)


def close(casino, day):
    return close_day(
        property_id=casino.pk, gaming_day=day, actor="employee:12", approver="employee:13", at=AT
    )


@pytest.fixture
def worked():
    """Return the property of the specification after its day, both days closed."""
    casino = house("worked-day", is_sandbox=True)
    enter(casino, "opening", legs=opening_legs(OPENING), day=DAY_BEFORE)
    close(casino, DAY_BEFORE)
    for ref in ALL:
        enter(casino, ref)
    close(casino, DAY)
    return casino


@pytest.fixture
def varied(worked):
    """Return books with currencies, pieces, a reversal, what restates it, corrections, a memo."""
    post = poster(worked)
    post(
        key="counted",
        legs=[
            Leg(account="1120/table:1", amount=12500, event="fill", pieces=((2500, 1), (10000, 1))),
            Leg(account="1110", amount=-12500, event="fill"),
        ],
        gaming_day=NEXT_DAY,
        memo='=cmd|"/c calc"!A1\n\u202etxt 🀄, date:2019-01-01',
        table="table:1",
        session="session:1",
        shift="day",
        approver="employee:14",
    )
    capital = {YEN: 10_000_000, "3000/currency:JPY": -10_000_000}
    post(key="yen", legs=legs(*capital.items()), gaming_day=NEXT_DAY)
    capital = {DINARS: 5_000_123, "3000/currency:KWD": -5_000_123}
    post(key="dinars", legs=legs(*capital.items()), gaming_day=NEXT_DAY)
    trade = {
        "1010/window:main": 10000,
        "3100/pair:JPY-USD": -10000,
        "3100/pair:JPY-USD/currency:JPY": 15000,
        YEN: -15000,
    }
    post(key="exchange", legs=legs(*trade.items()), gaming_day=NEXT_DAY, rate=(10000, 15000))
    wrong = post(key="wrong", gaming_day=NEXT_DAY)
    signed = {"actor": "employee:12", "approver": "employee:13", "at": AT, "gaming_day": NEXT_DAY}
    reverse_entry(
        property_id=worked.pk,
        entry_id=wrong.id,
        key="undone",
        reason="Paid to the wrong seat",
        **signed,
    )
    told = post(key="told anew", gaming_day=NEXT_DAY, restates=wrong.id, late_day=DAY)
    correct_entry(
        property_id=worked.pk,
        entry_id=told.id,
        key="corrected",
        kind="entry_correction",
        legs=legs(("1120/table:3", 5), ("4010/session:7", -5)),
        source="round:812",
        reason="Five cents short",
        **signed,
    )
    return worked


def test_both_programs_come_to_the_worked_day(worked):
    assert proves_itself(worked)
    directives, _errors, options = loader.load_string(export(worked, "beancount"))
    assert options["title"] == "worked-day (worked-day), 2026-03-13 to 2026-03-14"
    assert options["operating_currency"] == ["USD"]
    asserted = {each.date for each in directives if isinstance(each, Assertion)}
    assert asserted == {DAY, NEXT_DAY}


def test_both_programs_come_to_books_of_several_currencies(varied):
    assert proves_itself(varied)
    came_to = load(export(varied, "beancount"))[1]
    assert came_to[YEN, "JPY"] == 10_000_000 - 15000
    assert came_to[DINARS, "KWD"] == 5_000_123
    assert "  5000.123 KWD\n" in export(varied, "beancount")


def test_range_opens_with_what_was_held_before(varied):
    for first in (DAY_BEFORE, DAY, NEXT_DAY, NEXT_DAY + timedelta(days=9)):
        assert proves_itself(varied, "--from", str(first))
    assert '"opening_balances"' not in export(varied, "beancount", "--from", str(DAY_BEFORE))
    assert export(varied, "beancount", "--from", str(DAY)).count('"opening_balances"') == 1


def test_range_ends_with_what_was_held_then(worked):
    before = held(worked)
    poster(worked)(gaming_day=NEXT_DAY)
    errors, came_to = load(export(worked, "beancount", "--to", str(DAY)))
    assert errors == []
    assert {place: amount for place, amount in came_to.items() if place in before} == before
    assert {came_to[place] for place in came_to.keys() - before.keys()} == {0}
    errors, came_to = load(
        export(worked, "beancount", "--from", str(DAY_BEFORE), "--to", str(DAY_BEFORE))
    )
    assert errors == []
    assert {code: amount for (code, _), amount in came_to.items() if code in OPENING} == OPENING


def test_empty_books_are_an_empty_journal():
    casino = house("new")
    assert proves_itself(casino)
    assert export(casino, "jsonl") == ""


def test_nothing_of_another_property_is_exported(worked):
    other = house("other")
    poster(other)()
    assert len(export(other, "jsonl").splitlines()) == 1
    assert export(worked, "jsonl").count("\n") == len(ALL) + 1
    assert held(other) == load(export(other, "beancount"))[1]


def test_amount_that_was_changed_behind_the_guards_is_found_elsewhere(worked, owner):
    owner.execute("ALTER TABLE ledger_posting DISABLE TRIGGER ledger_posting_frozen")
    owner.execute(
        "UPDATE ledger_posting SET amount = amount + 1"
        " WHERE id = (SELECT min(id) FROM ledger_posting WHERE amount > 0)"
    )
    owner.execute("ALTER TABLE ledger_posting ENABLE ALWAYS TRIGGER ledger_posting_frozen")
    said = [error.message for error in load(export(worked, "beancount"))[0]]
    assert any(sentence.startswith("Transaction does not balance: (0.01 USD)") for sentence in said)
    failed = "Balance failed for 'Assets:1010-Cage-cash:Window-main'"
    assert sum(sentence.startswith(failed) for sentence in said) == 3
    assert read_hledger(export(worked, "hledger"))[0]


def test_lines_say_what_the_api_says(varied):
    lines = [json.loads(line) for line in export(varied, "jsonl").splitlines()]
    assert [line["entry_id"] for line in lines] == list(
        Entry.objects.filter(property_id=varied.pk).order_by("pk").values_list("pk", flat=True)
    )
    for line in lines:
        detail = show_detail(entry_detail(line["entry_id"]), seal=seal_of(line["entry_id"]))
        shown = json.loads(json.dumps(TransactionDetailOutput(detail).data))
        # A line says what its entry corrects or tells anew; what does so to it, a later one says.
        del shown["corrections"], shown["restated_by"]
        assert {name: line.get(name) for name in shown} == shown


def test_lines_add_up_to_nothing_in_each_currency(varied):
    lines = [json.loads(line) for line in export(varied, "jsonl").splitlines()]
    for line in lines:
        sums = defaultdict(int)
        for leg in line["legs"]:
            sign = {"debit": 1, "credit": -1}[leg["amount"]["side"]]
            sums[leg["amount"]["currency"]] += sign * leg["amount"]["amount"]
        assert set(sums.values()) == {0}


def test_lines_tell_what_an_entry_refers_to(varied):
    counted, _yen, _dinars, exchange, wrong, undone, anew, corrected = [
        json.loads(line) for line in export(varied, "jsonl", "--from", str(NEXT_DAY)).splitlines()
    ]
    assert counted["memo"] == '=cmd|"/c calc"!A1\n\u202etxt 🀄, date:2019-01-01'
    assert counted["legs"][0]["pieces"] == [
        {"denomination": 10000, "pieces": 1},
        {"denomination": 2500, "pieces": 1},
    ]
    assert exchange["rate"] == {"sold": 10000, "bought": 15000}
    assert (undone["reverses"], wrong["reversed_by"]) == (wrong["id"], undone["id"])
    assert (anew["restates"], anew["late_day"]) == (wrong["id"], str(DAY))
    assert corrected["corrects"] == anew["id"]
    assert counted["rate"] is counted["late_day"] is counted["seal"] is None


def test_number_of_the_seal_stands_beside_its_entry(varied):
    assert seal_next(property_id=varied.pk, at=AT)
    lines = [json.loads(line) for line in export(varied, "jsonl").splitlines()]
    seals = {line["entry_id"]: line["seal"] for line in lines}
    assert seals == {entry_id: seal_of(entry_id) for entry_id in seals}
    assert None not in seals.values()


def test_tables_read_back_as_the_rows_of_the_books(varied, tmp_path):
    folder = tmp_path / "books"
    export(varied, "csv", "--output", str(folder))
    with (folder / "postings.csv").open(encoding="utf-8", newline="") as file:
        postings = list(csv.DictReader(file))
    with (folder / "accounts.csv").open(encoding="utf-8", newline="") as file:
        accounts = list(csv.DictReader(file))
    stored = Posting.objects.filter(property_id=varied.pk).order_by("entry_id", "line")
    pieces = defaultdict(list)
    for each in Denomination.objects.filter(property_id=varied.pk).order_by("-denomination"):
        pieces[each.posting_id].append(f"{each.denomination}x{each.pieces}")
    assert [
        (
            *(int(row[name]) for name in ("entry_id", "line", "amount_minor")),
            *(row[name] for name in ("account", "currency", "event", "gaming_day", "pieces")),
            row["memo"].removeprefix("'"),
        )
        for row in postings
    ] == [
        (
            *(each.entry_id, each.line, each.amount),
            *(each.account.code, each.currency, each.event, str(each.gaming_day)),
            " ".join(pieces[each.pk]),
            each.entry.memo,
        )
        for each in stored.select_related("account", "entry")
    ]
    assert {
        (row["account"], row["currency"]): int(row["closing_minor"]) for row in accounts
    } == held(varied)
    assert len(accounts) == Account.objects.filter(property_id=varied.pk).count()


def test_batches_have_no_seam(worked, monkeypatch):
    whole = export(worked, "jsonl")
    for batch in (1, 7, len(ALL) + 1):
        monkeypatch.setattr(rows, "BATCH", batch)
        assert export(worked, "jsonl") == whole


def test_entries_stay_in_the_database_until_they_are_written(worked):
    with one_moment():
        entries = read_books(worked).entries()
        assert next(entries).kind == "worked_day"
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_cursors WHERE statement LIKE '%ledger_seal%'")
            assert cursor.fetchone() == (1,)
        assert sum(1 for _ in entries) == len(ALL)


def test_export_is_of_one_moment_while_others_post(worked, together):
    post = poster(worked)

    def another(number):
        return lambda: post(key=f"meanwhile:{number}", gaming_day=NEXT_DAY)

    before = held(worked)
    with one_moment():
        books = read_books(worked)
        text = beancount_text(books)
        begun = next(text)
        (posted,) = together(another(1))
        rest = "".join(text)
        (also_posted,) = together(another(2))
        lines = "".join(json_lines(books))
    errors, came_to = load(begun + rest)
    assert errors == []
    assert came_to == before
    assert str(posted.public_id) not in begun + rest + lines
    assert lines.count("\n") == len(ALL) + 1
    assert str(also_posted.public_id) in export(worked, "jsonl")
    assert proves_itself(worked)


def test_export_sees_one_moment_and_cannot_write(casino):
    post = poster(casino)
    with one_moment(), connection.cursor() as cursor:
        cursor.execute("SHOW transaction_isolation")
        assert cursor.fetchone() == ("repeatable read",)
        with pytest.raises(DatabaseError, match="read-only transaction"):
            post()


SIDES = st.lists(
    st.tuples(
        st.sampled_from(["1120/table:3", "1100", "1110", "4910/box:2", "4910/box:2/reason:short"]),
        st.sampled_from(["4010/session:7", "3000", "5200", "2400/meter:1"]),
        st.integers(1, 10**15),
    ),
    min_size=1,
    max_size=4,
)
NUMBERS = itertools.count(1)


@pytest.mark.django_db(transaction=False)
@settings(UNHURRIED, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(
    posted=st.lists(st.tuples(SIDES, st.integers(0, 2)), min_size=1, max_size=6),
    closed=st.integers(0, 2),
    first=st.integers(0, 2),
)
def test_whatever_is_posted_comes_to_the_same_elsewhere(db, posted, closed, first):
    casino = house(f"books-{next(NUMBERS)}")
    for number, (moves, day) in enumerate(sorted(posted, key=lambda each: each[1])):
        both = [
            side for debit, credit, amount in moves for side in ((debit, amount), (credit, -amount))
        ]
        poster(casino)(key=f"key:{number}", legs=legs(*both), gaming_day=DAY + timedelta(days=day))
    for day in sorted({day for _, day in posted if day < closed}):
        close(casino, DAY + timedelta(days=day))
    for begin in (None, DAY + timedelta(days=first)):
        books = read_books(casino, first=begin)
        errors, came_to = load(written(beancount_text, books))
        assert errors == []
        assert came_to == held(casino)
        assert read_hledger(written(hledger_text, books))[0] == []
    rows_of = list(csv.DictReader(StringIO(written(postings_table, read_books(casino)))))
    assert sum(int(row["amount_minor"]) for row in rows_of) == 0
    assert len(rows_of) == sum(2 * len(moves) for moves, _ in posted)


def test_file_is_written_whole_and_stays(worked, tmp_path):
    path = tmp_path / "books.beancount"
    assert export(worked, "beancount", "--output", str(path)) == ""
    assert path.read_text(encoding="utf-8") == export(worked, "beancount")
    with pytest.raises(CommandError, match=r"--output: .* is there already; --force replaces it"):
        export(worked, "beancount", "--output", str(path))
    poster(worked)(gaming_day=NEXT_DAY)
    export(worked, "beancount", "--output", str(path), "--force")
    assert path.read_text(encoding="utf-8") == export(worked, "beancount")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere", "--format", "csv"], "property: there is no property 'nowhere'"),
        (
            ["golden-gate", "--format", "jsonl", "--from", "14.3."],
            "--from: '14.3.' is no day; write 2026-03-14",
        ),
        (
            ["golden-gate", "--format", "jsonl", "--to", "9999-12-31"],
            "--to: no gaming day lies beyond 0001-01-02 and 9999-12-30",
        ),
        (
            ["golden-gate", "--format", "jsonl", "--from", "2026-03-15", "--to", "2026-03-14"],
            "--to: 2026-03-14 lies before 2026-03-15, where --from begins",
        ),
        (
            ["golden-gate", "--format", "csv"],
            "--output: csv is two files; name a folder for them",
        ),
        (
            ["golden-gate", "--format", "csv", "--output", "manage.py"],
            "--output: manage.py is a file, and csv is a folder of two",
        ),
        (
            ["golden-gate", "--format", "jsonl", "--output", "ledger"],
            "--output: ledger is a folder, and jsonl is one file",
        ),
        (
            ["golden-gate", "--format", "jsonl", "--output", "nowhere/books"],
            "--output: No such file or directory",
        ),
        (
            ["golden-gate", "--format", "csv", "--output", "nowhere/books"],
            "--output: No such file or directory",
        ),
    ],
)
def test_refusal_is_one_sentence_that_names_the_argument(casino, arguments, sentence, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    with pytest.raises(CommandError) as refused:
        call_command("ledger_export", *arguments, stdout=StringIO())
    assert str(refused.value) == sentence
