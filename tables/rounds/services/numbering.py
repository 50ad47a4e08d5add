"""Round numbers are gapless within a session; only the session's lock holder gives them."""

from __future__ import annotations

from datetime import datetime

from casino.staff.actors import Actor
from tables.floor import guards as floor_guards
from tables.floor.models import TableSession
from tables.rounds.models import RecordDepth, Round, Source
from tables.rounds.states import RoundState


def start_round(
    session: TableSession, *, depth: RecordDepth, source: Source, actor: Actor, at: datetime
) -> Round:
    """Begin the next round of the locked *session* under the limits in force now.

    The round before it is over: whoever was paid is paid, so it closes.
    """
    session.rounds.filter(state=RoundState.SETTLED).update(state=RoundState.CLOSED)
    session.rounds_started += 1
    session.save(update_fields=["rounds_started"])
    return Round.objects.create(
        property_id=session.property_id,
        session=session,
        segment=session.segments.order_by("-number")[0],
        number=session.rounds_started,
        state=RoundState.BETTING,
        depth=depth,
        source=source,
        profile=session.profile,
        limits=floor_guards.limits_at(session.table, at),
        actor=str(actor),
        device_id=actor.device_id,
        gaming_day=session.gaming_day,
        occurred_at=at,
        recorded_at=at,
        record={},
    )


def give_back(session: TableSession, round_: Round) -> None:
    """Undo the start of a round that never held more than withdrawn wagers."""
    round_.delete()
    session.rounds_started -= 1
    session.save(update_fields=["rounds_started"])


def touch(round_: Round) -> None:
    """Raise the revision, so that a screen drawn before this change is refused."""
    round_.revision += 1
    round_.save(update_fields=["revision"])
