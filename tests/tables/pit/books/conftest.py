"""Entries to be found, posted by the ledger's own services, and pages and files read back."""

from __future__ import annotations

import csv
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


def read_xlsx(response) -> list[list[str]]:
    """Return the rows of a workbook that was answered."""
    return read_book(content_of(response))


def read_book(content: bytes) -> list[list[str]]:
    """Return the rows of a workbook's first sheet as they are written in it."""
    with ZipFile(BytesIO(content)) as book:
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))  # noqa: S314  our own
    rows = []
    for row in sheet.iter(f"{SPREADSHEET}row"):
        cells: dict[int, str] = {}
        for cell in row.iter(f"{SPREADSHEET}c"):
            column = ord(cell.attrib["r"].rstrip("0123456789")) - ord("A")
            texts = [*cell.iter(f"{SPREADSHEET}v"), *cell.iter(f"{SPREADSHEET}t")]
            cells[column] = "".join(each.text or "" for each in texts)
        rows.append([cells.get(column, "") for column in range(max(cells, default=-1) + 1)])
    return rows


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
