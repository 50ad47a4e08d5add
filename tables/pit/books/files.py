"""A sheet becomes CSV or XLSX as it is read; amounts are numbers in major units.

CSV writes dates and moments as ISO 8601 does, a moment with its offset. A workbook has cells of
dates, which know no zone: its moments are those of the wall, so the heading names the zone.

A text never becomes a formula in a spreadsheet, and no amount passes through a float.

Source: ledger.md 1.8 (decimals on pages and in files for people); OWASP, "CSV Injection".
"""

from __future__ import annotations

import csv
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from io import StringIO
from tempfile import TemporaryFile
from typing import IO, Any, Final

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from casino.web.amounts import minor_digits
from tables.pit.books.sheets import Cell, Sheet
from tables.pit.records import Amount

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for the beginning of a formula, also behind blanks."""
MARK: Final = "\ufeff"
"""By which spreadsheets know UTF-8."""
EXACT: Final = 10**15
"""A spreadsheet keeps 15 digits of a number; an amount from here on is written as text."""
CHUNK: Final = 64 * 1024
DATE: Final = "yyyy-mm-dd"
MOMENT: Final = "yyyy-mm-dd hh:mm:ss"
ROWS: Final = 500
"""Rows of CSV that are sent together."""


def harmless(text: str) -> str:
    """Return *text* as a spreadsheet shows it and never computes it."""
    is_formula = text.startswith(FORMULAS) or text.lstrip().startswith(FORMULAS)
    return f"'{text}" if is_formula else text


def csv_response(request: HttpRequest, sheet: Sheet) -> StreamingHttpResponse:
    """Answer *sheet* as CSV (RFC 4180, UTF-8), row by row."""
    return _answer(request, _csv_chunks(sheet), f"{sheet.name}.csv", "text/csv; charset=utf-8")


def xlsx_response(request: HttpRequest, sheet: Sheet) -> StreamingHttpResponse:
    """Answer *sheet* as a workbook, with a second sheet that says what it is of.

    A workbook is a zip whose directory comes last: it is whole on disk before it is sent, and
    never in memory.
    """
    file = TemporaryFile()  # noqa: SIM115  closed with the response
    _write_workbook(file, sheet)
    file.seek(0)
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    chunks = _file_chunks(file)
    return _answer(request, chunks, f"{sheet.name}.xlsx", kind, let_go=file.close)


WRITERS: Final[dict[str, Callable[[HttpRequest, Sheet], StreamingHttpResponse]]] = {
    "csv": csv_response,
    "xlsx": xlsx_response,
}


class _Chunks:
    """A file on its way; it is let go of at its end, or when nobody wants the rest."""

    def __init__(self, chunks: Iterator[bytes], let_go: Callable[[], None]) -> None:
        self.chunks, self.let_go = chunks, let_go

    def close(self) -> None:
        """Let go of what the file was read from; the server calls this however it ended."""
        self.let_go()


class _Now(_Chunks):
    def __iter__(self) -> Iterator[bytes]:
        return self.chunks


class _Later(_Chunks):
    # Django would read the whole of a plain iterator first where the server is asynchronous.
    async def __aiter__(self) -> AsyncIterator[bytes]:
        language = get_language()

        def following() -> bytes:
            with translation.override(language):
                return next(self.chunks, b"")

        while chunk := await sync_to_async(following)():
            yield chunk


def _nothing() -> None:
    """Let go of nothing: rows that were not read are not held either."""


def _answer(
    request: HttpRequest,
    chunks: Iterator[bytes],
    name: str,
    kind: str,
    *,
    let_go: Callable[[], None] = _nothing,
) -> StreamingHttpResponse:
    way = _Later if isinstance(request, ASGIRequest) else _Now
    return StreamingHttpResponse(
        way(chunks, let_go),
        content_type=kind,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
        },
    )


# --- CSV


def _csv_chunks(sheet: Sheet) -> Iterator[bytes]:
    text = StringIO()
    writer = csv.writer(text)
    text.write(MARK)
    writer.writerow([harmless(str(heading)) for heading in sheet.headings])
    for number, row in enumerate(sheet.rows, start=1):
        writer.writerow([_csv_cell(cell) for cell in row])
        if number % ROWS == 0:
            yield _taken(text)
    yield _taken(text)


def _taken(text: StringIO) -> bytes:
    content = text.getvalue()
    text.seek(0)
    text.truncate()
    return content.encode()


def _csv_cell(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case Amount():
            return str(_major(cell))
        case datetime():
            return cell.isoformat(timespec="seconds")
        case date():
            return cell.isoformat()
        case int():
            return str(cell)
    return harmless(str(cell))


def _major(amount: Amount) -> Decimal:
    return Decimal(amount.minor).scaleb(-minor_digits(amount.currency))


# --- XLSX


def _write_workbook(file: IO[bytes], sheet: Sheet) -> None:
    with Workbook(file, {"constant_memory": True}) as book:
        bold = book.add_format({"bold": True})
        page = book.add_worksheet(_tab(sheet.title))
        page.freeze_panes(1, 0)
        page.set_row(0, None, bold)
        for column, heading in enumerate(sheet.headings):
            page.write_string(0, column, harmless(str(heading)))
        page.set_column(0, len(sheet.headings) - 1, 18)
        formats = _Formats(book)
        for number, row in enumerate(sheet.rows, start=1):
            for column, cell in enumerate(row):
                _write_cell(page, number, column, cell, formats)
        about = book.add_worksheet(_tab(_("About")))
        about.set_column(0, 1, 40)
        for number, (term, words) in enumerate(sheet.about):
            about.write_string(number, 0, harmless(str(term)), bold)
            _write_cell(about, number, 1, words, formats)


class _Formats:
    """How numbers are shown: amounts with the decimals of their currency, days and moments."""

    def __init__(self, book: Any) -> None:
        self.book = book
        self.made: dict[str, Format] = {}

    def amount(self, currency: str) -> Format:
        digits = minor_digits(currency)
        return self.shown_as("#,##0" + ("." + "0" * digits if digits else ""))

    def shown_as(self, form: str) -> Format:
        if form not in self.made:
            # A day stands below its heading, on the same side as that.
            side = {"align": "left"} if form in {DATE, MOMENT} else {}
            self.made[form] = self.book.add_format({"num_format": form, **side})
        return self.made[form]


def _write_cell(page: Worksheet, row: int, column: int, cell: Cell, formats: _Formats) -> None:
    match cell:
        case None:
            return
        case Amount() if abs(cell.minor) < EXACT:
            page.write_number(row, column, _major(cell), formats.amount(cell.currency))
        case datetime():
            on_the_wall = cell.replace(microsecond=0, tzinfo=None)
            page.write_datetime(row, column, on_the_wall, formats.shown_as(MOMENT))
        case date():
            page.write_datetime(row, column, cell, formats.shown_as(DATE))
        case int():
            page.write_number(row, column, cell)
        case _:
            page.write_string(row, column, _csv_cell(cell))


def _tab(title: Any) -> str:
    # A tab has at most 31 characters, and none of these.
    return str(title).translate({ord(sign): " " for sign in "[]:*?/\\"})[:31]


def _file_chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk
