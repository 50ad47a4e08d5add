"""The life of a table session (table-operations.md 3), as data.

States that only the floor's and the drop's own work can reach (scheduled, counting, reopened,
settled, adjusted) join this table together with that work.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class SessionState(TextChoices):
    """Where a table session stands between its opener and its closer."""

    OPENING = "opening", _("opening")
    OPEN = "open", _("open")
    CLOSING = "closing", _("closing")
    CLOSED_PROVISIONAL = "closed_provisional", _("closed, provisional")
    ABORTED = "aborted", _("aborted")


NEXT: Final[Mapping[SessionState, frozenset[SessionState]]] = {
    SessionState.OPENING: frozenset({SessionState.OPEN, SessionState.ABORTED}),
    SessionState.OPEN: frozenset({SessionState.CLOSING}),
    # Back to open: the floor changed its mind before anybody signed the closer.
    SessionState.CLOSING: frozenset({SessionState.CLOSED_PROVISIONAL, SessionState.OPEN}),
    SessionState.CLOSED_PROVISIONAL: frozenset(),
    SessionState.ABORTED: frozenset(),
}
assert NEXT.keys() == set(SessionState)

LIVE: Final = frozenset({SessionState.OPENING, SessionState.OPEN, SessionState.CLOSING})
"""States in which the session holds its table: a table has at most one of these."""


class RecordDepth(TextChoices):
    """How much of its rounds a session records (table-operations.md 10.1).

    The setting `record_depth` has a third, `totals`; a table that is set to it cannot open yet.
    """

    FULL = "full", _("every tile or card")
    RESULT = "result", _("wagers and outcomes")


def can_move(current: SessionState, to: SessionState) -> bool:
    """Tell whether a session may go from *current* to *to*."""
    return to in NEXT[current]
