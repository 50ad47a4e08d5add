"""Entries as they were posted: one alone, a page of those found, and each with its lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from ledger.errors import UnknownEntryError
from ledger.models import Denomination, Entry, Posting
from ledger.selectors.records import EntryDetail, EntryRow, LineRow

REFERENCES: Final = ("reverses", "reversed_by", "restates", "restated_by", "corrects")


def entry_id_of(property_id: int, public_id: UUID) -> int | None:
    """Return the key of the entry that programs know as *public_id*, if it is this property's."""
    found = Entry.objects.filter(property_id=property_id, public_id=public_id)
    return found.values_list("pk", flat=True).first()


def entry_detail(entry_id: int) -> EntryDetail:
    """Return one entry with its lines, its counted chips and what corrects it.

    Raises:
        UnknownEntryError: there is no such entry.
    """
    rows = page(Entry.objects.filter(pk=entry_id), 1)
    if not rows:
        raise UnknownEntryError(entry_id)
    return details(rows)[0]


def details(rows: Sequence[EntryRow]) -> list[EntryDetail]:
    """Return *rows* with their lines and corrections, in three queries however many they are."""
    ids = [row.id for row in rows]
    lines, corrections = _lines(ids), _corrections(ids)
    return [
        EntryDetail(
            entry=row,
            lines=tuple(lines[row.id]),
            corrections=tuple(corrections.get(row.id, ())),
        )
        for row in rows
    ]


def page(found: Any, limit: int) -> list[EntryRow]:
    """Return the first *limit* of the entries *found*, in their order.

    What an entry refers to is read for these alone: joined to all that were found, it would be
    looked up in all of history.
    """
    ids = list(found.values_list("pk", flat=True)[:limit])
    entries = Entry.objects.select_related(*REFERENCES).in_bulk(ids)
    return [entry_row(entries[entry_id]) for entry_id in ids]


def entry_row(entry: Entry) -> EntryRow:
    """Return the plain record of *entry*."""
    sold, bought = entry.rate_sold, entry.rate_bought
    return EntryRow(
        id=entry.pk,
        public_id=entry.public_id,
        kind=entry.kind,
        source=entry.source,
        gaming_day=entry.gaming_day,
        effective_at=entry.effective_at,
        recorded_at=entry.recorded_at,
        table=entry.table_ref,
        session=entry.session_ref,
        shift=entry.shift,
        actor=entry.actor,
        approver=entry.approver,
        memo=entry.memo,
        legs=entry.legs,
        reverses=_public_id(entry.reverses),
        reversed_by=_public_id(getattr(entry, "reversed_by", None)),
        restates=_public_id(entry.restates),
        restated_by=_public_id(getattr(entry, "restated_by", None)),
        corrects=_public_id(entry.corrects),
        late_day=entry.late_day,
        rate=None if sold is None or bought is None else (sold, bought),
    )


def _public_id(entry: Entry | None) -> UUID | None:
    return entry.public_id if entry else None


def _lines(ids: Sequence[int]) -> dict[int, list[LineRow]]:
    pieces: dict[int, list[tuple[int, int]]] = {}
    counted = Denomination.objects.filter(posting__entry_id__in=ids).order_by("-denomination")
    for posting_id, denomination, count in counted.values_list(
        "posting_id", "denomination", "pieces"
    ):
        pieces.setdefault(posting_id, []).append((denomination, count))
    lines: dict[int, list[LineRow]] = {}
    postings = Posting.objects.filter(entry_id__in=ids).select_related("account")
    for posting in postings.order_by("entry_id", "line"):
        lines.setdefault(posting.entry_id, []).append(
            LineRow(
                line=posting.line,
                account=posting.account.code,
                name=posting.account.name,
                currency=posting.currency,
                amount=posting.amount,
                event=posting.event,
                balance_after=posting.balance_after,
                pieces=tuple(pieces.get(posting.pk, ())),
            )
        )
    return lines


def _corrections(ids: Sequence[int]) -> dict[int, list[UUID]]:
    found: dict[int, list[UUID]] = {}
    corrections = Entry.objects.filter(corrects_id__in=ids).order_by("pk")
    for corrected, public_id in corrections.values_list("corrects_id", "public_id"):
        found.setdefault(corrected, []).append(public_id)
    return found
