"""How much of a list a page, a paper and a file hold, and what is said where that is too little."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tables.pit.books.pages import is_paper
from tables.pit.paging import Page

PER_PAGE: Final = 50
ON_PAPER: Final = 1_000
"""Some twenty-five sheets."""
IN_FILE: Final = 50_000
"""Whoever needs more asks for some days at a time, or for the export of the whole books."""
BATCH: Final = 2_000
"""Rows of a file that are read together."""


def size_of(request: HttpRequest) -> int:
    """Return how many rows are shown at once."""
    return ON_PAPER if is_paper(request) else PER_PAGE


def cut_of(request: HttpRequest, page: Page[Any]) -> str:
    """Return what a paper says that leaves rows out."""
    if not (is_paper(request) and page.more.onward):
        return ""
    return _(
        "A paper holds %(number)s rows, and there are more. Ask for fewer days, or take a file."
    ) % {"number": number_format(ON_PAPER, force_grouping=True)}


def too_many() -> str:
    """Return why there is no file of so many rows."""
    return _("A file holds %(number)s rows, and these are more. Ask for fewer days.") % {
        "number": number_format(IN_FILE, force_grouping=True)
    }
