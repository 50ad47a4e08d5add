"""The opener is confirmed: the table is open, and a difference to the books is posted (4905)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from casino.properties.selectors import shift_of
from casino.staff.actors import Actor
from ledger.services.posting import post_entry
from ledger.services.templates import EventKind, Places, pair
from tables.chips.models import Count, CountKind
from tables.chips.services.counts import require_signed
from tables.chips.services.variances import raise_variance
from tables.floor import guards as floor_guards
from tables.floor import locks as floor_locks
from tables.floor.models import Segment, TableSession
from tables.floor.permissions import Act, require_role
from tables.floor.services import sessions
from tables.floor.states import SessionState


def confirm_opener(
    *, session_id: int, actor: Actor, at: datetime, reason: str = ""
) -> TableSession:
    """Open the table on its signed opener; confirming an open table changes nothing.

    The count is compared with what the books say is in the tray, which is the last closer and
    what came or went since. A difference needs a reason and is posted between the sessions.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: the table is not opening, or its opener is not signed by both.
        ReasonRequiredError: the opener differs and nobody says why.
    """
    require_role(actor, Act.OPEN_TABLE)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        if session.state == SessionState.OPEN:
            return session
        floor_guards.require_state(session, SessionState.OPENING)
        opener = require_signed(session, CountKind.OPENER)
        if opener.difference:
            _post_difference(session, opener, reason, actor=actor, at=at)
            raise_variance(count=opener, difference=opener.difference, actor=actor, at=at)
        session.opener = opener
        session.opened_at = at
        sessions.move(session, SessionState.OPEN)
        Segment.objects.create(
            session=session, number=1, shift=shift_of(session.property, at), opener=opener
        )
        sessions.record_move(session, "table_session.opened", actor=actor, at=at)
        sessions.announce(session, "table_session.opened", data={"opener": opener.total}, at=at)
    return session


def _post_difference(
    session: TableSession, opener: Count, reason: str, *, actor: Actor, at: datetime
) -> None:
    memo = floor_guards.require_reason(reason)
    above = opener.difference > 0
    kind = EventKind.OPENER_ABOVE_LAST_CLOSER if above else EventKind.OPENER_BELOW_LAST_CLOSER
    post_entry(
        property_id=session.property_id,
        key=f"{session.ref}:opener:1",
        kind=kind,
        legs=pair(kind, abs(opener.difference), places=Places(table=session.table_id)),
        source=opener.ref,
        actor=str(actor),
        at=at,
        gaming_day=session.gaming_day,
        table=session.table.ref,
        memo=memo,
    )
