"""Entries of the ledger as the pit reads them: each with its cause, its legs and what became of it.

What a leg says of a tray while a session runs there is for who will not count it (SOD-14).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.amounts import amount_text
from ledger import selectors as ledger
from ledger.chart import Number
from ledger.selectors import EntryDetail, EntryRow, LineRow
from tables.art.records import Words
from tables.floor.models import TableSession
from tables.floor.states import LIVE
from tables.pit.access import Reader, table_of
from tables.pit.clock import WallClock
from tables.pit.names import Cause, Names, name_entries
from tables.pit.records import Amount, EntryView, LegRow, Level, Mark, Related
from tables.pit.words import kind_words

PER_PAGE = 50

Told = Mapping[int, Sequence[TableSession]]
"""By the key of the entry: the running sessions of whose exact trays its legs tell."""

MARKS: Final = (
    ("reverses", Mark(words=gettext_lazy("reversal"), level=Level.WARNING)),
    ("reversed_by", Mark(words=gettext_lazy("reversed"), level=Level.BAD)),
    ("restates", Mark(words=gettext_lazy("restated"), level=Level.NEUTRAL)),
    ("corrects", Mark(words=gettext_lazy("correction"), level=Level.NEUTRAL)),
    ("late_day", Mark(words=gettext_lazy("late"), level=Level.WARNING)),
)
"""What is said beside an entry of which the field holds something."""


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


def trays_told(reader: Reader, details: Iterable[EntryDetail]) -> Told:
    """Return of whose exact trays *details* tell, in one query.

    An entry from before a session began says nothing of it; one that was recorded since does,
    whatever it belongs to: a round of an old session that is voided now moves the tray of now.
    """
    details = list(details)
    trays = {each.entry.id: set(_tables_of(each)) for each in details}
    tables = {table for found in trays.values() for table in found}
    if not tables:
        return {}
    live = TableSession.objects.filter(property=reader.casino, table_id__in=tables, state__in=LIVE)
    running = {session.table_id: session for session in live}
    return {
        each.entry.id: [
            running[table]
            for table in sorted(trays[each.entry.id] & running.keys())
            if _is_since(running[table], each.entry)
        ]
        for each in details
    }


def sessions_told(told: Told) -> list[TableSession]:
    """Return every session of *told*."""
    return [session for sessions in told.values() for session in sessions]


def entry_views(
    reader: Reader, details: Iterable[EntryDetail], *, told: Told
) -> tuple[EntryView, ...]:
    """Return entries to be drawn; what *told* says is kept back from who may not see it."""
    details = list(details)
    names = name_entries(reader.casino.pk, details)
    return tuple(
        _view(reader, each, names, hidden=_hidden(reader, told.get(each.entry.id, ())))
        for each in details
    )


def with_seal(view: EntryView, detail: EntryDetail) -> EntryView:
    """Return *view* with the seal that fixes it."""
    number = ledger.seal_of(detail.entry.id)
    return replace(view, seal=str(number) if number else _("none yet: it waits for the next one"))


def with_related(reader: Reader, view: EntryView, detail: EntryDetail) -> EntryView:
    """Return *view* with the way to each entry that it speaks of, or that speaks of it."""
    return replace(
        view,
        related=tuple(
            Related(words=words, public_id=str(public_id), address=_address(reader, public_id))
            for words, public_id in _related(detail)
        ),
    )


def _related(detail: EntryDetail) -> Iterator[tuple[Words, UUID]]:
    entry = detail.entry
    for words, public_id in (
        (_("Takes back"), entry.reverses),
        (_("Taken back by"), entry.reversed_by),
        (_("Tells anew"), entry.restates),
        (_("Told anew by"), entry.restated_by),
        (_("Corrects"), entry.corrects),
        *((_("Corrected by"), each) for each in detail.corrections),
    ):
        if public_id is not None:
            yield words, public_id


def _is_own(reader: Reader, session: str) -> bool:
    kind, _colon, key = session.partition(":")
    return kind == "session" and reader.sessions().filter(pk=int(key)).exists()


def _is_tray(line: LineRow) -> bool:
    return line.account.split("/")[0] == Number.TRAY


def _tables_of(detail: EntryDetail) -> Iterator[int]:
    for line in detail.lines:
        table = table_of(line.account) if _is_tray(line) else None
        if table is not None:
            yield table


def _is_since(session: TableSession, entry: EntryRow) -> bool:
    return entry.session == session.ref or entry.recorded_at >= session.opening_at


def _hidden(reader: Reader, sessions: Iterable[TableSession]) -> frozenset[int]:
    return frozenset(session.table_id for session in sessions if not reader.sees_tray_of(session))


def _address(reader: Reader, public_id: UUID) -> str:
    return reverse("pit:entry", args=[ledger.entry_id_of(reader.casino.pk, public_id)])


def _view(
    reader: Reader, detail: EntryDetail, names: Names, *, hidden: frozenset[int]
) -> EntryView:
    entry, clock = detail.entry, WallClock(reader.casino.zone)
    session = names.session_key(entry.session)
    cause = names.causes.get(entry.id, Cause(words=entry.source))
    return EntryView(
        number=entry.id,
        public_id=str(entry.public_id),
        address=reverse("pit:entry", args=[entry.id]),
        kind=kind_words(entry.kind),
        at=clock.moment(entry.effective_at),
        time=clock.on(entry.gaming_day, entry.effective_at),
        recorded_at=clock.moment(entry.recorded_at),
        gaming_day=entry.gaming_day.isoformat(),
        actor=names.actor(entry.actor),
        approver=names.actor(entry.approver),
        sums=_sums(reader, detail.lines),
        source=cause.words,
        source_address=cause.address,
        table=names.table(entry.table),
        session=names.sessions[session] if session else "",
        session_address=reverse("pit:session", args=[session]) if session else "",
        shift=entry.shift,
        memo=entry.memo,
        late_day=entry.late_day.isoformat() if entry.late_day else "",
        rate=_rate(detail),
        marks=marks_of(entry),
        legs=tuple(_leg(reader, line, names, hidden=hidden) for line in detail.lines),
    )


def marks_of(entry: object) -> tuple[Mark, ...]:
    """Return what is said beside an entry, or a line of one, that has the fields of `MARKS`."""
    return tuple(mark for field, mark in MARKS if getattr(entry, field))


def amounts(reader: Reader, sums: Mapping[str, int]) -> tuple[Amount, ...]:
    """Return one amount for each currency of *sums*; one is named unless it goes without saying."""
    own = reader.casino.currency
    return tuple(
        Amount(minor=minor, currency=currency, is_named=len(sums) > 1 or currency != own)
        for currency, minor in sums.items()
    )


def _sums(reader: Reader, lines: Iterable[LineRow]) -> tuple[Amount, ...]:
    sums: dict[str, int] = {}
    for line in lines:
        if line.amount > 0:
            sums[line.currency] = sums.get(line.currency, 0) + line.amount
    return amounts(reader, sums)


def _rate(detail: EntryDetail) -> Words:
    if detail.entry.rate is None:
        return ""
    sold, bought = detail.entry.rate
    # What the house takes in is what the patron sells; the pair's account tells which is which.
    trading = [line for line in detail.lines if line.account.startswith(Number.CURRENCY_TRADING)]
    currencies = {line.amount < 0: line.currency for line in trading}
    return _("%(bought)s %(bought_currency)s for %(sold)s %(sold_currency)s") % {
        "sold": amount_text(sold, currencies[True]),
        "sold_currency": currencies[True],
        "bought": amount_text(bought, currencies[False]),
        "bought_currency": currencies[False],
    }


def _leg(reader: Reader, line: LineRow, names: Names, *, hidden: frozenset[int]) -> LegRow:
    is_hidden = _is_tray(line) and table_of(line.account) in hidden
    balance = None if is_hidden else line.balance_after
    return LegRow(
        account=line.account,
        name=line.name,
        place=names.place(line.account),
        address=statement_address(line.account) if reader.reads_whole_pit else "",
        event=kind_words(line.event),
        currency=line.currency,
        debit=max(line.amount, 0),
        credit=max(-line.amount, 0),
        balance=None if balance is None else abs(balance),
        side=side_of(balance or 0),
        pieces=", ".join(
            f"{number} × {amount_text(value, line.currency)}" for value, number in line.pieces
        ),
    )


def statement_address(code: str) -> str:
    """Return where the statement of the account *code* is read."""
    return reverse("pit:books-statement", query={"account": code})


def side_of(balance: int) -> Words:
    """Return the side on which *balance*, debit above zero, stands."""
    if balance == 0:
        return ""
    return _("Dr") if balance > 0 else _("Cr")
