"""The figures of a session from its events, by the symbols of table-operations.md 7; pure reads.

Voided rounds and buy-ins are left out: their entries are taken back, so they never were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, F, Sum
from django.db.models.functions import Coalesce

from ledger import selectors as ledger
from ledger.chart import Number
from tables.floor.models import TableSession
from tables.rounds.models import SeatOutcome, Wager
from tables.rounds.states import PAID

SESSION_REVENUE: Final = (
    Number.WIN_MAIN,
    Number.WIN_SIDE,
    Number.COMMISSION,
    Number.COMMISSION_UNCOLLECTED,
    Number.COLLECTION_FEES,
    Number.PROMOTIONAL_PAYOUTS,
    Number.OVER_SHORT_CHIPS,
    Number.OVER_SHORT_COUNT,
)
"""The accounts whose sum is R of section 7.1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """What the hand log says, in minor units."""

    main_net: int
    """Hm: net of main wagers in chips; positive is the house's."""
    side_net: int
    """Hs: the same for side wagers."""
    commission: int
    """K: commission collected into the tray."""
    handle: int
    rounds: int
    by_seat: tuple[Mapping[str, Any], ...]
    by_dealer: tuple[Mapping[str, Any], ...]


def hands_of(session: TableSession) -> Hands:
    """Sum the settled rounds of the session."""
    outcomes = SeatOutcome.objects.filter(round__session=session, round__state__in=PAID)
    sums = outcomes.aggregate(
        net=Coalesce(Sum("net"), 0),
        commission=Coalesce(Sum("commission"), 0),
        rounds=Count("round", distinct=True),
    )
    wagers = Wager.objects.filter(round__session=session, round__state__in=PAID)
    return Hands(
        # A seat's net is after commission: what it paid as commission was not lost on the wager.
        main_net=-(sums["net"] + sums["commission"]),
        # The rules refuse side wagers by name until they are built; S2 holds this sum against
        # the tray, so one that came in anyhow would stop the settlement.
        side_net=0,
        commission=sums["commission"],
        handle=wagers.aggregate(handle=Coalesce(Sum("amount"), 0))["handle"],
        rounds=sums["rounds"],
        by_seat=tuple(
            outcomes.values("seat")
            .annotate(hands=Count("id"), handle=Sum("wager"), net=Sum("net"))
            .order_by("seat")
        ),
        by_dealer=tuple(
            outcomes.values(dealer=F("round__actor"))
            .annotate(rounds=Count("round", distinct=True), house_net=-Sum("net"))
            .order_by("dealer")
        ),
    )


def box_recorded(session: TableSession) -> int:
    """Return the recorded contents of the drop box, in minor units: DB until it is counted."""
    bought = session.buy_ins.filter(voiding=None).aggregate(sum=Coalesce(Sum("amount"), 0))
    return int(bought["sum"])


def revenue(session: TableSession) -> int:
    """Return R: what the revenue accounts of the session hold; positive is the house's."""
    codes = (f"{number}/{session.ref}" for number in SESSION_REVENUE)
    return -sum(ledger.balances(session.property_id, *codes).values())


def commission_booked(session: TableSession) -> int:
    """Return what the session's commission account holds; positive is the house's."""
    return -ledger.balance(session.property_id, f"{Number.COMMISSION}/{session.ref}")
