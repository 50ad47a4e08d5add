"""The trial balance of a gaming day or a shift; the sum of all trays stands in it (SOD-14)."""

from __future__ import annotations

from datetime import date, datetime

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.properties.selectors import gaming_day_of
from casino.staff.sessions import page_for
from ledger import selectors as ledger
from tables.pit.access import WHOLE_PIT, Reader, reader_of
from tables.pit.books import trial
from tables.pit.books.files import WRITERS
from tables.pit.books.forms import TrialBalanceForm
from tables.pit.books.pages import BooksPage, about, draw
from tables.pit.books.records import Said
from tables.pit.books.sheets import Sheet


@never_cache
@require_GET
@page_for(*WHOLE_PIT)
def trial_balance(request: HttpRequest) -> HttpResponse:
    """Show the trial balance of a day, of today where none is named, or of a shift of it."""
    reader, now = reader_of(request), timezone.now()
    form = _form(request, reader, now=now)
    if not form.is_valid():
        return _draw_refused(request, reader, form, now=now)
    day, shift = form.cleaned_data["day"], form.cleaned_data["shift"]
    reader.note_sights(trial.sessions_shown(reader, day), at=now)
    facts = trial.period_facts(reader, trial.period_of(reader, day, shift))
    context = {
        "form": form,
        "tables": trial.tables_of(reader, ledger.trial_balance(reader.casino.pk, day, shift=shift)),
        "facts": facts,
        "days": trial.day_links(reader, day),
        "day": day.isoformat(),
        "shift": shift,
    }
    page = BooksPage(
        name="trial-balance",
        tab="trial-balance",
        title=trial.title_of(day, shift),
        said=_said(day, shift),
    )
    return draw(request, reader, page, context, now=now)


@require_GET
@page_for(*WHOLE_PIT)
def trial_balance_file(request: HttpRequest, form: str) -> HttpResponseBase:
    """Hand on the trial balance of a day or a shift."""
    reader, now = reader_of(request), timezone.now()
    asked = _form(request, reader, now=now)
    if not asked.is_valid():
        return _draw_refused(request, reader, asked, now=now)
    day, shift = asked.cleaned_data["day"], asked.cleaned_data["shift"]
    reader.note_sights(trial.sessions_shown(reader, day), at=now)
    said = (*_said(day, shift), *trial.period_facts(reader, trial.period_of(reader, day, shift)))
    sheet = Sheet(
        name="-".join(filter(None, (reader.casino.code, "trial-balance", str(day), shift))),
        title=_("Trial balance"),
        headings=trial.headings(),
        rows=trial.sheet_rows(
            reader,
            ledger.trial_balance(reader.casino.pk, day, shift=shift),
            day=day,
            shift=shift,
        ),
        about=about(request, reader, said, now=now),
    )
    return WRITERS[form](request, sheet)


def _form(request: HttpRequest, reader: Reader, *, now: datetime) -> TrialBalanceForm:
    today = gaming_day_of(reader.casino, now).isoformat()
    given = {**request.GET.dict(), "day": request.GET.get("day") or today}
    return TrialBalanceForm(given, shifts=trial.shifts_of(reader))


def _said(day: date, shift: str) -> Said:
    named = ((_("Shift"), shift),) if shift else ()
    return ((_("Gaming day"), day.isoformat()), *named)


def _draw_refused(
    request: HttpRequest, reader: Reader, form: TrialBalanceForm, *, now: datetime
) -> HttpResponse:
    page = BooksPage(
        name="trial-balance", tab="trial-balance", title=_("Trial balance"), status=400
    )
    return draw(request, reader, page, {"form": form}, now=now)
