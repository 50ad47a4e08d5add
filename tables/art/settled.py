"""What a seat's hand came to, from the rules' result, as tablet and pit draw it alike."""

from __future__ import annotations

from django.utils.translation import gettext as _

from rules.settlement import SeatResult, SetResult
from tables.art.records import Result, SeatSettlement, TwoHands
from tables.art.wording import high_text, low_text


def seat_settlement(
    result: SeatResult,
    *,
    kind: str,
    wager: int,
    patron: str,
    currency: str,
    steps: tuple[str, ...] = (),
) -> SeatSettlement:
    """Return what the dealer does at the seat; *kind* is `tile` or `card`."""
    return SeatSettlement(
        title=_("Seat %(seat)d · %(patron)s") % {"seat": result.seat, "patron": patron},
        currency=currency,
        result=Result(result.outcome),
        wager=wager,
        pay=max(result.net, 0),
        take=max(-result.net, 0),
        commission=result.commission,
        hands=two_hands(result.set, kind),
        high_text=high_text(result.high, currency),
        low_text=low_text(result.low, currency),
        steps=steps,
    )


def two_hands(set_as: SetResult | None, kind: str) -> TwoHands | None:
    """Return a set hand as it lies; None where only the result was recorded."""
    if set_as is None:
        return None
    return TwoHands(kind=kind, low=set_as.low, high=set_as.high)
