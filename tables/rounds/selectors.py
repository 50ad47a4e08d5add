"""Rounds as a table looks back at them; reads only."""

from __future__ import annotations

from tables.floor.models import TableSession
from tables.rounds.models import Round, Wager
from tables.rounds.states import PAID, RoundState


def last_paid_round(session: TableSession) -> Round | None:
    """Return the round of the session that was paid last and not voided."""
    return (
        session.rounds.filter(state__in=PAID)
        .select_related("limits", "profile")
        .order_by("-number", "-version")
        .first()
    )


def list_wagers_to_repeat(session: TableSession) -> list[Wager]:
    """Return the main wagers of the last round whose patrons still sit where they sat."""
    last = session.rounds.exclude(state=RoundState.BETTING).order_by("-number", "-version").first()
    if last is None:
        return []
    seated = dict(session.occupancies.filter(until=None).values_list("seat", "patron_id"))
    wagers = last.wagers.filter(kind="main").select_related("patron").order_by("seat")
    return [wager for wager in wagers if seated.get(wager.seat) == wager.patron_id]
