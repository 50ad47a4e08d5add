"""How a value of the books is written on a page: amounts in decimals, moments in UTC."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter
from typing import Any, Final

from django.contrib.admin import display
from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from casino.web.amounts import amount_text
from ledger.models import Account, Book, Entry

Column = Callable[[Any], str]
"""Takes a row and returns what its page shows; its name is the column's."""

NOTHING: Final = "–"
"""What stands where a row says nothing."""


def amount(name: str, *, currency: str = "currency") -> Column:
    """Return the column of minor units *name*, in decimals of the currency at *currency*."""
    read_currency = attrgetter(currency)

    def shown(row: Book) -> str:
        minor = getattr(row, name)
        return NOTHING if minor is None else amount_text(minor, read_currency(row))

    return _column(shown, name=name, css=f"{name}_amount")


def moment(name: str) -> Column:
    """Return the column of the moment *name*."""
    return _column(lambda row: moment_text(getattr(row, name)), name=name, css=f"{name}_moment")


def day(name: str) -> Column:
    """Return the column of the gaming day *name*."""

    def shown(row: Book) -> str:
        value = getattr(row, name)
        return NOTHING if value is None else str(value.isoformat())

    return _column(shown, name=name, css=f"{name}_day")


def digest(name: str) -> Column:
    """Return the column of the hash *name*, in hexadecimal digits."""

    def shown(row: Book) -> str:
        value = getattr(row, name)
        return NOTHING if value is None else bytes(value).hex()

    return _column(shown, name=name, css=f"{name}_digest")


def moment_text(at: datetime | None) -> str:
    """Return *at* to the second: 2026-03-14 20:30:00 UTC."""
    return NOTHING if at is None else f"{at:%Y-%m-%d %H:%M:%S} UTC"


@display(description="entry")
def entry_link(row: Any) -> SafeString:
    """Return the way to the entry of *row*, without reading the entry."""
    return row_link(Entry, row.entry_id)


@display(description="account")
def account_link(row: Any) -> SafeString:
    """Return the way to the account of *row*."""
    return row_link(Account, row.account_id, row.account.code)


def row_link(model: type[Model], pk: int, text: str = "") -> SafeString:
    """Return a link to the page of one row, named by *text* or its number."""
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[pk])
    return format_html('<a href="{}">{}</a>', address, text or pk)


def _column(shown: Column, *, name: str, css: str) -> Column:
    shown.__name__ = css  # Django names the class of the cell after it
    return display(description=name.replace("_", " "))(shown)
