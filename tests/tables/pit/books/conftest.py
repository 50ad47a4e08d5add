"""Entries to be found, posted by the ledger's own services, and pages and files read back."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from html import unescape
from html.parser import HTMLParser
from io import BytesIO, StringIO
from itertools import count
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from casino.properties.models import Property
from casino.properties.services import open_property
from casino.staff.models import Employee
from casino.staff.roles import Role
from ledger.services.posting import Leg, PostedEntry, post_entry
from tables.demo import house
from tests import factories

DAY = date(2026, 3, 14)
NEXT_DAY = date(2026, 3, 15)
CAGE = "1010/window:main"
EQUITY = "3000"
OFFSET = re.compile(r"(T[0-9:]{8})[+-][0-9]{2}:[0-9]{2}$")
SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


class Rows(HTMLParser):
    """The rows of the tables in a page's main part, each a tuple of its cells' texts."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, ...]] = []
        self.cells: list[list[str]] = []
        self.is_body = False

    def handle_starttag(self, tag, attrs):
        if tag in {"thead", "tbody", "tfoot"}:
            self.is_body = tag == "tbody"
        elif tag == "tr":
            self.cells = []
        elif tag in {"td", "th"}:
            self.cells.append([])

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data.split()

    def handle_endtag(self, tag):
        if tag == "tr" and self.is_body and len(self.cells) > 1:
            self.rows.append(tuple(" ".join(cell) for cell in self.cells))
        if tag == "tr":
            self.cells = []


def rows_of(response) -> list[tuple[str, ...]]:
    """Return the rows of the bodies of a page's tables; a row of one cell is a heading."""
    page = Rows()
    page.feed(response.text)
    return page.rows


def links(response, word: str) -> list[str]:
    """Return where the links that say *word* lead."""
    found = []
    for part in response.text.split("<a ")[1:]:
        tag, _close, rest = part.partition(">")
        if rest.startswith(f"{word}<"):
            found.append(unescape(tag.partition('href="')[2].partition('"')[0]))
    return found


def content_of(response) -> bytes:
    """Return what a file holds; read to its end, the client lets go of it as a server does."""
    assert response.status_code == 200, response.status_code
    return response.getvalue()


def read_csv(response) -> list[list[str]]:
    """Return the rows of a CSV file, its headings first."""
    content = content_of(response).decode("utf-8-sig")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(StringIO(content, newline="")))


def read_xlsx(response) -> list[list[str | date]]:
    """Return the rows of a workbook that was answered."""
    return read_book(content_of(response))


def read_book(content: bytes, *, sheet_number: int = 1) -> list[list[str | date]]:
    """Return the rows of a workbook's sheet as they are written in it, cells of dates as dates."""
    with ZipFile(BytesIO(content)) as book:
        sheet, styles = (
            ElementTree.fromstring(book.read(f"xl/{name}.xml"))  # noqa: S314  our own
            for name in (f"worksheets/sheet{sheet_number}", "styles")
        )
    forms = forms_of(styles)
    rows = []
    for row in sheet.iter(f"{SPREADSHEET}row"):
        cells: dict[int, str | date] = {}
        for cell in row.iter(f"{SPREADSHEET}c"):
            column = ord(cell.attrib["r"].rstrip("0123456789")) - ord("A")
            texts = [*cell.iter(f"{SPREADSHEET}v"), *cell.iter(f"{SPREADSHEET}t")]
            text = "".join(each.text or "" for each in texts)
            cells[column] = date_of(text, forms[int(cell.attrib.get("s", 0))])
        rows.append([cells.get(column, "") for column in range(max(cells, default=-1) + 1)])
    return rows


def forms_of(styles: ElementTree.Element) -> list[str]:
    """Return how the cells of each style are shown: `yyyy-mm-dd`; empty for what Excel has."""
    own = {each.attrib["numFmtId"]: each.attrib["formatCode"] for each in named(styles, "numFmt")}
    (cells,) = named(styles, "cellXfs")
    return [own.get(each.attrib["numFmtId"], "") for each in named(cells, "xf")]


def named(element: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Return what is called *name* in a part of a workbook."""
    return list(element.iter(f"{SPREADSHEET}{name}"))


def date_of(text: str, form: str) -> str | date:
    """Return what a cell of *form* says; a spreadsheet counts days from the end of 1899."""
    if not form.startswith("yyyy"):
        return text
    moment = datetime.fromisoformat("1899-12-30") + timedelta(seconds=round(float(text) * 86_400))
    return moment if "hh" in form else moment.date()


def alike(rows) -> list[list[str]]:
    """Return rows of either kind of file with moments as the wall showed them, full cells alone."""
    written = (
        [cell.isoformat() if isinstance(cell, date) else cell for cell in row] for row in rows
    )
    return [[OFFSET.sub(r"\1", cell) for cell in row if cell] for row in written]


@pytest.fixture
def post(casino) -> Callable[..., PostedEntry]:
    """Return a function that posts one entry: 10.00 into the cage, unless it is told otherwise."""
    return poster(casino)


def poster(casino: Property) -> Callable[..., PostedEntry]:
    """Return the `post` of one property."""
    numbers = count(1)

    def posted(
        amount: int = 1_000,
        *,
        at: datetime | None = None,
        debit: str = CAGE,
        credit: str = EQUITY,
        kind: str = "opening_balance",
        **more,
    ) -> PostedEntry:
        number = next(numbers)
        given = {
            "property_id": casino.pk,
            "key": f"test:{number}",
            "kind": kind,
            "legs": [
                Leg(account=debit, amount=amount, event=kind),
                Leg(account=credit, amount=-amount, event=kind),
            ],
            "source": f"test:{number}",
            "actor": f"employee:{Employee.objects.get(number='PB-004').pk}",
            "at": at or factories.NOON + timedelta(minutes=number),
            "gaming_day": DAY,
        }
        return post_entry(**{**given, **more})

    return posted


@pytest.fixture
def macau(casino) -> Property:
    """Return another property, with a pit boss of its own (PB-900)."""
    other = open_property(
        code="bay", name="Bay", time_zone="Asia/Macau", currency="MOP", at=factories.NOON
    )
    Employee.objects.create_employee(
        property=other,
        number="PB-900",
        name="Rui Lam",
        roles=(Role.PIT_BOSS,),
        password=house.PASSWORD,
    )
    return other
