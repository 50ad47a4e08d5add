"""How far the books are sealed, what waits, and what the last examinations found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ledger.chain import Chain, chain_of
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
class SealStatus:
    """All of `seals.html`."""

    sentence: Words
    level: Level
    word: Words
    """The state of the whole in one word, for the badge."""
    newest: Said
    hashes: Said
    """Of the newest seal, and of the one before."""
    waiting: Words
    inspections: tuple[Finding, ...]
    anchors: tuple[AnchorRow, ...]
    epochs: tuple[EpochRow, ...]


def seal_status(reader: Reader) -> SealStatus:
    """Return how the property's chain of seals stands."""
    property_id = reader.casino.pk
    newest = Seal.objects.filter(property_id=property_id).order_by("-number").first()
    epochs = list(Epoch.objects.filter(property_id=property_id).order_by("-epoch"))
    chain = chain_of(property_id)
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
    level, word = _state(last, chain)
    return SealStatus(
        sentence=_sentence(reader, newest, chain, last),
        level=level,
        word=word,
        newest=_newest(reader, newest),
        hashes=_hashes(newest),
        waiting=_waiting_words(reader, chain),
        inspections=tuple(_finding(reader, names, kind, last[kind]) for kind in Inspection.Kind),
        anchors=tuple(_anchor(names, day) for day in days),
        epochs=tuple(_epoch(reader, names, each) for each in epochs),
    )


def _last(property_id: int, kind: Inspection.Kind) -> Inspection | None:
    whose = Q(property=property_id) | Q(property=None)
    return Inspection.objects.filter(whose, kind=kind).order_by("-pk").first()


def _state(last: dict[Inspection.Kind, Inspection | None], chain: Chain) -> tuple[Level, Words]:
    if _is_found(last):
        return Level.BAD, _("something was found")
    if chain.is_foreign:
        return Level.WARNING, _("restored: an epoch must begin")
    if not chain.seals:
        return Level.WARNING, _("nothing is sealed yet")
    if last[Inspection.Kind.VERIFY] is None:
        return Level.WARNING, _("never checked")
    return Level.GOOD, _("nothing was found")


def _is_found(last: dict[Inspection.Kind, Inspection | None]) -> bool:
    return any(each is not None and each.findings for each in last.values())


def _sentence(
    reader: Reader,
    newest: Seal | None,
    chain: Chain,
    last: dict[Inspection.Kind, Inspection | None],
) -> Words:
    verified = last[Inspection.Kind.VERIFY]
    clock = WallClock(reader.casino.zone)
    if newest is None:
        return _("No entry is sealed yet.")
    # Seals follow transactions: an entry with a lower key may be the one that waits.
    entry = max(newest.entry_ids)
    if chain.waiting_from is not None:
        entry = min(entry, chain.waiting_from - 1)
    if verified is None:
        return _("Everything up to entry %(entry)d is sealed; it was never checked.") % {
            "entry": entry
        }
    if _is_found(last):
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
    )


def _hashes(newest: Seal | None) -> Said:
    if newest is None:
        return ()
    return (
        (_("Hash"), bytes(newest.hash).hex()),
        (_("Hash of the seal before"), bytes(newest.prev_hash).hex()),
    )


def _waiting_words(reader: Reader, chain: Chain) -> Words:
    if chain.waiting_since is None:
        return _("No entry waits for a seal.")
    return ngettext(
        "One entry waits for a seal, since %(since)s.",
        "%(number)s entries wait for a seal, the first since %(since)s.",
        chain.waiting,
    ) % {
        "number": number_format(chain.waiting, force_grouping=True),
        "since": WallClock(reader.casino.zone).moment(chain.waiting_since),
    }


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
        report_hash=day.report_hash_text,
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
