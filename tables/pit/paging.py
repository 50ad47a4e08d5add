"""Lists of a page that go on by cursors, each bound to its list and reader's filter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest

from casino.web.cursors import CursorError, read_cursor, write_cursor
from tables.pit.records import More

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Row]):
    """One page of a list."""

    rows: Sequence[Row]
    more: More
    refusal: str = ""
    """Why the list begins anew: its cursor is of another list, or too old."""


def page_of(
    request: HttpRequest,
    *,
    name: str,
    bound_to: Mapping[str, object],
    read: Callable[[int | None, int], Sequence[Row]],
    place: Callable[[Row], int],
    size: int,
    at: datetime,
) -> Page[Row]:
    """Return the page that the query parameter *name* asks for.

    Args:
        bound_to: what the list is of; a cursor of another list is refused.
        read: the rows after a place, so many at most.
    """
    bound = {"list": name, **bound_to}
    cursor = request.GET.get(name)
    after, refusal = None, ""
    if cursor:
        try:
            after = read_cursor(cursor, bound_to=bound, at=at)
        except CursorError as error:
            refusal = error.detail
    found = read(after, size + 1)
    rows = found[:size]
    onward = write_cursor(place(rows[-1]), bound_to=bound, at=at) if len(found) > size else None
    return Page(
        rows=rows,
        more=More(
            onward=_address(request, name, {name: onward}, without=[name]) if onward else "",
            start=_address(request, name, {}, without=[name]) if after is not None else "",
        ),
        refusal=refusal,
    )


class Way(StrEnum):
    """Where a list goes on that has two ends; each is a query parameter."""

    OLDER = "older"
    NEWER = "newer"


def page_both_ways(
    request: HttpRequest,
    *,
    name: str,
    bound_to: Mapping[str, object],
    read: Callable[[Way, int | None, int], Sequence[Row]],
    place: Callable[[Row], int],
    size: int,
    at: datetime,
) -> Page[Row]:
    """Return the page that the query asks for of a list, newest first, that goes on both ways.

    Args:
        bound_to: what the list is of; a cursor of another list is refused.
        read: the rows on one side of a place (None: of the list's end), so many at most, from
            there on: towards newer ones the oldest comes first.
    """
    way = Way.NEWER if request.GET.get(Way.NEWER) else Way.OLDER
    bound = {"list": name, **bound_to}
    start, refusal = None, ""
    if cursor := request.GET.get(way):
        try:
            start = read_cursor(cursor, bound_to={**bound, "way": way}, at=at)
        except CursorError as error:
            refusal, way = error.detail, Way.OLDER
    found = read(way, start, size + 1)
    rows = found[:size] if way is Way.OLDER else found[:size][::-1]
    has_more = len(found) > size
    # What one came from lies on the other side of the page.
    has_older = has_more if way is Way.OLDER else True
    has_newer = has_more if way is Way.NEWER else start is not None

    def address(to: Way, row: Row) -> str:
        cursor = write_cursor(place(row), bound_to={**bound, "way": to}, at=at)
        return _address(request, name, {to: cursor}, without=Way)

    return Page(
        rows=rows,
        more=More(
            onward=address(Way.OLDER, rows[-1]) if rows and has_older else "",
            back=address(Way.NEWER, rows[0]) if rows and has_newer else "",
            start=_address(request, name, {}, without=Way) if start is not None else "",
        ),
        refusal=refusal,
    )


def _address(
    request: HttpRequest, name: str, cursors: Mapping[str, str], *, without: Iterable[str]
) -> str:
    """Return the page of the list *name* with *cursors* instead of those *without* which it is."""
    gone = set(without)
    query = {key: value for key, value in request.GET.items() if key not in gone}
    query |= cursors
    return f"{request.path}{'?' if query else ''}{urlencode(query)}#{name}"
