"""One round down to its written steps: what was dealt, how it was set, who won and what moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.staff.models import Device
from ledger import selectors as ledger
from ledger.selectors import EntryDetail
from rules.settlement import BANK, COMMISSION, HOUSE, MAIN, SetBy, Settlement
from tables import games
from tables.art.records import Result, SeatSettlement, TwoHands, Words
from tables.art.settled import seat_settlement, two_hands
from tables.art.wording import game_title, sentences
from tables.floor.states import RecordDepth
from tables.pit.access import Reader
from tables.pit.clock import WallClock
from tables.pit.names import Names, name_actors, round_title
from tables.pit.records import (
    DealtHand,
    EntryView,
    ReplayView,
    RoundView,
    TransferRow,
    WagerRow,
)
from tables.pit.replay import Replay, can_replay, replay
from tables.pit.words import ROUND_LEVELS
from tables.rounds.models import Round, RoundVoid, Source
from tables.rounds.states import RoundState


def find_round(reader: Reader, round_id: int) -> Round | None:
    """Return the round, if it is this reader's to read."""
    return (
        Round.objects.filter(pk=round_id, session__in=reader.sessions())
        .select_related("session__table", "segment", "profile", "limits")
        .first()
    )


def round_view(reader: Reader, round_: Round, *, entries: tuple[EntryView, ...] = ()) -> RoundView:
    """Return the round as it is stored, with its words written as people read amounts.

    Args:
        entries: what it moved in the books, as this reader may see it.
    """
    again = replay(round_) if can_replay(round_) else None
    voiding = RoundVoid.objects.filter(round=round_).select_related("floor", "pit_boss").first()
    actors = [round_.actor, voiding.proposed_by] if voiding else [round_.actor]
    names = name_actors(actors)
    return RoundView(
        title=_("%(round)s, table %(table)s")
        % {
            "round": round_title(round_.number, round_.version),
            "table": round_.session.table.code,
        },
        state=RoundState(round_.state).label,
        level=ROUND_LEVELS[round_.state],
        currency=reader.casino.currency,
        facts=(
            *_facts(reader, round_, names),
            *(_void_facts(reader, voiding, names) if voiding else ()),
        ),
        **_results(reader, round_, again),
        dealt=tuple(_dealt(round_)) if round_.result else (),
        wagers=() if round_.result else _wagers(round_),
        house_net=round_.house_net,
        replay_address=reverse("pit:replay", args=[round_.pk]) if again else "",
        replay_note=_replay_note(round_),
        entries=entries,
    )


def replay_view(round_: Round) -> ReplayView:
    """Return what a replay of the round says."""
    again = replay(round_)
    return ReplayView(
        is_equal=again.is_equal,
        profile=_rules(round_),
        differences=again.differences,
        refusal=again.refusal,
    )


def _results(reader: Reader, round_: Round, again: Replay | None) -> dict[str, Any]:
    if round_.result is None:
        return {"seats": ()}
    wagers = {seat["seat"]: seat["wager"] for seat in round_.record["seats"]}
    patrons = dict(round_.outcomes.values_list("seat", "patron__name"))
    kind = games.layout(round_.profile.game).pack.noun
    currency = reader.casino.currency
    transfers = _transfers(round_.result["transfers"])
    done = again.settlement if again and again.is_equal else None
    if done is not None:
        # Equal to what is stored, to the last word: so its words may be written anew, translated
        # and with amounts as people read them.
        return {
            "seats": tuple(
                seat_settlement(
                    seat,
                    kind=kind,
                    wager=wagers[seat.seat],
                    patron=patrons[seat.seat],
                    currency=currency,
                )
                for seat in done.seats
            ),
            "bank": _bank(done, kind),
            "steps": sentences(done.steps, currency),
            "transfers": transfers,
        }
    stored = round_.result
    return {
        "seats": tuple(
            _stored_seat(seat, kind, wagers[seat["seat"]], patrons[seat["seat"]], currency)
            for seat in stored["seats"]
        ),
        "bank": _stored_hands(stored["bank"], kind),
        "steps": tuple(stored["steps"]),
        "transfers": transfers,
        "warning": _(
            "The rules settle this record otherwise today. Shown is what is stored; amounts in "
            "its steps are in minor units. Replay names each difference."
        )
        if again
        else "",
    }


def _bank(done: Settlement, kind: str) -> TwoHands | None:
    return two_hands(done.bank.set, kind) if done.bank else None


def _stored_seat(
    seat: Mapping[str, Any], kind: str, wager: int, patron: str, currency: str
) -> SeatSettlement:
    return SeatSettlement(
        title=_("Seat %(seat)d · %(patron)s") % {"seat": seat["seat"], "patron": patron},
        currency=currency,
        result=Result(seat["outcome"]),
        wager=wager,
        pay=max(seat["net"], 0),
        take=max(-seat["net"], 0),
        commission=seat["commission"],
        hands=_stored_hands(seat, kind),
        high_text=_stored_comparison(_("High"), seat["high"]),
        low_text=_stored_comparison(_("Low"), seat["low"]),
    )


