"""A session begins: the table is taken, its rules and its depth of record frozen, its day fixed."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from casino.events import services as events
from casino.properties.selectors import gaming_day_of
from casino.staff.actors import Actor
from casino.staff.services import audit
from casino.web import live
from casino.web.ids import public_id
from tables.errors import DepthNotBuiltError, TableBusyError
from tables.floor import guards, locks
from tables.floor.models import Table, TableSession, TraySight
from tables.floor.permissions import Act, require_role
from tables.floor.selectors import next_depth
from tables.floor.states import LIVE, RecordDepth, SessionState


def begin_opening(*, table_id: int, actor: Actor, at: datetime) -> TableSession:
    """Take the table for a new session; its tray is counted next, blind.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        TableBusyError: the table already has a session that has not been closed.
        DepthNotBuiltError: the table is set to record totals alone.
    """
    require_role(actor, Act.OPEN_TABLE)
    with transaction.atomic():
        table = locks.table(table_id)
        if table.sessions.filter(state__in=LIVE).exists():
            raise TableBusyError(
                _("Table %(table)s already has a session.") % {"table": table.code}
            )
        session = TableSession.objects.create(
            property=table.property,
            table=table,
            gaming_day=gaming_day_of(table.property, at),
            number=table.sessions.count() + 1,
            state=SessionState.OPENING,
            profile=table.profile,
            chip_set=table.chip_set,
            record_depth=_depth_to_freeze(table, at=at),
            opening_at=at,
        )
        record_move(session, "table_session.opening", actor=actor, at=at)
    return session


def _depth_to_freeze(table: Table, *, at: datetime) -> RecordDepth:
    depth = next_depth(table, at=at)
    if depth not in RecordDepth.values:
        raise DepthNotBuiltError(
            _("Table %(table)s is set to record_depth %(depth)s, which is not built yet.")
            % {"table": table.code, "depth": depth},
            pointer="/record_depth",
        )
    return RecordDepth(depth)


def abort_opening(*, session_id: int, actor: Actor, at: datetime) -> TableSession:
    """Give the table back: opened by mistake, no value has moved.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the opener is already confirmed.
    """
    require_role(actor, Act.OPEN_TABLE)
    with transaction.atomic():
        session = locks.session(session_id)
        move(session, SessionState.ABORTED)
        record_move(session, "table_session.aborted", actor=actor, at=at)
    return session


def move(session: TableSession, to: SessionState) -> None:
    """Put the locked *session* in the state *to* and raise its revision; refuse a wrong move."""
    guards.require_move(session, to)
    session.state = to
    session.revision += 1
    session.save()


def record_move(session: TableSession, action: str, *, actor: Actor, at: datetime) -> None:
    """Write the audit row of a change of state and tell the screens."""
    audit.record(
        actor=actor,
        action=action,
        subject=session.ref,
        property_id=session.property_id,
        at=at,
        after={"state": session.state, "table": session.table.code},
    )
    tell(session, action)


def announce(session: TableSession, topic: str, *, data: dict[str, object], at: datetime) -> None:
    """Put an event of the session into the outbox, in the same transaction."""
    events.emit(
        property_id=session.property_id,
        topic=topic,
        subject=("table_session", public_id("ses", session.pk)),
        version=session.revision,
        data={
            "id": public_id("ses", session.pk),
            "table": session.table.code,
            "state": session.state,
            **data,
        },
        occurred_at=at,
        gaming_day=session.gaming_day,
        key=f"{session.ref}:{topic}:{session.settlement_version}",
    )


def tell(session: TableSession, event: str, **data: object) -> None:
    """Wake the screens that show this table or its pit; a lost wake-up loses nothing."""
    facts = {"table": session.table_id, "session": session.pk, **data}
    live.tell_on_commit(f"table:{session.table_id}", event, facts)
    live.tell_on_commit(f"pit:{session.table.pit_id}", event, facts)


def note_tray_sight(*, session: TableSession, employee_id: int, at: datetime) -> None:
    """Remember that this person has seen the exact expected tray (SOD-14)."""
    TraySight.objects.get_or_create(
        session=session, employee_id=employee_id, defaults={"first_seen_at": at}
    )
