"""The frame of the books: on screen with a way on, on paper with who printed what and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.properties.selectors import gaming_day_of
from casino.staff.roles import Role
from casino.staff.sessions import employee_of
from tables.art.records import Words
from tables.pit.access import Reader
from tables.pit.books.records import Said
from tables.pit.books.sheets import Cell
from tables.pit.books.way_back import from_here
from tables.pit.clock import WallClock
from tables.pit.frame import frame
from tables.pit.paging import Way

PRINT: Final = "print"
"""The query parameter that asks for a page as paper."""
ROWS: Final = "rows"
"""The list of a page, and the query parameter that says where it goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The head of a printed page: `_paper.html`."""

    casino: str
    title: Words
    said: Said
    printed_by: Words
    printed_at: Words
    gaming_day: str
    zone: str
    back: str
    """The page that was asked for as paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """Where the same rows are had in another form; empty where they are not."""

    csv: str = ""
    xlsx: str = ""
    print: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BooksPage:
    """One page of the books, whatever it shows."""

    name: str
    """Its template, and its part of the books: `entries`, `statement`."""
    tab: str
    title: Words
    said: Said = ()
    has_files: bool = True
    """Its rows are also had as CSV and XLSX."""
    status: int = 200


def is_paper(request: HttpRequest) -> bool:
    """Return whether the page was asked for as paper."""
    return PRINT in request.GET


def draw(
    request: HttpRequest,
    reader: Reader,
    page: BooksPage,
    context: Mapping[str, Any],
    *,
    now: datetime,
) -> HttpResponse:
    """Draw *page* in its frame."""
    whole = {
        **frame(reader, here="books", now=now),
        "tab": page.tab,
        "title": page.title,
        "came_from": from_here(request),
        "currency": reader.casino.currency,
        "tools": _tools(request, page),
        "paper": _paper(request, reader, page, now=now),
        "is_paper": is_paper(request),
        **context,
    }
    template = f"tables/pit/books/{page.name.replace('-', '_')}.html"
    return render(request, template, whole, status=page.status)


def who_asks(request: HttpRequest, reader: Reader) -> str:
    """Return the reader as a paper names one: `Daniel Reyes PB-004, Pit boss`."""
    person, role = employee_of(request), reader.actor.role
    assert person is not None, "page_for lets only people in"
    assert role is not None, "and only in a role"
    return f"{person.name} {person.number}, {Role(role).label}"


def about(
    request: HttpRequest, reader: Reader, said: Said, *, now: datetime
) -> tuple[tuple[Words, Cell], ...]:
    """Return what a file says of itself."""
    return (
        (_("Property"), reader.casino.name),
        *said,
        (_("Asked for by"), who_asks(request, reader)),
        (_("Asked for"), now.astimezone(reader.casino.zone)),
        (_("Times in"), reader.casino.time_zone),
    )


def _paper(request: HttpRequest, reader: Reader, page: BooksPage, *, now: datetime) -> Paper:
    return Paper(
        casino=reader.casino.name,
        title=page.title,
        said=page.said,
        printed_by=who_asks(request, reader),
        printed_at=WallClock(reader.casino.zone).moment(now),
        gaming_day=gaming_day_of(reader.casino, now).isoformat(),
        zone=reader.casino.time_zone,
        back=_address(request, request.path, {}),
    )


def _tools(request: HttpRequest, page: BooksPage) -> Tools:
    if page.status != 200:
        return Tools()
    on_paper = _address(request, request.path, {PRINT: "1"})
    if not page.has_files:
        return Tools(print=on_paper)
    csv, xlsx = (
        _address(request, reverse(f"pit:books-{page.name}-file", args=[form]), {})
        for form in ("csv", "xlsx")
    )
    return Tools(csv=csv, xlsx=xlsx, print=on_paper)


def _address(request: HttpRequest, path: str, more: Mapping[str, str]) -> str:
    """Return *path* with what was asked for; a file and a paper begin where the list does."""
    query = {
        name: value
        for name, value in request.GET.items()
        if value and name not in {PRINT, ROWS, *Way}
    }
    query |= more
    return f"{path}{'?' if query else ''}{urlencode(query)}"
