"""What reads of the books return: frozen records, amounts in minor units, debit above zero."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from ledger.chart import AccountType


@dataclass(frozen=True, slots=True)
class Held:
    """What is held in one currency."""

    currency: str
    amount: int
    """In minor units; debit above zero, credit below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """One entry without its lines."""

    id: int
    public_id: UUID
    kind: str
    source: str
    gaming_day: date
    effective_at: datetime
    recorded_at: datetime
    table: str
    session: str
    shift: str
    actor: str
    approver: str
    memo: str
    legs: int
    reverses: UUID | None
    reversed_by: UUID | None
    restates: UUID | None
    """The reversed entry whose event this one tells anew."""
    restated_by: UUID | None
    corrects: UUID | None
    """The entry that this one corrects in part."""
    late_day: date | None
    """The closed gaming day that it belongs to by the calendar, where it came late."""
    rate: tuple[int, int] | None
    """Of an exchange: (sold, bought) minor units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRow:
    """One posting of an entry."""

    line: int
    account: str
    name: str
    currency: str
    amount: int
    """In minor units; debit above zero, credit below."""
    event: str
    balance_after: int | None
    pieces: tuple[tuple[int, int], ...] = ()
    """(denomination, pieces), the greatest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDetail:
    """One entry with its lines."""

    entry: EntryRow
    lines: tuple[LineRow, ...]
    corrections: tuple[UUID, ...] = ()
    """The entries that correct it in part, the first one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementRow:
    """One line of an account's statement."""

    version: int
    """The account's own count of postings: 1, 2, 3 … without gaps."""
    shard: int
    entry_id: int
    entry: UUID
    kind: str
    source: str
    event: str
    gaming_day: date
    effective_at: datetime
    recorded_at: datetime
    currency: str
    amount: int
    balance_after: int | None
    """What the account held after this line; None where several rows share its load."""
    table: str
    session: str
    shift: str
    actor: str
    approver: str
    memo: str
    late_day: date | None
    reverses: UUID | None
    reversed_by: UUID | None
    restates: UUID | None
    corrects: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialBalanceRow:
    """One account of the chart in one currency, all its sub-accounts together."""

    number: str
    name: str = field(default="")
    currency: str
    opening: int
    """Debit above zero, credit below."""
    debits: int
    credits: int
    closing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberNode:
    """An account of the chart with what all its sub-accounts hold together."""

    number: str
    name: str
    totals: tuple[Held, ...]
    """One for each currency, in the order of the alphabet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeNode:
    """The accounts of one type: assets, or what is owed."""

    type: AccountType
    totals: tuple[Held, ...]
    numbers: tuple[NumberNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountNode:
    """A code below another: an account, or the place where accounts hang, or both."""

    code: str
    """`1220/session:7`"""
    place: int
    """Where it stands in its list: the key of the first account at or below it, or its number."""
    name: str
    own: Held | None
    """What the account itself holds; None where only accounts below it were ever opened."""
    is_open: bool | None
    """Whether the account itself takes postings; None where there is none."""
    totals: tuple[Held, ...]
    """What it and all below it hold together, one for each currency."""
    has_children: bool
