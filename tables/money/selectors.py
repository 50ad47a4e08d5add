"""Buy-ins as a table looks back at them; reads only."""

from __future__ import annotations

from django.db.models import QuerySet

from tables.floor.models import TableSession
from tables.money.models import BuyIn


def list_standing_buy_ins(session: TableSession) -> QuerySet[BuyIn]:
    """Return the buy-ins of the session that were not taken back, the newest first."""
    return session.buy_ins.filter(voiding=None).select_related("patron").order_by("-pk")
