"""Every row lock of a round; a session is locked before its rounds (tables/floor/locks.py)."""

from __future__ import annotations

from casino.web.errors import NotFoundError
from tables.rounds.models import Round


def round_(round_id: int) -> Round:
    """Lock and return the round with what settling it needs.

    Raises:
        NotFoundError: there is no such round.
    """
    found = (
        Round.objects.select_for_update(no_key=True, of=("self",))
        .select_related("session__table", "session__property", "profile", "limits", "segment")
        .filter(pk=round_id)
        .first()
    )
    if found is None:
        raise NotFoundError(f"There is no round {round_id}.")
    return found
