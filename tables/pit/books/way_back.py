"""From an entry back to the list in which it was found, with all that the list was asked for."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.art.records import Words

BACK: Final = "back"
"""The query parameter of an entry's page that says where it was found."""

LISTS: Final = {
    "pit:books-entries": gettext_lazy("Back to the entries found"),
    "pit:books-statement": gettext_lazy("Back to the statement"),
}
"""The pages from which an entry is reached with a question to return to, by their names."""


def from_here(request: HttpRequest) -> str:
    """Return the query by which an entry's page leads back to this list; empty without one."""
    if not request.GET or request.path not in map(reverse, LISTS):
        return ""
    return f"?{urlencode({BACK: f'{request.path}?{urlencode(request.GET.dict())}'})}"


def from_there(request: HttpRequest) -> str:
    """Return the query by which another entry leads back to the list that this one was found in."""
    asked = request.GET.get(BACK, "")
    return f"?{urlencode({BACK: asked})}" if asked else ""


def way_back(request: HttpRequest) -> tuple[Words, str]:
    """Return the list that the entry was found in, or all entries; never a page of others."""
    asked = urlsplit(request.GET.get(BACK, ""))
    for name, words in LISTS.items():
        if asked.query and asked.path == reverse(name):
            return words, f"{asked.path}?{asked.query}"
    return _("All entries"), reverse("pit:books-entries")
