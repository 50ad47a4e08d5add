"""The end of a session at the table: play ends, the tray is counted, a settlement is due."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from casino.staff.actors import Actor
from tables.chips.models import CountKind
from tables.chips.selectors import latest_count
from tables.chips.services.counts import require_signed
from tables.errors import ChecklistOpenError, InvalidStateError
from tables.floor import guards as floor_guards
from tables.floor import locks as floor_locks
from tables.floor.models import TableSession
from tables.floor.permissions import Act, require_role
from tables.floor.services import sessions
from tables.floor.states import SessionState
from tables.settlement.checklist import open_items
from tables.settlement.models import RunState, SettlementRun
from tables.settlement.waking import wake_settlement_on_commit


def begin_closing(*, session_id: int, actor: Actor, at: datetime) -> TableSession:
    """End play: no new rounds; the tray is counted next. Twice changes nothing.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the session is not open.
        ChecklistOpenError: something is not finished; each open item is named.
    """
    require_role(actor, Act.CLOSE_TABLE)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        if session.state == SessionState.CLOSING:
            return session
        floor_guards.require_state(session, SessionState.OPEN)
        items = open_items(session)
        if items:
            raise ChecklistOpenError(items)
        session.closing_at = at
        sessions.move(session, SessionState.CLOSING)
        sessions.record_move(session, "table_session.closing", actor=actor, at=at)
    return session


def resume_play(*, session_id: int, actor: Actor, at: datetime) -> TableSession:
    """Go on playing: possible until the tray was counted.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the session is not closing, or its closer is counted.
    """
    require_role(actor, Act.CLOSE_TABLE)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        floor_guards.require_state(session, SessionState.CLOSING)
        count = latest_count(session, CountKind.CLOSER)
        if count is not None:
            raise InvalidStateError(str(count), current="counted", allowed=["not counted"])
        session.closing_at = None
        sessions.move(session, SessionState.OPEN)
        sessions.record_move(session, "table_session.resumed", actor=actor, at=at)
    return session


def accept_closer(*, session_id: int, actor: Actor, at: datetime) -> SettlementRun:
    """Take the signed closer as it is and ask for the settlement; twice asks once.

    The settlement itself is a worker's: it starts at once, and a sweep finds it if not.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the session is not closing, or the closer is not signed.
    """
    require_role(actor, Act.CLOSE_TABLE)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        asked = session.runs.filter(version=session.settlement_version).first()
        if asked is not None:
            return asked
        floor_guards.require_state(session, SessionState.CLOSING)
        closer = require_signed(session, CountKind.CLOSER)
        session.closer = closer
        session.revision += 1
        session.save(update_fields=["closer", "revision"])
        session.segments.filter(closer=None).update(closer=closer)
        run = SettlementRun.objects.create(
            session=session,
            version=session.settlement_version,
            state=RunState.RUNNING,
            requested_at=at,
        )
        sessions.record_move(session, "table_session.closer_accepted", actor=actor, at=at)
        wake_settlement_on_commit(run)
    return run
