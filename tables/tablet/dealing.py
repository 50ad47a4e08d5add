"""Screens of a round that is dealt: hands or outcomes entered, then what to pay and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from rules.settlement import SeatResult, SetBy, Settlement
from tables import games
from tables.art.names import RANK_NAMES, SUIT_NAMES, TILE_NAMES
from tables.art.settled import seat_settlement, two_hands
from tables.art.wording import sentences
from tables.rounds.models import Round
from tables.rounds.selectors import list_wagers_to_repeat
from tables.rounds.services.entering import BANK, HOUSE_WAY
from tables.tablet.desk import Desk
from tables.tablet.forms import HAND
from tables.tablet.records import (
    BankHands,
    CardRow,
    Dealing,
    HandEntry,
    HandSlots,
    OutcomeEntry,
    Outcomes,
    Paying,
    PickerFace,
    SeatPayment,
)


def dealing(
    desk: Desk, round_: Round, *, given: Mapping[str, str], errors: Mapping[str, str]
) -> Dealing:
    """Return every hand as far as it is entered; the first that is not whole is chosen."""
    kind = games.layout(round_.profile.game).pack.noun
    positions = [(BANK, _("Bank"), round_.record[BANK])]
    positions += [
        (str(seat["seat"]), _("Seat %(seat)d") % {"seat": seat["seat"]}, seat)
        for seat in round_.record["seats"]
    ]
    hands = [
        _hand(round_, position, title, entered, given=given, errors=errors, currency=desk.currency)
        for position, title, entered in positions
    ]
    return Dealing(
        round_number=round_.number,
        round_id=round_.pk,
        revision=round_.revision,
        kind=kind,
        currency=desk.currency,
        hands=_with_one_chosen(hands),
        tile_faces=tile_faces(round_.profile.game) if kind == "tile" else (),
        card_rows=card_rows(round_.profile.game) if kind == "card" else (),
    )


def tile_faces(game: str) -> tuple[PickerFace, ...]:
    """Return the faces of the game's tiles, strongest first."""
    copies = games.layout(game).pack.copies
    return tuple(PickerFace(token=token, copies=copies[token]) for token in TILE_NAMES)


def card_rows(game: str) -> tuple[CardRow, ...]:
    """Return the game's cards, a row for each suit, and what has no suit in a row of its own."""
    copies = games.layout(game).pack.copies
    rows = [
        CardRow(
            suit=suit,
            faces=tuple(
                PickerFace(token=rank + suit, copies=copies[rank + suit]) for rank in RANK_NAMES
            ),
        )
        for suit in SUIT_NAMES
    ]
    suited = {face.token for row in rows for face in row.faces}
    others = tuple(
        PickerFace(token=token, copies=number)
        for token, number in copies.items()
        if token not in suited
    )
    return (*rows, CardRow(suit="", faces=others)) if others else tuple(rows)


def outcomes(desk: Desk, round_: Round) -> Outcomes:
    """Return every seat with the outcome that is entered so far."""
    patrons = dict(round_.wagers.values_list("seat", "patron__name"))
    return Outcomes(
        round_number=round_.number,
        round_id=round_.pk,
        revision=round_.revision,
        currency=desk.currency,
        seats=tuple(
            OutcomeEntry(
                seat=seat["seat"],
                patron=patrons[seat["seat"]],
                wager=seat["wager"],
                outcome=seat.get("result", {}).get("outcome", ""),
            )
            for seat in round_.record["seats"]
        ),
    )


def paying(desk: Desk, round_: Round) -> Paying:
    """Return what the round comes to, as the rules say it now and will say it at every replay."""
    done = games.settle(profile=round_.profile, limits=round_.limits, record=round_.record)
    kind = games.layout(round_.profile.game).pack.noun
    wagers = {seat["seat"]: seat["wager"] for seat in round_.record["seats"]}
    patrons = dict(round_.wagers.values_list("seat", "patron__name"))
    repeatable = list_wagers_to_repeat(desk.in_session())
    return Paying(
        round_number=round_.number,
        round_id=round_.pk,
        revision=round_.revision,
        currency=desk.currency,
        seats=tuple(
            _seat(
                result,
                done,
                kind=kind,
                wager=wagers[result.seat],
                patron=patrons[result.seat],
                currency=desk.currency,
            )
            for result in done.seats
        ),
        bank=_bank(done, kind, desk.currency),
        has_hands=any(result.set is not None for result in done.seats),
        repeat_total=sum(wager.amount for wager in repeatable),
    )


def _hand(
    round_: Round,
    position: str,
    title: str,
    entered: Mapping[str, Any],
    *,
    given: Mapping[str, str],
    errors: Mapping[str, str],
    currency: str,
) -> HandEntry:
    layout = games.layout(round_.profile.game)
    name = f"{HAND}{position}"
    is_bank = position == BANK
    is_house_way = not is_bank and entered.get("set") == HOUSE_WAY
    tokens = _as_set(entered)
    steps: tuple[str, ...] = ()
    if is_house_way and tokens:
        setting = games.house_way(profile=round_.profile, hand=tokens)
        tokens = (*setting.low, *setting.high)
        steps = sentences(setting.steps, currency)
    if name in errors:
        # What has no face cannot be drawn; the sentence beside the hand names it.
        typed = given.get(name, "").split()
        tokens = tuple(one for one in typed if one in layout.pack.copies)[: layout.hand_size]
    return HandEntry(
        position=position,
        slots=HandSlots(
            name=name,
            title=title,
            kind=layout.pack.noun,
            size=layout.hand_size,
            low_size=0 if is_bank else layout.low_size,
            tokens=tokens,
            error=errors.get(name, ""),
        ),
        is_seat=not is_bank,
        is_house_way=is_house_way,
        steps=steps,
    )


def _as_set(entered: Mapping[str, Any]) -> tuple[str, ...]:
    placed = entered.get("set")
    if isinstance(placed, Mapping):
        return (*placed["low"], *placed["high"])
    return tuple(entered.get("hand") or ())


def _with_one_chosen(hands: Sequence[HandEntry]) -> tuple[HandEntry, ...]:
    first = next((hand for hand in hands if len(hand.slots.tokens) < hand.slots.size), hands[0])
    return tuple(
        replace(hand, slots=replace(hand.slots, is_chosen=True)) if hand is first else hand
        for hand in hands
    )


def _seat(
    result: SeatResult, done: Settlement, *, kind: str, wager: int, patron: str, currency: str
) -> SeatPayment:
    mine = tuple(step for step in done.steps if step.values.get("seat") == result.seat)
    return SeatPayment(
        seat=result.seat,
        settlement=seat_settlement(
            result,
            kind=kind,
            wager=wager,
            patron=patron,
            currency=currency,
            steps=sentences(mine, currency),
        ),
        can_house_way=result.set is not None and result.set.by != SetBy.HOUSE_WAY,
    )


def _bank(done: Settlement, kind: str, currency: str) -> BankHands | None:
    if done.bank is None or done.bank.set is None:
        return None
    hands = two_hands(done.bank.set, kind)
    assert hands is not None, "the bank is set"
    mine = tuple(step for step in done.steps if "seat" not in step.values)
    return BankHands(hands=hands, steps=sentences(mine, currency))
