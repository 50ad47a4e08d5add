"""The statement of one account: its postings in its own order, the newest first.

What a tray holds is shown here, so the view notes the sight (SOD-14).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from ledger import selectors as ledger
from ledger.chart import name_of
from ledger.models import Account
from ledger.selectors import StatementRow
from tables.art.records import Words
from tables.pit.access import Reader
from tables.pit.books.balances import balance_of
from tables.pit.books.limits import BATCH, IN_FILE
from tables.pit.books.records import LineView, StatementView
from tables.pit.books.sheets import Cell, time_heading
from tables.pit.clock import WallClock
from tables.pit.entries import marks_of, side_of
from tables.pit.names import Cause, Names, name_lines
from tables.pit.paging import Way
from tables.pit.records import Amount
from tables.pit.words import kind_words

SHARD: Final = 2**63
"""A place of a statement is (shard, version); this much of one number is the version."""

Days = tuple[date, date] | None


def read_lines(
    reader: Reader,
    code: str,
    *,
    days: Days,
    start: int | None,
    limit: int,
    way: Way = Way.OLDER,
) -> list[StatementRow]:
    """Return lines on one side of the place *start*, from there on.

    Raises:
        UnknownAccountError: the account was never opened.
    """
    place = None if start is None else divmod(start, SHARD)
    if way is Way.NEWER:
        assert place is not None, "nothing is newer than the newest"
        return ledger.statement(reader.casino.pk, code, days=days, after=place, limit=limit)
    if place is None:
        return ledger.statement(reader.casino.pk, code, days=days, newest_first=True, limit=limit)
    return ledger.statement(
        reader.casino.pk, code, days=days, before=place, newest_first=True, limit=limit
    )


def place_of(line: StatementRow) -> int:
    """Return the place of *line* as one number."""
    return line.shard * SHARD + line.version


def read_all(reader: Reader, code: str, days: Days) -> list[StatementRow] | None:
    """Return all lines of a file; None where they are more than one holds."""
    found: list[StatementRow] = []
    while len(found) <= IN_FILE:
        start = place_of(found[-1]) if found else None
        batch = read_lines(reader, code, days=days, start=start, limit=BATCH)
        found += batch
        if len(batch) < BATCH:
            break
    return found if len(found) <= IN_FILE else None


def statement_view(reader: Reader, code: str, lines: Sequence[StatementRow]) -> StatementView:
    """Return the account *code* with *lines* of it, to be drawn."""
    names = name_lines(reader.casino.pk, code, lines)
    currency = Account.objects.get(property=reader.casino, code=code).currency_id
    oldest = lines[-1] if lines else None
    brought = None
    if oldest is not None and oldest.balance_after is not None:
        brought = balance_of(reader, oldest.balance_after - oldest.amount, currency)
    has_more_below = bool(ledger.account_children(reader.casino.pk, code, limit=1))
    return StatementView(
        code=code,
        name=account_name(code, names),
        currency=currency,
        holds=balance_of(reader, ledger.balance(reader.casino.pk, code), currency),
        lines=tuple(line_views(reader, names, lines)),
        debits=sum(line.amount for line in lines if line.amount > 0),
        credits=-sum(line.amount for line in lines if line.amount < 0),
        brought=brought,
        below=reverse("pit:books-accounts", query={"under": code}) if has_more_below else "",
    )


def account_name(code: str, names: Names) -> str:
    """Return the account in words: "Table inventory (tray), table T1"."""
    name, place = name_of(code[:4]), names.place(code)
    return _("%(account)s, %(place)s") % {"account": name, "place": place} if place else name


def line_views(reader: Reader, names: Names, lines: Sequence[StatementRow]) -> Iterator[LineView]:
    """Give *lines* to be drawn."""
    clock = WallClock(reader.casino.zone)
    for line in lines:
        cause = names.causes.get(line.entry_id, Cause(words=line.source))
        kind = kind_words(line.kind)
        yield LineView(
            address=reverse("pit:entry", args=[line.entry_id]),
            kind=kind,
            event="" if line.event == line.kind else kind_words(line.event),
            time=clock.on(line.gaming_day, line.effective_at),
            gaming_day=line.gaming_day.isoformat(),
            source=cause.words,
            source_address=cause.address,
            actor=names.actor(line.actor),
            debit=max(line.amount, 0),
            credit=max(-line.amount, 0),
            balance=None if line.balance_after is None else abs(line.balance_after),
            side=side_of(line.balance_after or 0),
            memo=line.memo,
            marks=marks_of(line),
        )


def headings(reader: Reader) -> tuple[Words, ...]:
    """Return the columns of a file of a statement."""
    return (
        _("Gaming day"),
        time_heading(reader),
        _("Entry"),
        _("Event"),
        _("Marks"),
        _("Caused by"),
        _("By"),
        _("Memo"),
        _("Debit"),
        _("Credit"),
        _("Balance, debit above zero"),
        _("Currency"),
        _("Number"),
        _("Public id"),
    )


def sheet_rows(
    reader: Reader, code: str, found: Sequence[StatementRow]
) -> Iterator[tuple[Cell, ...]]:
    """Give *found* as rows of a file."""
    for start in range(0, len(found), BATCH):
        batch = found[start : start + BATCH]
        views = line_views(reader, name_lines(reader.casino.pk, code, batch), batch)
        for line, view in zip(batch, views, strict=True):
            yield (
                line.gaming_day,
                line.effective_at.astimezone(reader.casino.zone),
                view.kind,
                view.event,
                ", ".join(str(mark.words) for mark in view.marks),
                view.source,
                view.actor,
                view.memo,
                _amount(view.debit or None, line.currency),
                _amount(view.credit or None, line.currency),
                _amount(line.balance_after, line.currency),
                line.currency,
                line.entry_id,
                str(line.entry),
            )


def _amount(minor: int | None, currency: str) -> Amount | None:
    return None if minor is None else Amount(minor=minor, currency=currency)
