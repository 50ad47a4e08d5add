"""Round numbers are gapless within a session; only the session's lock holder gives them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F

from casino.staff.actors import Actor
from tables.floor.models import Segment, TableLimits, TableSession
from tables.floor.states import RecordDepth
from tables.rounds.models import Round, Source
from tables.rounds.states import RoundState


def start_round(
    session: TableSession, *, depth: RecordDepth, source: Source, actor: Actor, at: datetime
) -> Round:
    """Begin the next round of the locked *session* under the limits in force now.

    The round before it is over: whoever was paid is paid, so it closes.
    """
    session.rounds.filter(state=RoundState.SETTLED).update(
        state=RoundState.CLOSED, revision=F("revision") + 1
    )
    limits, segment = _terms(session, at)
    session.rounds_started += 1
    session.save(update_fields=["rounds_started"])
    return Round.objects.create(
        property_id=session.property_id,
        session=session,
        segment=segment,
        number=session.rounds_started,
        state=RoundState.BETTING,
        depth=depth,
        source=source,
        profile=session.profile,
        limits=limits,
        actor=str(actor),
        device_id=actor.device_id,
        gaming_day=session.gaming_day,
        occurred_at=at,
        recorded_at=at,
        record={},
    )


def _terms(session: TableSession, at: datetime) -> tuple[TableLimits, Segment]:
    """Return the limits that are in force and the segment that runs, by one query."""
    segments = "table__sessions__segments"
    limits = (
        TableLimits.objects.filter(
            table_id=session.table_id,
            effective_at__lte=at,
            table__sessions=session,
            **{f"{segments}__closer": None},
        )
        .annotate(
            segment_id=F(f"{segments}__id"),
            segment_number=F(f"{segments}__number"),
            shift=F(f"{segments}__shift"),
        )
        .order_by("-effective_at")
        .first()
    )
    assert limits is not None, "an open table has limits and a segment that runs"
    segment = Segment(
        pk=limits.segment_id, session=session, number=limits.segment_number, shift=limits.shift
    )
    return limits, segment


def give_back(session: TableSession, round_: Round) -> None:
    """Undo the start of a round that never held more than withdrawn wagers."""
    round_.delete()
    session.rounds_started -= 1
    session.save(update_fields=["rounds_started"])


def touch(round_: Round) -> None:
    """Raise the revision, so that a screen drawn before this change is refused."""
    round_.revision += 1
    round_.save(update_fields=["revision"])
