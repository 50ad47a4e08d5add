"""A file holds what the page shows: amounts as numbers, texts that no spreadsheet computes."""

from __future__ import annotations

import asyncio
import gc
import warnings
from datetime import date, datetime
from io import BytesIO
from zipfile import ZipFile, is_zipfile
from zoneinfo import ZoneInfo

import pytest
from django.test import RequestFactory
from django.test.client import AsyncRequestFactory
from hypothesis import given
from hypothesis import strategies as st

from tables.pit.books.files import FORMULAS, csv_response, harmless, xlsx_response
from tables.pit.books.sheets import Sheet
from tables.pit.records import Amount

from .conftest import read_book, read_csv

ROWS = (
    ("=1+1", Amount(minor=-123_450, currency="USD"), "USD", 7, date(2026, 3, 14)),
    ("Renée", Amount(minor=1_234, currency="KWD"), "KWD", None, None),
    ("@home", Amount(minor=1_234, currency="JPY"), "JPY", 0, None),
    ('two\nlines, quoted "', None, "", None, None),
)
WRITTEN = [
    ["Text", "Amount", "Currency", "Number", "Day"],
    ["'=1+1", "-1234.50", "USD", "7", "2026-03-14"],
    ["Renée", "1.234", "KWD", "", ""],
    ["'@home", "1234", "JPY", "0", ""],
    ['two\nlines, quoted "', "", "", "", ""],
]


def sheet(rows=ROWS) -> Sheet:
    return Sheet(
        name="books",
        title="Books: all/any [of] them, with a very long title",
        headings=("Text", "Amount", "Currency", "Number", "Day"),
        rows=rows,
        about=(("Property", "=Jade Harbour"),),
    )


@pytest.fixture
def request_():
    return RequestFactory().get("/")


def test_a_csv_holds_every_cell_exactly(request_):
    response = csv_response(request_, sheet())
    assert response["Content-Disposition"] == 'attachment; filename="books.csv"'
    assert response["Cache-Control"] == "no-store"
    assert read_csv(response) == WRITTEN


def test_a_workbook_holds_the_same_as_numbers(request_):
    content = xlsx_response(request_, sheet()).getvalue()
    read = read_book(content)
    assert read[1][4] == date(2026, 3, 14)
    read[1][4] = "2026-03-14"
    assert [[*row, *[""] * (5 - len(row))] for row in read] == WRITTEN
    with ZipFile(BytesIO(content)) as book:
        cells = book.read("xl/worksheets/sheet1.xml").decode()
        about = book.read("xl/worksheets/sheet2.xml").decode()
        styles = book.read("xl/styles.xml").decode()
    assert '<c r="B2" s="2"><v>-1234.50</v></c>' in cells
    assert "<f>" not in cells
    assert "'=Jade Harbour" in about
    for written in ("#,##0.000", "yyyy-mm-dd"):
        assert f'formatCode="{written}"' in styles


@pytest.mark.parametrize(
    ("at", "iso"),
    [
        ("2026-03-14T12:03:10.75-07:00", "2026-03-14T12:03:10-07:00"),
        ("2026-11-01T01:30:00-07:00", "2026-11-01T01:30:00-07:00"),
        ("2026-11-01T01:30:00-08:00", "2026-11-01T01:30:00-08:00"),
    ],
)
def test_a_moment_is_iso_text_in_a_csv_and_the_walls_time_in_a_workbook(request_, at, iso):
    moment = datetime.fromisoformat(at).astimezone(ZoneInfo("America/Los_Angeles"))
    written = sheet([("", moment)])
    assert read_csv(csv_response(request_, written))[1] == ["", iso]
    (_headings, row) = read_book(xlsx_response(request_, written).getvalue())
    assert row == ["", datetime.fromisoformat(iso).replace(tzinfo=None)]


def test_an_amount_beyond_what_a_spreadsheet_keeps_is_written_as_text(request_):
    large = Amount(minor=10**17 + 1, currency="USD")
    written = sheet([("", large, "USD", 1, None)])
    (_headings, row) = read_book(xlsx_response(request_, written).getvalue())
    assert row[1] == "1000000000000000.01"


def test_a_file_is_sent_as_it_is_read(request_):
    read = []

    def rows():
        for number in range(1_200):
            read.append(number)
            yield (str(number), None, "", None, None)

    chunks = iter(csv_response(request_, sheet(rows())))
    next(chunks)
    assert len(read) == 500
    assert len(b"".join(chunks).splitlines()) == 700
    assert len(read) == 1_200


@pytest.mark.parametrize("respond", [csv_response, xlsx_response])
def test_an_asynchronous_server_gets_the_same_rows(request_, respond):
    async def received() -> bytes:
        response = respond(AsyncRequestFactory().get("/"), sheet())
        return b"".join([chunk async for chunk in response])

    assert rows_in(asyncio.run(received())) == rows_in(respond(request_, sheet()).getvalue())


def rows_in(content: bytes) -> bytes:
    """Return the rows of either kind of file; a workbook also says when it was made."""
    if not is_zipfile(BytesIO(content)):
        return content
    with ZipFile(BytesIO(content)) as book:
        return book.read("xl/worksheets/sheet1.xml")


@pytest.mark.django_db(transaction=True)  # the end of a response lets go of connections too
def test_a_workbook_that_nobody_waits_for_is_let_go(request_):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        xlsx_response(request_, sheet()).close()
        gc.collect()


@pytest.mark.parametrize("text", ["\n=1+1", "  @home", "\r\n -2", "\nplain", "\u00a0+1"])
def test_a_formula_behind_blanks_is_harmless_too(text):
    assert harmless(text) == f"'{text}"


@given(text=st.text())
def test_no_text_begins_a_formula(text):
    assert not harmless(text).startswith(FORMULAS)
    assert not harmless(text).lstrip().startswith(FORMULAS)
    assert harmless(text).removeprefix("'") == text.removeprefix("'")
