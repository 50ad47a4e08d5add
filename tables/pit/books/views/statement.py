"""The statement of one account. What a tray holds is told here, so the sight is noted (SOD-14)."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.staff.sessions import page_for
from ledger.selectors import StatementRow
from tables.pit.access import WHOLE_PIT, Reader, reader_of
from tables.pit.books import statement as lines
from tables.pit.books.accounts import below_address
from tables.pit.books.files import WRITERS
from tables.pit.books.forms import BELOW, StatementForm
from tables.pit.books.limits import cut_of, size_of, too_many
from tables.pit.books.pages import ROWS, BooksPage, about, draw
from tables.pit.books.sheets import Sheet
from tables.pit.paging import Page, page_both_ways


@never_cache
@require_GET
@page_for(*WHOLE_PIT)
def statement(request: HttpRequest) -> HttpResponse:
    """Show what an account took and held, the newest first.

    A bare number of the chart has no order of its own, since postings of its accounts run side by
    side: it leads to these and what they hold together.
    """
    reader, now = reader_of(request), timezone.now()
    form = StatementForm(request.GET if "account" in request.GET else None, casino=reader.casino)
    if form.has_error("account", BELOW):
        return redirect(below_address(request.GET["account"].strip()))
    if not form.is_valid():
        return _draw(request, reader, form, None, now=now)
    code, days = form.cleaned_data["account"], form.days
    reader.note_trays([code], at=now)
    found = page_both_ways(
        request,
        name=ROWS,
        bound_to={"property": reader.casino.pk, "account": code, "days": days},
        read=lambda way, start, limit: lines.read_lines(
            reader, code, days=days, way=way, start=start, limit=limit
        ),
        place=lines.place_of,
        size=size_of(request),
        at=now,
    )
    return _draw(request, reader, form, found, now=now, refusal=found.refusal)


@require_GET
@page_for(*WHOLE_PIT)
def statement_file(request: HttpRequest, form: str) -> HttpResponseBase:
    """Hand on a whole statement."""
    reader, now = reader_of(request), timezone.now()
    asked = StatementForm(request.GET, casino=reader.casino)
    if not asked.is_valid():
        return _draw(request, reader, asked, None, now=now)
    code = asked.cleaned_data["account"]
    reader.note_trays([code], at=now)
    found = lines.read_all(reader, code, asked.days)
    if found is None:
        return _draw(request, reader, asked, None, now=now, refusal=too_many())
    sheet = Sheet(
        name=f"{reader.casino.code}-statement-{code.replace('/', '-').replace(':', '-')}",
        title=_("Statement"),
        headings=lines.headings(reader),
        rows=lines.sheet_rows(reader, code, found),
        about=about(request, reader, asked.said(), now=now),
    )
    return WRITERS[form](request, sheet)


def _draw(
    request: HttpRequest,
    reader: Reader,
    form: StatementForm,
    found: Page[StatementRow] | None,
    *,
    now: datetime,
    refusal: str = "",
) -> HttpResponse:
    view = None
    if found is not None:
        view = lines.statement_view(reader, form.cleaned_data["account"], found.rows)
    page = BooksPage(
        name="statement",
        tab="accounts",
        title=_("Statement of %(account)s") % {"account": view.name} if view else _("Statement"),
        said=form.said() if view else (),
        has_files=view is not None,
        status=400 if refusal or form.errors else 200,
    )
    context = {
        "form": form,
        "statement": view,
        "more": found.more if found else None,
        "cut": cut_of(request, found) if found else "",
        "refusal": refusal,
    }
    return draw(request, reader, page, context, now=now)
