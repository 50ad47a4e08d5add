"""The accounts: the chart, what hangs below one of its codes, or what words find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.staff.sessions import page_for
from ledger import selectors as ledger
from ledger.selectors import AccountNode
from tables.pit.access import WHOLE_PIT, Reader, reader_of
from tables.pit.books import accounts as tree
from tables.pit.books.forms import AccountsForm
from tables.pit.books.limits import cut_of, size_of
from tables.pit.books.pages import ROWS, BooksPage, draw
from tables.pit.books.records import AccountGroup, Said
from tables.pit.paging import page_of


@never_cache
@require_GET
@page_for(*WHOLE_PIT)
def accounts(request: HttpRequest) -> HttpResponse:
    """Show accounts with what they hold; what the trays hold is noted as seen (SOD-14)."""
    reader, now = reader_of(request), timezone.now()
    form = AccountsForm(request.GET)
    if not form.is_valid():
        refusal = " ".join(str(each) for each in form.errors.get("under", ()))
        return _draw(request, reader, form, {"refusal": refusal}, status=400, now=now)
    words, under = form.cleaned_data["find"], form.cleaned_data["under"]
    if words:
        return _found(request, reader, form, words, now=now)
    if under:
        return _below(request, reader, form, under, now=now)
    chart = ledger.account_tree(reader.casino.pk)
    context = {
        "groups": tree.chart_groups(reader, chart),
        "is_chart": bool(chart),
        "agrees": tree.comes_to_nothing(chart),
    }
    return _draw(request, reader, form, context, now=now)


def _found(
    request: HttpRequest, reader: Reader, form: AccountsForm, words: str, *, now: datetime
) -> HttpResponse:
    found = tree.find_accounts(reader.casino, words, limit=tree.FOUND + 1)
    shown = found[: tree.FOUND]
    names = tree.names_of(reader, [account.code for account in shown])
    group = AccountGroup(
        title=_("Accounts that are called “%(words)s”") % {"words": words},
        rows=tree.found_rows(reader, shown, names),
    )
    cut = ""
    if len(found) > tree.FOUND:
        cut = _("Only the first %(number)d are shown: add a word.") % {"number": tree.FOUND}
    said = ((_("Code or name"), words),)
    context = {"groups": [group], "cut": cut}
    return _draw(request, reader, form, context, said=said, now=now)


def _below(
    request: HttpRequest, reader: Reader, form: AccountsForm, under: str, *, now: datetime
) -> HttpResponse:
    def read(after: int | None, limit: int) -> Sequence[AccountNode]:
        child = ledger.child_at(reader.casino.pk, under, after) if after else ""
        return ledger.account_children(reader.casino.pk, under, after=child, limit=limit)

    found = page_of(
        request,
        name=ROWS,
        bound_to={"property": reader.casino.pk, "under": under},
        read=read,
        place=lambda node: node.place,
        size=size_of(request),
        at=now,
    )
    names = tree.names_of(reader, [under, *(node.code for node in found.rows)])
    itself = tree.own_row(reader, under)
    rows = (*((itself,) if itself else ()), *tree.child_rows(reader, found.rows, names))
    title = tree.title_of(under, names)
    context = {
        "groups": [AccountGroup(title=title, rows=rows, totals=tree.together(reader, under))],
        "no_account": "" if itself or not rows else under,
        "way_up": tree.way_up(under, names),
        "more": found.more,
        "cut": cut_of(request, found),
        "refusal": found.refusal,
        "summed": [under],
    }
    status = 400 if found.refusal else 200
    said = ((_("Below"), title),)
    return _draw(request, reader, form, context, said=said, status=status, now=now)


def _draw(
    request: HttpRequest,
    reader: Reader,
    form: AccountsForm,
    context: Mapping[str, Any],
    *,
    said: Said = (),
    status: int = 200,
    now: datetime,
) -> HttpResponse:
    groups: Sequence[AccountGroup] = context.get("groups", ())
    shown = [row.code for group in groups for row in group.rows]
    # The sum of all trays tells of those on other pages too.
    reader.note_trays([*shown, *context.get("summed", ())], at=now)
    page = BooksPage(
        name="accounts",
        tab="accounts",
        title=_("Accounts"),
        said=said,
        has_files=False,
        status=status,
    )
    return draw(request, reader, page, {"form": form, **context}, now=now)
