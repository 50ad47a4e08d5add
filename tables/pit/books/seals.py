"""How far the books are sealed, what waits, and what the last examinations found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ledger.models import Epoch, Inspection, Period, Seal
from tables.art.records import Words
from tables.pit.access import Reader
from tables.pit.books.records import AnchorRow, EpochRow, Finding, Said
from tables.pit.books.trial import day_address
from tables.pit.clock import WallClock
from tables.pit.names import Names, name_actors
from tables.pit.records import Level

ANCHORS: Final = 31
"""Closed days that the page shows: a month."""
MANY: Final = 10_000
"""Waiting entries that are counted; more are only said to be more."""

# Sealing goes by transaction ids, which hold within one epoch.
WAITING: Final = """
SELECT count(*), min(recorded_at) FROM (
    SELECT recorded_at FROM ledger_entry
    WHERE property_id = %(property_id)s AND id > %(after_entry)s AND txid > coalesce((
        SELECT upto_txid FROM ledger_seal
        WHERE property_id = %(property_id)s AND epoch = %(epoch)s ORDER BY number DESC LIMIT 1
    ), '0'::xid8)
    ORDER BY txid LIMIT %(limit)s
) AS waiting
"""

KINDS: Final = {
    Inspection.Kind.VERIFY: (
        gettext_lazy("Seals verified"),
        gettext_lazy("every seal was computed again from its entries"),
    ),
    Inspection.Kind.COMPARE: (
        gettext_lazy("Balances compared"),
        gettext_lazy("every balance was added up again from its postings"),
    ),
    Inspection.Kind.DOCTOR: (
        gettext_lazy("Guards examined"),
        gettext_lazy("the database still refuses what it must"),
    ),
}
assert KINDS.keys() == set(Inspection.Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Entries that are under no seal yet."""

    number: int
    since: datetime | None
    """When the first of them was recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealStatus:
    """All of `seals.html`."""

    sentence: Words
    level: Level
    word: Words
    """The state of the whole in one word, for the badge."""
    newest: Said
    waiting: Words
    inspections: tuple[Finding, ...]
    anchors: tuple[AnchorRow, ...]
    epochs: tuple[EpochRow, ...]


def seal_status(reader: Reader) -> SealStatus:
    """Return how the property's chain of seals stands."""
    property_id = reader.casino.pk
    newest = Seal.objects.filter(property_id=property_id).order_by("-number").first()
    epochs = list(Epoch.objects.filter(property_id=property_id).order_by("-epoch"))
    waiting = _waiting(property_id, epochs)
    last = {kind: _last(property_id, kind) for kind in Inspection.Kind}
    days = list(
        Period.objects.filter(
            property_id=property_id, shift="", status=Period.Status.CLOSED
        ).order_by("-gaming_day")[:ANCHORS]
    )
    names = name_actors(
        [
            *(each.begun_by for each in epochs),
            *(each.actor for each in last.values() if each),
            *(actor for day in days for actor in (day.closed_by, day.approved_by)),
        ]
    )
    level, word = _state(last, newest)
    return SealStatus(
        sentence=_sentence(reader, newest, last[Inspection.Kind.VERIFY]),
        level=level,
        word=word,
        newest=_newest(reader, newest),
        waiting=_waiting_words(reader, waiting),
        inspections=tuple(_finding(reader, names, kind, last[kind]) for kind in Inspection.Kind),
        anchors=tuple(_anchor(names, day) for day in days),
        epochs=tuple(_epoch(reader, names, each) for each in epochs),
    )


def _waiting(property_id: int, epochs: list[Epoch]) -> Waiting:
    current = epochs[0] if epochs else None
    with connection.cursor() as cursor:
        cursor.execute(
            WAITING,
            {
                "property_id": property_id,
                "after_entry": current.after_entry_id if current else 0,
                "epoch": current.epoch if current else 0,
                "limit": MANY + 1,
            },
        )
        number, since = cursor.fetchone()
    return Waiting(number=number, since=since)


