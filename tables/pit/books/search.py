"""Entries that a question finds, the newest first, as rows of a page and of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from ledger import selectors as ledger
from ledger.selectors import EntryRow
from tables.art.records import Words
from tables.pit.access import Reader
from tables.pit.books.limits import BATCH, IN_FILE
from tables.pit.books.sheets import Cell, time_heading
from tables.pit.entries import entry_views
from tables.pit.records import EntryView

NUMBER: Final = re.compile("[0-9]{1,18}")
"""An entry by its plain number, as pages and seals name it."""


def find(
    reader: Reader, filters: dict[str, Any], *, before: int | None, limit: int
) -> list[EntryRow]:
    """Return entries of the reader's property, the newest first, before the entry *before*.

    Digits alone, without days to look for them in, are the plain number of one entry.
    """
    text = filters["text"] or ""
    if filters["days"] is None and NUMBER.fullmatch(text):
        number = int(text)
        before = number + 1 if before is None else min(before, number + 1)
        filters = {**filters, "text": None, "after": number - 1}
    return ledger.search_entries(reader.casino.pk, **filters, before=before, limit=limit)


def rows_of(reader: Reader, found: Sequence[EntryRow]) -> tuple[EntryView, ...]:
    """Return *found* to be drawn; their legs are not shown, so nothing tells of a tray."""
    return entry_views(reader, ledger.details(found), told={})


def find_all(reader: Reader, filters: dict[str, Any]) -> list[EntryRow] | None:
    """Return all entries of a file; None where they are more than one holds."""
    found: list[EntryRow] = []
    while len(found) <= IN_FILE:
        before = found[-1].id if found else None
        batch = find(reader, filters, before=before, limit=BATCH)
        found += batch
        if len(batch) < BATCH:
            break
    return found if len(found) <= IN_FILE else None


def headings(reader: Reader) -> tuple[Words, ...]:
    """Return the columns of a file of entries."""
    return (
        _("Gaming day"),
        time_heading(reader),
        _("Entry"),
        _("Marks"),
        _("Table"),
        _("Session"),
        _("Caused by"),
        _("By"),
        _("Approved by"),
        _("Memo"),
        _("Amount"),
        _("Currency"),
        _("Late for"),
        _("Number"),
        _("Public id"),
    )


def sheet_rows(reader: Reader, found: Sequence[EntryRow]) -> Iterator[tuple[Cell, ...]]:
    """Give *found* as rows of a file: one for each currency of an entry."""
    for start in range(0, len(found), BATCH):
        batch = found[start : start + BATCH]
        for entry, view in zip(batch, rows_of(reader, batch), strict=True):
            for amount in view.sums:
                yield (
                    entry.gaming_day,
                    entry.effective_at.astimezone(reader.casino.zone),
                    view.kind,
                    ", ".join(str(mark.words) for mark in view.marks),
                    view.table,
                    view.session,
                    view.source,
                    view.actor,
                    view.approver,
                    view.memo,
                    amount,
                    amount.currency,
                    entry.late_day,
                    entry.id,
                    view.public_id,
                )
