"""Entries of the ledger as the pit reads them: each with its cause, its legs and its reversal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.web.amounts import amount_text
from ledger import selectors as ledger
from ledger.chart import Number
from ledger.selectors import EntryDetail, EntryRow, LineRow
from tables.art.records import Words
from tables.floor.models import TableSession
from tables.floor.states import LIVE
from tables.pit.access import Reader
from tables.pit.clock import WallClock
from tables.pit.names import Cause, Names, name_entries
from tables.pit.records import EntryView, LegRow
from tables.pit.words import ENTRY_KINDS, EVENTS

PER_PAGE = 50


def find_entry(reader: Reader, entry_id: int) -> EntryDetail | None:
    """Return the entry, if it is the property's and this reader's to read."""
    # The next one from just below it: the books then look in this property alone.
    found = ledger.entries(reader.casino.pk, after=entry_id - 1, limit=1)
    if not found or found[0].id != entry_id:
        return None
    session = found[0].session
    if not reader.reads_whole_pit and not _is_own(reader, session):
        return None
    return ledger.details(found)[0]


def running_session_of(entry: EntryRow) -> TableSession | None:
    """Return the session whose tray the entry tells of, while it runs."""
    kind, _colon, key = entry.session.partition(":")
    if kind != "session":
        return None
    return TableSession.objects.filter(pk=int(key), state__in=LIVE).first()


def entry_views(
    reader: Reader, details: Iterable[EntryDetail], *, hides_tray: bool = False
) -> tuple[EntryView, ...]:
    """Return entries to be drawn; *hides_tray* keeps back what is in a tray after each leg."""
    details = list(details)
    names = name_entries(reader.casino.pk, details)
    return tuple(_view(reader, each, names, hides_tray=hides_tray) for each in details)


def with_reversal(reader: Reader, view: EntryView) -> EntryView:
    """Return *view* with the way to what it takes back, and to what takes it back."""
    return replace(
        view,
        reverses_address=_address(reader, view.reverses),
        reversed_by_address=_address(reader, view.reversed_by),
    )


def _is_own(reader: Reader, session: str) -> bool:
    kind, _colon, key = session.partition(":")
    return kind == "session" and reader.sessions().filter(pk=int(key)).exists()


def _address(reader: Reader, public_id: str) -> str:
    if not public_id:
        return ""
    return reverse("pit:entry", args=[ledger.entry_id_of(reader.casino.pk, UUID(public_id))])


def _view(reader: Reader, detail: EntryDetail, names: Names, *, hides_tray: bool) -> EntryView:
    entry, clock = detail.entry, WallClock(reader.casino.zone)
    session = names.session_key(entry.session)
    cause = names.causes.get(entry.id, Cause(words=entry.source))
    return EntryView(
        public_id=str(entry.public_id),
        address=reverse("pit:entry", args=[entry.id]),
        kind=ENTRY_KINDS.get(entry.kind, entry.kind),
        at=clock.moment(entry.effective_at),
        recorded_at=clock.moment(entry.recorded_at),
        gaming_day=entry.gaming_day.isoformat(),
        actor=names.actor(entry.actor),
        approver=names.actor(entry.approver),
        currency=reader.casino.currency,
        amount=sum(line.amount for line in detail.lines if line.amount > 0),
        source=cause.words,
        source_address=cause.address,
        session=names.sessions[session] if session else "",
        session_address=reverse("pit:session", args=[session]) if session else "",
        memo=entry.memo,
        reverses=str(entry.reverses or ""),
        reversed_by=str(entry.reversed_by or ""),
        legs=tuple(_leg(line, names, hides_tray=hides_tray) for line in detail.lines),
    )


def _leg(line: LineRow, names: Names, *, hides_tray: bool) -> LegRow:
    is_hidden = hides_tray and line.account.startswith(f"{Number.TRAY}/")
    balance = None if is_hidden else line.balance_after
    return LegRow(
        account=line.account,
        name=line.name,
        place=names.place(line.account),
        event=EVENTS.get(line.event, line.event),
        debit=max(line.amount, 0),
        credit=max(-line.amount, 0),
        balance=None if balance is None else abs(balance),
        side=_side(balance or 0),
        pieces=", ".join(
            f"{number} × {amount_text(value, line.currency)}" for value, number in line.pieces
        ),
    )


def _side(balance: int) -> Words:
    if balance == 0:
        return ""
    return _("Dr") if balance > 0 else _("Cr")