def _last(property_id: int, kind: Inspection.Kind) -> Inspection | None:
    whose = Q(property=property_id) | Q(property=None)
    return Inspection.objects.filter(whose, kind=kind).order_by("-pk").first()


def _state(
    last: dict[Inspection.Kind, Inspection | None], newest: Seal | None
) -> tuple[Level, Words]:
    if any(each is not None and each.findings for each in last.values()):
        return Level.BAD, _("something was found")
    if newest is None:
        return Level.WARNING, _("nothing is sealed yet")
    if last[Inspection.Kind.VERIFY] is None:
        return Level.WARNING, _("never checked")
    return Level.GOOD, _("nothing was found")


def _sentence(reader: Reader, newest: Seal | None, verified: Inspection | None) -> Words:
    clock = WallClock(reader.casino.zone)
    if newest is None:
        return _("No entry is sealed yet.")
    entry = max(newest.entry_ids)
    if verified is None:
        return _("Everything up to entry %(entry)d is sealed; it was never checked.") % {
            "entry": entry
        }
    if verified.findings:
        return _(
            "Everything up to entry %(entry)d is sealed; last checked %(at)s, and something was "
            "found that must not be. It stands below."
        ) % {"entry": entry, "at": clock.moment(verified.at)}
    return _(
        "Everything up to entry %(entry)d is sealed; last checked %(at)s; nothing was found."
    ) % {"entry": entry, "at": clock.moment(verified.at)}


def _newest(reader: Reader, newest: Seal | None) -> Said:
    if newest is None:
        return ()
    return (
        (_("Number"), str(newest.number)),
        (_("Sealed"), WallClock(reader.casino.zone).moment(newest.sealed_at)),
        (_("Entries in it"), str(newest.entries)),
        (_("Epoch"), str(newest.epoch)),
        (_("Hash"), bytes(newest.hash).hex()),
        (_("Hash of the seal before"), bytes(newest.prev_hash).hex()),
    )


def _waiting_words(reader: Reader, waiting: Waiting) -> Words:
    if waiting.since is None:
        return _("No entry waits for a seal.")
    since = WallClock(reader.casino.zone).moment(waiting.since)
    if waiting.number > MANY:
        return _("More than %(number)d entries wait for a seal, the first since %(since)s.") % {
            "number": MANY,
            "since": since,
        }
    return ngettext(
        "One entry waits for a seal, since %(since)s.",
        "%(number)d entries wait for a seal, the first since %(since)s.",
        waiting.number,
    ) % {"number": waiting.number, "since": since}


def _finding(
    reader: Reader, names: Names, kind: Inspection.Kind, last: Inspection | None
) -> Finding:
    title, meaning = KINDS[kind]
    if last is None:
        return Finding(title=title, said=_("never done"), level=Level.WARNING)
    number = len(last.findings)
    said = (
        ngettext("%(number)d finding", "%(number)d findings", number) % {"number": number}
        if number
        else _("nothing was found")
    )
    return Finding(
        title=title,
        meaning=meaning,
        said=said,
        level=Level.BAD if number else Level.GOOD,
        at=WallClock(reader.casino.zone).moment(last.at),
        by=names.actor(last.actor),
        upto_seal=last.upto_seal,
        findings=tuple(last.findings),
    )


def _anchor(names: Names, day: Period) -> AnchorRow:
    return AnchorRow(
        day=day.gaming_day.isoformat(),
        address=day_address(day.gaming_day),
        seal=day.anchor_seal,
        hash=bytes(day.anchor_hash or b"").hex(),
        report_hash=bytes(day.report_hash or b"").hex(),
        closed_by=names.actor(day.closed_by),
        approved_by=names.actor(day.approved_by),
    )


def _epoch(reader: Reader, names: Names, epoch: Epoch) -> EpochRow:
    return EpochRow(
        epoch=epoch.epoch,
        begun_at=WallClock(reader.casino.zone).moment(epoch.begun_at),
        begun_by=names.actor(epoch.begun_by),
        after_entry=epoch.after_entry_id,
        reason=epoch.reason,
    )
