"""Wagers of the round that the table is on; the first wager opens the round.

A round whose last wager is withdrawn before "no more bets" never was: its number is free again,
so that numbers stay gapless within the session.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from casino.staff.actors import Actor
from tables.errors import WagerRefusedError
from tables.floor import guards as floor_guards
from tables.floor import locks as floor_locks
from tables.floor.models import TableSession
from tables.floor.permissions import Act, require_role
from tables.floor.services import sessions
from tables.floor.states import RecordDepth
from tables.rounds import guards, locks
from tables.rounds.models import Round, Source, Wager
from tables.rounds.selectors import list_wagers_to_repeat
from tables.rounds.services import numbering
from tables.rounds.states import UNFINISHED, RoundState

NO_ROUND: Final = 0
"""The revision of a round that does not stand yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A wager as it stands, and the round that it stands on."""

    round: Round
    wager: Wager


def current_round(session: TableSession) -> Round | None:
    """Return the round that has no result yet, if the table is on one."""
    return session.rounds.filter(state__in=UNFINISHED).select_related("limits", "profile").first()


def place_wager(
    *,
    session_id: int,
    seat: int,
    amount: int,
    actor: Actor,
    at: datetime,
    revision: int | None = None,
) -> Placed:
    """Put *amount* (minor units) on the main wager of *seat*; a new amount replaces the old.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        TableClosedError: the table is not open.
        InvalidStateError: the round takes no more bets.
        SeatError: nobody sits there.
        WagerRefusedError, AmountError: the amount is not one that the table takes.
        StaleRevisionError: *revision* is not the round's.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        guards.require_open_table(session)
        seated = floor_guards.require_occupied(session, [seat])[seat]
        round_ = _betting_round(session, actor=actor, at=at, revision=revision)
        wager = _put(round_, seat=seat, patron_id=seated.patron_id, amount=amount, at=at)
        numbering.touch(round_)
        sessions.tell(session, "wager.placed", seat=seat)
    return Placed(round=round_, wager=wager)


def repeat_wagers(*, session_id: int, actor: Actor, at: datetime) -> Round:
    """Open the next round with the wagers of the last one, of those who still sit there.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        TableClosedError: the table is not open.
        InvalidStateError: the table is on a round already.
        WagerRefusedError: there is nothing to repeat, or the limits have changed since.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        guards.require_open_table(session)
        guards.require_no_round(current_round(session))
        wagers = list_wagers_to_repeat(session)
        if not wagers:
            raise WagerRefusedError(_("There is no wager to repeat."))
        round_ = _betting_round(session, actor=actor, at=at, revision=None)
        for last in wagers:
            _put(round_, seat=last.seat, patron_id=last.patron_id, amount=last.amount, at=at)
        numbering.touch(round_)
        sessions.tell(session, "wager.placed")
    return round_


def withdraw_wager(
    *, session_id: int, seat: int, actor: Actor, at: datetime, revision: int | None = None
) -> Round | None:
    """Take the wager of *seat* back before "no more bets"; none there changes nothing.

    Returns:
        The round, or None when that was its last wager and the round is gone.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the round takes no more bets.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        round_ = current_round(session)
        if round_ is None:
            return None
        round_ = locks.round_(round_.pk)
        floor_guards.require_revision(round_.revision, revision)
        guards.require_state(round_, RoundState.BETTING)
        round_.wagers.filter(seat=seat).delete()
        sessions.tell(session, "wager.withdrawn", seat=seat)
        if round_.wagers.exists():
            numbering.touch(round_)
            return round_
        numbering.give_back(session, round_)
        return None


def no_more_bets(
    *, round_id: int, actor: Actor, at: datetime, revision: int | None = None
) -> Round:
    """Fix the wagers; hands are entered next. Calling it twice changes nothing.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the round is over.
        WagerRefusedError: there is no wager.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        round_ = locks.round_(round_id)
        if round_.state == RoundState.LOCKED:
            return round_
        floor_guards.require_revision(round_.revision, revision)
        guards.require_state(round_, RoundState.BETTING)
        wagers = list(round_.wagers.order_by("seat"))
        if not wagers:
            raise WagerRefusedError(_("There is no wager on this round."))
        round_.record = {
            "bank": {"holder": "house", "hand": None, "set": "house_way"},
            "seats": [{"seat": wager.seat, "wager": wager.amount} for wager in wagers],
        }
        round_.state = RoundState.LOCKED
        round_.revision += 1
        round_.save(update_fields=["record", "state", "revision"])
        sessions.tell(round_.session, "round.locked", round=round_.pk)
    return round_


def _put(round_: Round, *, seat: int, patron_id: int, amount: int, at: datetime) -> Wager:
    floor_guards.require_wager_within(amount, round_.limits)
    wager, _created = Wager.objects.update_or_create(
        round=round_,
        seat=seat,
        kind="main",
        defaults={"patron_id": patron_id, "amount": amount, "placed_at": at},
    )
    return wager


def _betting_round(
    session: TableSession, *, actor: Actor, at: datetime, revision: int | None
) -> Round:
    current = current_round(session)
    if current is None:
        # The screen showed a round, which is over: its wager is not the next one's.
        floor_guards.require_revision(NO_ROUND, revision)
        return numbering.start_round(
            session,
            depth=RecordDepth(session.record_depth),
            source=Source.TABLET,
            actor=actor,
            at=at,
        )
    current = locks.round_(current.pk)
    floor_guards.require_revision(current.revision, revision)
    guards.require_state(current, RoundState.BETTING)
    return current
