"""The trial balance of a gaming day or a shift of it, in each currency, with its proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.properties.selectors import list_shifts
from ledger.chart import Number
from ledger.models import Period
from ledger.selectors import TrialBalanceRow
from tables.art.records import Words
from tables.floor.models import TableSession
from tables.pit.access import Reader, running_at
from tables.pit.books.records import DayLink, Said, TrialRow, TrialTable
from tables.pit.books.sheets import Cell
from tables.pit.clock import WallClock
from tables.pit.entries import side_of
from tables.pit.names import name_actors
from tables.pit.records import Amount

DAYS: Final = 10
"""Gaming days that the page offers beside the field."""


def shifts_of(reader: Reader) -> list[str]:
    """Return the names of shifts that a day may be asked by: of the property, and in its books."""
    named = [shift.name for shift in list_shifts(reader.casino)]
    booked = Period.objects.filter(property_id=reader.casino.pk).exclude(shift="")
    # Days of the last weeks alone: a shift that was renamed long ago is not offered for ever.
    recent = booked.order_by("-gaming_day").values_list("shift", flat=True)[: DAYS * 4]
    return [*named, *sorted(set(recent) - set(named))]


def period_of(reader: Reader, day: date, shift: str) -> Period | None:
    """Return the period as the books have it; None where nothing was posted to it."""
    return (
        Period.objects.filter(property_id=reader.casino.pk, gaming_day=day, shift=shift)
        .select_related("last_entry")
        .first()
    )


def sessions_shown(reader: Reader, day: date) -> list[TableSession]:
    """Return the running sessions of whose trays the day's balance of all trays tells."""
    return [each for each in running_at(reader.casino, [Number.TRAY]) if each.gaming_day <= day]


def tables_of(reader: Reader, rows: Iterable[TrialBalanceRow]) -> tuple[TrialTable, ...]:
    """Return one table for each currency, the property's own first."""
    by_currency: dict[str, list[TrialBalanceRow]] = {}
    for row in rows:
        by_currency.setdefault(row.currency, []).append(row)
    own = reader.casino.currency
    currencies = sorted(by_currency, key=lambda currency: (currency != own, currency))
    return tuple(_table(currency, by_currency[currency]) for currency in currencies)


def period_facts(reader: Reader, period: Period | None) -> Said:
    """Return what there is to say of a period: whether it is closed, by whom, and its hash."""
    if period is None:
        return ((_("State"), _("nothing was posted to it")),)
    clock = WallClock(reader.casino.zone)
    names = name_actors([period.opened_by, period.closed_by, period.approved_by])
    opened = (
        (_("Opened"), clock.moment(period.opened_at)),
        (_("Opened by"), names.actor(period.opened_by)),
    )
    if period.status == Period.Status.OPEN:
        return ((_("State"), _("open: so far")), *opened)
    closed = [
        (_("State"), _("closed: as it closed")),
        *opened,
        (_("Closed"), clock.moment(period.closed_at)),
        (_("Closed by"), names.actor(period.closed_by)),
        (_("Approved by"), names.actor(period.approved_by) or "—"),
        (_("Recorded"), clock.moment(period.recorded_at)),
        (_("Hash of the report"), period.report_hash_text),
    ]
    if period.anchor_seal is not None and period.anchor_hash is not None:
        closed += [
            (_("Newest seal then"), str(period.anchor_seal)),
            (_("Hash of that seal"), bytes(period.anchor_hash).hex()),
        ]
    return tuple(closed)


def day_links(reader: Reader, shown: date) -> tuple[DayLink, ...]:
    """Return the last gaming days of the books, the newest first."""
    periods: Sequence[Period] = list(
        Period.objects.filter(property_id=reader.casino.pk, shift="").order_by("-gaming_day")[:DAYS]
    )
    return tuple(
        DayLink(
            day=period.gaming_day.isoformat(),
            address=day_address(period.gaming_day),
            state=_("closed") if period.status == Period.Status.CLOSED else _("open"),
            is_shown=period.gaming_day == shown,
        )
        for period in periods
    )


def day_address(day: date) -> str:
    """Return where the trial balance of *day* is read."""
    return reverse("pit:books-trial-balance", query={"day": day.isoformat()})


def title_of(day: date, shift: str) -> Words:
    """Return how the trial balance is called."""
    if shift:
        return _("Trial balance, %(day)s, shift %(shift)s") % {"day": day, "shift": shift}
    return _("Trial balance, %(day)s") % {"day": day}


def headings() -> tuple[Words, ...]:
    """Return the columns of a file of a trial balance."""
    return (
        _("Gaming day"),
        _("Shift"),
        _("Account"),
        _("Name"),
        _("Currency"),
        _("Opening, debit above zero"),
        _("Debits"),
        _("Credits"),
        _("Closing Dr"),
        _("Closing Cr"),
    )


def sheet_rows(
    reader: Reader, rows: Iterable[TrialBalanceRow], *, day: date, shift: str
) -> Iterator[tuple[Cell, ...]]:
    """Give *rows* as rows of a file, currency by currency as on the page."""
    own = reader.casino.currency
    for row in sorted(rows, key=lambda row: (row.currency != own, row.currency, row.number)):
        closing = (max(row.closing, 0), max(-row.closing, 0))
        amounts = (row.opening, row.debits, row.credits, *closing)
        cells = (Amount(minor=minor, currency=row.currency) for minor in amounts)
        yield (day, shift, row.number, row.name, row.currency, *cells)


def _table(currency: str, rows: Sequence[TrialBalanceRow]) -> TrialTable:
    return TrialTable(
        currency=currency,
        rows=tuple(_row(row) for row in rows),
        debits=sum(row.debits for row in rows),
        credits=sum(row.credits for row in rows),
        closing_debit=sum(row.closing for row in rows if row.closing > 0),
        closing_credit=-sum(row.closing for row in rows if row.closing < 0),
    )


def _row(row: TrialBalanceRow) -> TrialRow:
    return TrialRow(
        number=row.number,
        name=row.name,
        address=reverse("pit:books-accounts", query={"under": row.number}),
        opening=abs(row.opening),
        opening_side=side_of(row.opening),
        debits=row.debits,
        credits=row.credits,
        closing_debit=max(row.closing, 0),
        closing_credit=max(-row.closing, 0),
    )
