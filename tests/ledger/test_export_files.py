"""A file is there whole or not at all; a table is exact, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import stat
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.export.files import FileStandsError, write_files
from ledger.export.tables import RISKY, accounts_table, postings_table, safe
from tests.ledger.test_export_journal import UNHURRIED, all_books, books_of, entry, exchange
from tests.ledger.test_export_names import account


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_text_is_written_as_it_is_and_for_its_owner_alone(tmp_path):
    path = tmp_path / "books.txt"
    write_files({path: ["one\r\n", "賭場 🀄\n"]}, force=False)
    assert path.read_bytes() == "one\r\n賭場 🀄\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(files(tmp_path)) == ["books.txt"]


def test_what_is_there_stays_unless_force_is_used(tmp_path):
    path, other = tmp_path / "books.txt", tmp_path / "others.txt"
    path.write_text("old")
    with pytest.raises(FileStandsError, match=r"books\.txt is there already; --force replaces it"):
        write_files({other: ["new"], path: ["new"]}, force=False)
    assert files(tmp_path) == {"books.txt": b"old"}
    write_files({other: ["new"], path: ["new"]}, force=True)
    assert files(tmp_path) == {"books.txt": b"new", "others.txt": b"new"}


def test_link_that_leads_nowhere_is_there_too(tmp_path):
    (tmp_path / "books.txt").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileStandsError):
        write_files({tmp_path / "books.txt": ["new"]}, force=False)


@pytest.mark.parametrize("make", ["mkdir", "symlink"])
def test_force_replaces_files_alone(tmp_path, make):
    path = tmp_path / "books.txt"
    path.mkdir() if make == "mkdir" else path.symlink_to("/dev/null")
    with pytest.raises(FileStandsError, match="no plain file"):
        write_files({path: ["new"]}, force=True)
    assert path.is_symlink() or path.is_dir()


def test_failure_on_the_way_leaves_everything_as_it_was(tmp_path):
    def broken():
        yield "half"
        raise RuntimeError("the database went away")

    path, other = tmp_path / "books.txt", tmp_path / "others.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError, match="went away"):
        write_files({path: ["new"], other: broken()}, force=True)
    assert files(tmp_path) == {"books.txt": b"old"}


def test_file_that_comes_up_meanwhile_is_not_replaced(tmp_path):
    path = tmp_path / "books.txt"

    def overtaken():
        path.write_text("another's")
        yield "new"

    with pytest.raises(FileStandsError):
        write_files({path: overtaken()}, force=False)
    assert files(tmp_path) == {"books.txt": b"another's"}


def read_table(form, books):
    """Return the rows that a program reads, each by its column's name."""
    text = "".join(form(books))
    return list(csv.DictReader(StringIO(text, newline=""), strict=True))


def meant(cell):
    """Return what a text cell means: one leading apostrophe is not part of it."""
    return cell.removeprefix("'")


@UNHURRIED
@given(books=all_books())
def test_table_of_postings_reads_back_as_the_postings(books):
    assert [
        (
            int(row["entry_id"]),
            *(meant(row[name]) for name in ("kind", "source", "approver", "memo")),
            row["gaming_day"],
            row["account"],
            row["currency"],
            int(row["line"]),
            int(row["amount_minor"]),
        )
        for row in read_table(postings_table, books)
    ] == [
        (
            each.id,
            *(each.kind, each.source, each.approver, each.memo),
            str(each.gaming_day),
            posting.account.code,
            posting.account.currency,
            posting.line,
            posting.amount,
        )
        for each in books.entries()
        for posting in each.postings
    ]


@given(text=st.text() | st.sampled_from(RISKY).flatmap(lambda sign: st.text().map(sign.__add__)))
def test_cell_of_text_begins_no_formula_and_comes_back(text):
    assert meant(safe(text)) == text
    assert safe(text).startswith("'") or not text.startswith(RISKY)


def test_amounts_stand_in_minor_units_and_in_the_digits_of_their_currency():
    rows = read_table(postings_table, books_of(exchange()))
    assert [(row["amount_minor"], row["amount"], row["currency"]) for row in rows[4:]] == [
        ("15000", "15000", "JPY"),
        ("-15000", "-15000", "JPY"),
        ("10000", "100.00", "USD"),
        ("-10000", "-100.00", "USD"),
    ]
    assert {row["rate_sold"] for row in rows[4:]} == {"1"}


def test_rows_end_as_the_standard_says():
    text = "".join(accounts_table(books_of(exchange())))
    assert text.startswith("account,number,name,type,side,")
    assert text.count("\r\n") == text.count("\n") == 11


def test_negative_amount_is_a_number_and_not_escaped():
    tray, box = account("1120/table:3"), account("4910/box:2")
    (debit, credit) = read_table(
        postings_table, books_of([entry(1, (tray, 5), (box, -5), memo="-5+2")])
    )
    assert (debit["amount"], credit["amount"], credit["memo"]) == ("0.05", "-0.05", "'-5+2")


def test_table_of_accounts_tells_both_ends_of_the_range():
    rows = read_table(accounts_table, books_of(exchange(), opening={4: 100, 10: -100}))
    tray = next(row for row in rows if row["account"] == "1120/table:3")
    assert tray == {
        "account": "1120/table:3",
        "number": "1120",
        "name": "Table inventory (tray)",
        "type": "asset",
        "side": "debit",
        "instrument": "value_chip",
        "currency": "USD",
        "opened_at": "2026-03-14T00:00:00Z",
        "closed_at": "",
        "opening_minor": "100",
        "opening": "1.00",
        "closing_minor": "600",
        "closing": "6.00",
    }
    assert [row["account"] for row in rows] == sorted(row["account"] for row in rows)
