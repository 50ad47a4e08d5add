"""A settled round closes: whoever was to be paid is paid, and the table goes on."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from casino.staff.actors import Actor
from tables.floor import guards as floor_guards
from tables.floor.permissions import Act, require_role
from tables.floor.services import sessions
from tables.rounds import guards, locks
from tables.rounds.models import Round
from tables.rounds.states import RoundState


def close_round(*, round_id: int, actor: Actor, at: datetime, revision: int | None = None) -> Round:
    """Close a settled round at *at*; closing it twice changes nothing.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the round is not settled.
        StaleRevisionError: *revision* is not the round's.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        round_ = locks.round_(round_id)
        if round_.state == RoundState.CLOSED:
            return round_
        floor_guards.require_revision(round_.revision, revision)
        guards.require_state(round_, RoundState.SETTLED)
        round_.state = RoundState.CLOSED
        round_.revision += 1
        round_.save(update_fields=["state", "revision"])
        sessions.tell(round_.session, "round.closed", round=round_.pk)
    return round_
