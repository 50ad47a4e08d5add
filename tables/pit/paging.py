"""Lists of a page that go on by cursors, each bound to its list and reader's filter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
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
            onward=_address(request, name, onward) if onward else "",
            start=_address(request, name, None) if after is not None else "",
        ),
        refusal=refusal,
    )


def _address(request: HttpRequest, name: str, cursor: str | None) -> str:
    query = {key: value for key, value in request.GET.items() if key != name}
    if cursor is not None:
        query[name] = cursor
    return f"{request.path}{'?' if query else ''}{urlencode(query)}#{name}"