def _stored_hands(place: Mapping[str, Any] | None, kind: str) -> TwoHands | None:
    if place is None or place["set"] is None:
        return None
    return TwoHands(kind=kind, low=tuple(place["set"]["low"]), high=tuple(place["set"]["high"]))


def _stored_comparison(which: str, compared: Mapping[str, Any] | None) -> str:
    if compared is None:
        return ""
    return _("%(which)s: %(player)s against %(bank)s, %(winner)s wins it") % {
        "which": which,
        "player": compared["player"],
        "bank": compared["bank"],
        "winner": _("the bank") if compared["winner"] == "bank" else _("the player"),
    }


def _dealt(round_: Round) -> Iterator[DealtHand]:
    kind = games.layout(round_.profile.game).pack.noun
    record, result = round_.record, round_.result
    assert result is not None
    places = [(_("Bank"), record[BANK], result[BANK])]
    settled = {seat["seat"]: seat for seat in result["seats"]}
    places += [
        (_("Seat %(seat)d") % {"seat": seat["seat"]}, seat, settled[seat["seat"]])
        for seat in record["seats"]
    ]
    for title, given, answered in places:
        if given.get("hand") and answered["set"]:
            yield DealtHand(
                title=title,
                kind=kind,
                tokens=tuple(given["hand"]),
                set_by=_set_by(answered["set"]["by"]),
            )


def _set_by(by: str) -> Words:
    return {
        SetBy.PLAYER: _("as it was placed"),
        SetBy.HOUSE_WAY: _("the house way"),
        SetBy.REORDER: _("as it was placed, the two hands exchanged"),
    }[SetBy(by)]


def _transfers(transfers: list[Mapping[str, Any]]) -> tuple[TransferRow, ...]:
    return tuple(
        TransferRow(
            payer=_party(each["from"]),
            payee=_party(each["to"]),
            reason=_reason(each["reason"]),
            amount=each["amount"],
        )
        for each in transfers
    )


def _party(party: str) -> str:
    kind, _colon, number = party.partition(":")
    if number:
        return _("Seat %(seat)s") % {"seat": number}
    return {HOUSE: _("House"), BANK: _("Bank")}[kind]


def _reason(reason: str) -> str:
    return {MAIN: _("main wager"), COMMISSION: _("commission")}.get(reason, reason)


def _wagers(round_: Round) -> tuple[WagerRow, ...]:
    return tuple(
        WagerRow(
            seat=wager.seat,
            patron=wager.patron.name,
            kind=_reason(wager.kind),
            amount=wager.amount,
        )
        for wager in round_.wagers.select_related("patron").order_by("seat", "kind")
    )


def _facts(reader: Reader, round_: Round, names: Names) -> tuple[tuple[Words, Words], ...]:
    clock = WallClock(reader.casino.zone)
    return (
        (_("Dealt by"), names.actor(round_.actor)),
        (_("Device"), _device(round_)),
        (_("Recorded through"), Source(round_.source).label),
        (_("Depth"), RecordDepth(round_.depth).label),
        (_("Dealt"), clock.moment(round_.occurred_at)),
        (_("Recorded"), clock.moment(round_.recorded_at)),
        (_("Settled"), clock.moment(round_.settled_at)),
        (_("Gaming day"), round_.gaming_day.isoformat()),
        (_("Shift"), round_.segment.shift or "—"),
        (_("Rules"), _rules(round_)),
        (_("Digest of the rules"), round_.profile.digest),
    )


def _rules(round_: Round) -> str:
    return _("%(game)s, %(code)s version %(version)d") % {
        "game": game_title(round_.profile.game),
        "code": round_.profile.code,
        "version": round_.profile.version,
    }


def _device(round_: Round) -> str:
    if round_.device_id is None:
        return "—"
    device = Device.objects.filter(property_id=round_.property_id, pk=round_.device_id).first()
    return device.name if device else str(round_.device_id)


def _void_facts(
    reader: Reader, voiding: RoundVoid, names: Names
) -> tuple[tuple[Words, Words], ...]:
    signers = [voiding.floor, voiding.pit_boss]
    return (
        (_("Voided"), WallClock(reader.casino.zone).moment(voiding.voided_at)),
        (_("Reason of the void"), voiding.reason),
        (_("Void proposed by"), names.actor(voiding.proposed_by)),
        (
            _("Void signed by"),
            ", ".join(f"{signer.name} {signer.number}" for signer in signers if signer),
        ),
    )


def _replay_note(round_: Round) -> str:
    if round_.result is None:
        return _("There is no result yet that a replay could be held against.")
    if not can_replay(round_):
        return _("Outcomes alone were recorded: a replay needs every tile or card.")
    return ""


def entries_of(round_: Round) -> list[EntryDetail]:
    """Return the entry that settled the round, and the one that took it back."""
    voiding = RoundVoid.objects.filter(round=round_).first()
    ids = [round_.entry_id, voiding.entry_id if voiding else None]
    return [ledger.entry_detail(entry_id) for entry_id in ids if entry_id is not None]
