"""What the tablet and the pit draw alike: set hands and what a seat's hand came to.

Plain records, so that no template can reach the database; amounts are minor units.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise

Words = Promise | str


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHands:
    """A set hand as it lies: `art/_two_hands.html`."""

    kind: str
    low: tuple[str, ...]
    high: tuple[str, ...]
    low_text: str = ""
    high_text: str = ""


class Result(StrEnum):
    """How a seat's main wager ended."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    VOID = "void"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSettlement:
    """What the dealer does at one seat, and why: `_settlement.html`."""

    title: Words
    currency: str
    result: Result
    wager: int
    pay: int = 0
    """Chips from the tray to the seat, after commission."""
    take: int = 0
    """Chips from the seat to the tray (or to the bank)."""
    commission: int = 0
    """Kept from what is paid."""
    hands: TwoHands | None = None
    low_text: str = ""
    high_text: str = ""
    steps: tuple[str, ...] = ()
