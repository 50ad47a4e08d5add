"""Hands, sets and results as the dealer enters them, between "no more bets" and settling.

The state of such a round follows from what is entered, so a correction before settling may also
step back. Nothing here moves money; a hand that cannot be is refused at once, by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from casino.staff.actors import Actor
from tables import games
from tables.errors import RoundRefusedError, SeatError
from tables.floor import guards as floor_guards
from tables.floor.permissions import Act, require_role
from tables.floor.services import sessions
from tables.floor.states import RecordDepth
from tables.rounds import guards, locks
from tables.rounds.models import Round
from tables.rounds.states import RoundState

BANK = "bank"
HOUSE_WAY = "house_way"

SetGiven = Mapping[str, Sequence[str]] | str | None
"""`{"low": …, "high": …}`, `"house_way"`, or None when it is not set yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """What lies in front of one position, and how it is set."""

    hand: Sequence[str]
    given_set: SetGiven


def enter_hand(
    *,
    round_id: int,
    position: str,
    hand: Sequence[str],
    given_set: SetGiven,
    actor: Actor,
    at: datetime,
    revision: int | None = None,
) -> Round:
    """Enter the tiles or cards of one position, with the set or to be set the house way.

    Args:
        position: `bank` or a seat number as text.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: wagers are still open, or the round is over.
        SeatError: the seat has no wager on this round.
        RoundRefusedError: the hand or the set cannot be, or another position holds the tile.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        round_ = _entering(round_id, revision)
        _enter(round_, _position(round_.record, position), Dealt(hand=hand, given_set=given_set))
        return _keep(round_)


def enter_hands(
    *,
    round_id: int,
    hands: Mapping[str, Dealt | None],
    actor: Actor,
    at: datetime,
    revision: int | None = None,
) -> Round:
    """Enter several positions in one act, so that a tile may go from one to another.

    Args:
        hands: position → what lies there; None where a hand is not whole yet.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError, SeatError: as for one hand.
        RoundRefusedError: as for one hand; the pointer begins with the position.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        round_ = _entering(round_id, revision)
        entered = {position: _position(round_.record, position) for position in hands}
        for mine in entered.values():
            mine["hand"] = None
            mine.pop("result", None)
        for position, dealt in hands.items():
            if dealt is not None:
                _enter_at(round_, position, entered[position], dealt)
        return _keep(round_)


def set_hand(
    *,
    round_id: int,
    position: str,
    given_set: SetGiven,
    actor: Actor,
    at: datetime,
    revision: int | None = None,
) -> Round:
    """Set a hand that is entered in another way.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError, SeatError: as for a hand.
        RoundRefusedError: no hand is entered there, or the set cannot be made of it.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        round_ = _entering(round_id, revision)
        entered = _position(round_.record, position)
        _enter(round_, entered, Dealt(hand=entered.get("hand") or (), given_set=given_set))
        return _keep(round_)


def enter_result(
    *,
    round_id: int,
    seat: int,
    outcome: str,
    actor: Actor,
    at: datetime,
    revision: int | None = None,
) -> Round:
    """Enter only the outcome of a seat (win, lose, push, void), at a table of that depth.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError, SeatError: as for a hand.
        DepthError: the table records every tile or card.
        RoundRefusedError: no such outcome.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        round_ = _entering(round_id, revision)
        guards.require_depth(round_.session, RecordDepth.RESULT, pointer="/outcome")
        entered = _position(round_.record, str(seat))
        entered["result"] = {"outcome": games.read_outcome(outcome)}
        entered.pop("hand", None)
        entered.pop("set", None)
        return _keep(round_)


def state_of(record: Mapping[str, Any]) -> RoundState:
    """Return the state that follows from what is entered so far."""
    seats = record["seats"]
    if all("result" in seat for seat in seats):
        return RoundState.REVEALED
    hands = [seat.get("hand") or seat.get("result") for seat in (*seats, record[BANK])]
    if not any(hands):
        return RoundState.LOCKED
    if not all(hands):
        return RoundState.DEALT
    if all(seat.get("set") or seat.get("result") for seat in seats):
        return RoundState.REVEALED
    return RoundState.SETTING


def _entering(round_id: int, revision: int | None) -> Round:
    round_ = locks.round_(round_id)
    floor_guards.require_revision(round_.revision, revision)
    guards.require_entering(round_)
    return round_


def _position(record: dict[str, Any], position: str) -> dict[str, Any]:
    if position == BANK:
        bank: dict[str, Any] = record[BANK]
        return bank
    seats: list[dict[str, Any]] = record["seats"]
    for seat in seats:
        if str(seat["seat"]) == position:
            return seat
    raise SeatError(
        _("Seat %(seat)s has no wager on this round.") % {"seat": position}, pointer="/position"
    )


def _enter(round_: Round, entered: dict[str, Any], dealt: Dealt) -> None:
    others = _other_hands(round_.record, entered)
    entered["hand"] = list(games.read_hand(round_.profile.game, dealt.hand, others=others))
    entered.pop("result", None)
    entered["set"] = _checked_set(round_, entered["hand"], dealt.given_set)


def _enter_at(round_: Round, position: str, entered: dict[str, Any], dealt: Dealt) -> None:
    try:
        _enter(round_, entered, dealt)
    except RoundRefusedError as refusal:
        raise RoundRefusedError(
            refusal.detail,
            rule_code=refusal.members["rule_code"],
            pointer=f"/{position}{refusal.pointer or ''}",
        ) from refusal


def _other_hands(record: Mapping[str, Any], mine: Mapping[str, Any]) -> list[Sequence[str]]:
    return [
        position["hand"]
        for position in (record[BANK], *record["seats"])
        if position is not mine and position.get("hand")
    ]


def _checked_set(round_: Round, hand: Sequence[str], given: SetGiven) -> Any:
    if given is None or given == HOUSE_WAY:
        return given
    assert not isinstance(given, str), "a set is the house way or two hands"
    checked = games.read_set(round_.profile.game, hand=hand, low=given["low"], high=given["high"])
    return {"low": list(checked.low), "high": list(checked.high)}


def _keep(round_: Round) -> Round:
    round_.state = state_of(round_.record)
    round_.revision += 1
    round_.save(update_fields=["record", "state", "revision"])
    sessions.tell(round_.session, "round.entered", round=round_.pk)
    return round_
