"""Entries that a search finds."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.staff.sessions import page_for
from ledger.selectors import EntryRow
from tables.pit.access import WHOLE_PIT, Reader, reader_of
from tables.pit.books import search
from tables.pit.books.files import WRITERS
from tables.pit.books.forms import SearchForm
from tables.pit.books.limits import cut_of, size_of, too_many
from tables.pit.books.pages import ROWS, BooksPage, about, draw
from tables.pit.books.sheets import Sheet
from tables.pit.paging import Page, page_of


@never_cache
@require_GET
@page_for(*WHOLE_PIT)
def entries(request: HttpRequest) -> HttpResponse:
    """Show the entries that a search finds, the newest first."""
    reader, now = reader_of(request), timezone.now()
    form = SearchForm(request.GET, casino=reader.casino)
    if not form.is_valid():
        return _draw(request, reader, form, None, now=now)
    filters = form.filters
    found = page_of(
        request,
        name=ROWS,
        bound_to={"property": reader.casino.pk, **filters},
        read=lambda before, limit: search.find(reader, filters, before=before, limit=limit),
        place=lambda entry: entry.id,
        size=size_of(request),
        at=now,
    )
    return _draw(request, reader, form, found, now=now, refusal=found.refusal)


@require_GET
@page_for(*WHOLE_PIT)
def entries_file(request: HttpRequest, form: str) -> HttpResponseBase:
    """Hand on all the entries that a search finds."""
    reader, now = reader_of(request), timezone.now()
    asked = SearchForm(request.GET, casino=reader.casino)
    if not asked.is_valid():
        return _draw(request, reader, asked, None, now=now)
    found = search.find_all(reader, asked.filters)
    if found is None:
        return _draw(request, reader, asked, None, now=now, refusal=too_many())
    sheet = Sheet(
        name=f"{reader.casino.code}-entries",
        title=_("Entries"),
        headings=search.headings(reader),
        rows=search.sheet_rows(reader, found),
        about=about(request, reader, asked.said(), now=now),
    )
    return WRITERS[form](request, sheet)


def _draw(
    request: HttpRequest,
    reader: Reader,
    form: SearchForm,
    found: Page[EntryRow] | None,
    *,
    now: datetime,
    refusal: str = "",
) -> HttpResponse:
    page = BooksPage(
        name="entries",
        tab="entries",
        title=_("Entries"),
        said=form.said() if form.is_valid() else (),
        status=400 if refusal or form.errors else 200,
    )
    context = {
        "form": form,
        "is_shown": found is not None,
        "rows": search.rows_of(reader, found.rows) if found else (),
        "more": found.more if found else None,
        "cut": cut_of(request, found) if found else "",
        "refusal": refusal,
    }
    return draw(request, reader, page, context, now=now)
