"""What an export holds: accounts, entries in their order, and what the books say came of them.

Balances are those that the books keep, not sums of the entries beside them, so a file whose
entries do not lead to its balances shows that something is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final
from uuid import UUID

PREFIX: Final = "ent_"
"""How the API begins the identifier of an entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookAccount:
    """An account of the property, and what it held at both ends of the range."""

    id: int
    code: str
    """`1120/table:3`"""
    number: str
    name: str
    type: str
    side: int
    """1 where debits increase the balance, -1 where credits do."""
    instrument: str
    currency: str
    exponent: int
    """How many decimals a minor unit of the currency stands for."""
    opened_at: datetime
    closed_at: datetime | None
    opening: int
    """Debit less credit, in minor units, before the first day; the sum of what was posted."""
    closing: int
    """Debit less credit after the last day, by the balance that the books keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPosting:
    """One line of an entry."""

    account: BookAccount
    line: int
    amount: int
    """In minor units; debit above zero, credit below."""
    event: str
    balance_after: int | None
    """Debit less credit; None where several rows share the account's load."""
    pieces: tuple[tuple[int, int], ...] = ()
    """(denomination in minor units, pieces), the greatest first."""

    @property
    def pieces_text(self) -> str:
        """Return the counted pieces in one cell: `10000x50 2500x4`, by minor units."""
        return " ".join(f"{denomination}x{count}" for denomination, count in self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookEntry:
    """One entry with its lines; other entries are named by their public identifiers."""

    id: int
    public_id: UUID
    kind: str
    source: str
    gaming_day: date
    late_day: date | None = None
    effective_at: datetime
    recorded_at: datetime
    table: str = ""
    session: str = ""
    shift: str = ""
    actor: str
    approver: str = ""
    memo: str = ""
    reverses: UUID | None = None
    reversed_by: UUID | None = None
    restates: UUID | None = None
    corrects: UUID | None = None
    rate_sold: int | None = None
    rate_bought: int | None = None
    seal: int | None = None
    """The number of the seal that fixes it; None while it waits for one."""
    postings: tuple[BookPosting, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """What the close of a gaming day kept."""

    gaming_day: date
    moved: frozenset[int]
    """Ids of the accounts that moved since the close before."""
    held: Mapping[int, int]
    """Account id → debit less credit after the day. Read it before the next close is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """A range of whole gaming days of one property's books, at one moment."""

    property_code: str
    property_name: str
    currency: str
    """The property's own."""
    first: date | None
    """None: from the beginning of the books."""
    last: date | None
    """None: to their end."""
    begins_on: date
    """The first gaming day of the range that has entries, or *first*."""
    ends_on: date
    """The last gaming day of the range that has entries, or *last*."""
    accounts: tuple[BookAccount, ...]
    """By their codes."""
    entries: Callable[[], Iterator[BookEntry]]
    """Streams the entries by their ids."""
    closes: Callable[[], Iterator[Close]]
    """Streams the closes of the range, day by day."""

    @property
    def currencies(self) -> dict[str, int]:
        """Return the exponents of the currencies of all accounts, by their codes."""
        return dict(
            sorted({account.currency: account.exponent for account in self.accounts}.items())
        )

    def among(self, ids: Collection[int]) -> list[BookAccount]:
        """Return the accounts of those *ids*, by their codes."""
        return [account for account in self.accounts if account.id in ids]

    def opened_with(self) -> dict[str, list[BookAccount]]:
        """Return the accounts that held something before the range, by their currencies."""
        held: dict[str, list[BookAccount]] = {}
        for account in self.accounts:
            if account.opening:
                held.setdefault(account.currency, []).append(account)
        return held


def reference(public_id: UUID | None) -> str | None:
    """Return the identifier that the API shows for an entry."""
    return f"{PREFIX}{public_id}" if public_id else None


def moment_text(moment: datetime) -> str:
    """Return *moment* as the API writes it: `2026-03-14T20:30:00Z`."""
    return moment.isoformat().replace("+00:00", "Z")
