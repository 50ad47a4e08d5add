"""What the pit's partials draw: plain records, so that no template can reach the database.

Amounts are minor units of the record's currency.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tables.art.records import SeatSettlement, TwoHands, Words


class Level(StrEnum):
    """How a state is marked: by a shape and a word; the colour only helps."""

    PLAIN = "plain"
    GOOD = "good"
    NEUTRAL = "neutral"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorRow:
    """One table on the floor: `_floor.html`."""

    code: str
    game: Words
    state: Words
    level: Level
    address: str
    currency: str
    dealer: str = ""
    round_number: int | None = None
    tray: int | None = None
    """The exact expected tray; None for whoever will count it, who sees the band alone."""
    band: str = ""
    """`low`, `normal` or `high`; empty where there is no session."""
    win: int | None = None
    drop: int | None = None
    hold: Words = ""
    """Win as a share of the drop, as it is read; empty while nothing was dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegRow:
    """One posting of an entry; debit or credit is zero."""

    account: str
    name: Words
    event: Words
    debit: int = 0
    credit: int = 0
    pieces: Words = ""
    """Which chips moved, where that was recorded: "4 × 25, 2 × 100"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """One entry of the ledger: `_entries.html`, and `_entry.html` with its legs."""

    public_id: str
    address: str
    kind: Words
    at: Words
    gaming_day: Words
    actor: str
    currency: str
    amount: int
    """The sum of its debits, which is that of its credits."""
    source: Words
    source_address: str = ""
    approver: str = ""
    memo: str = ""
    reverses: str = ""
    """Public id of the entry that this one takes back."""
    reversed_by: str = ""
    legs: tuple[LegRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A stored round, as it can be replayed: `_round.html`."""

    title: Words
    state: Words
    level: Level
    facts: tuple[tuple[Words, Words], ...]
    currency: str
    seats: tuple[SeatSettlement, ...]
    bank: TwoHands | None = None
    bank_steps: tuple[str, ...] = ()
    entries: tuple[EntryView, ...] = ()
