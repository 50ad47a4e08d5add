"""Predicates of a round: each `require_x` raises with the reason, each `can_x` asks it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tables.errors import DepthError, InvalidStateError, TableClosedError
from tables.floor.models import TableSession
from tables.floor.states import RecordDepth, SessionState
from tables.rounds.models import Round
from tables.rounds.states import ENTERING, PAID, RoundState


def require_state(round_: Round, *allowed: RoundState) -> None:
    """Refuse unless the round is in one of the *allowed* states."""
    if round_.state not in allowed:
        raise InvalidStateError(
            _("Round %(number)d") % {"number": round_.number},
            current=round_.state,
            allowed=[str(state) for state in allowed],
        )


def require_entering(round_: Round) -> None:
    """Refuse unless wagers are fixed and the result does not stand yet."""
    require_state(round_, *sorted(ENTERING))


def require_open_table(session: TableSession) -> None:
    """Refuse a round at a table that is not open."""
    if session.state != SessionState.OPEN:
        raise TableClosedError(
            _("Table %(table)s is not open.") % {"table": session.table.code},
            current_status=session.state,
        )


def require_no_round(current: Round | None) -> None:
    """Refuse while the table is on the round *current*, which has no result yet."""
    if current is not None:
        raise InvalidStateError(
            _("Round %(number)d") % {"number": current.number},
            current=current.state,
            allowed=sorted(PAID),
        )


def require_depth(
    session: TableSession, depth: RecordDepth, *, pointer: str = "/round/seats"
) -> None:
    """Refuse a round that records less than its session does: it could never be replayed."""
    if session.record_depth == RecordDepth.FULL and depth != RecordDepth.FULL:
        raise DepthError(
            _("Table %(table)s records every tile or card.") % {"table": session.table.code},
            pointer=pointer,
        )


def can_settle(round_: Round) -> bool:
    """Tell whether everything that settling needs is entered."""
    return round_.state == RoundState.REVEALED


def can_void(round_: Round, session: TableSession) -> bool:
    """Tell whether the round may still be voided."""
    return session.state == SessionState.OPEN and round_.state in ENTERING | PAID | {
        RoundState.BETTING
    }
