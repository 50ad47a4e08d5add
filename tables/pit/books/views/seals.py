"""How far the books are sealed, and what the last examinations found."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.staff.sessions import page_for
from tables.pit.access import WHOLE_PIT, reader_of
from tables.pit.books.pages import BooksPage, draw
from tables.pit.books.seals import seal_status


@never_cache
@require_GET
@page_for(*WHOLE_PIT)
def seals(request: HttpRequest) -> HttpResponse:
    """Show how far the books are sealed, and what was found when they were last looked at."""
    reader = reader_of(request)
    page = BooksPage(name="seals", tab="seals", title=_("Seals"), has_files=False)
    return draw(request, reader, page, {"seals": seal_status(reader)}, now=timezone.now())
