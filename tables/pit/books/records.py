"""What the partials of the books draw, beside what the pit's do: plain records.

Amounts are minor units of the record's currency.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tables.art.records import Words
from tables.pit.records import Amount, Level, Mark

Said: TypeAlias = tuple[tuple[Words, Words], ...]
"""What a page was asked for, in words: (term, value)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What is held in one currency, on one side: `_balance.html`."""

    amount: Amount
    """Not below zero."""
    side: Words
    """"Dr" or "Cr"; empty where nothing is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """One posting of an account: a row of `statement.html`."""

    address: str
    """The page of its entry."""
    kind: Words
    event: Words
    """Empty where the kind says it already."""
    time: Words
    gaming_day: Words
    source: Words
    source_address: str
    actor: Words
    debit: int
    credit: int
    balance: int | None
    """On its *side*; None where several rows share the account's load."""
    side: Words
    memo: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementView:
    """An account with one page of its postings, the newest first."""

    code: str
    name: Words
    """With its place: "Table inventory (tray), table T1"."""
    currency: str
    holds: Balance
    lines: tuple[LineView, ...]
    debits: int
    """Of the lines shown."""
    credits: int
    brought: Balance | None
    """What the account held before the oldest line shown; None where that is not kept."""
    below: str
    """Where its sub-accounts are; empty where it has none."""

    @property
    def holds_now(self) -> tuple[Balance, ...]:
        """Return what it holds as `_balance.html` takes it."""
        return (self.holds,)

    @property
    def brought_before(self) -> tuple[Balance, ...]:
        """Return what it held before the lines shown, as `_balance.html` takes it."""
        return (self.brought,) if self.brought else ()

    @property
    def is_shared(self) -> bool:
        """Return whether a line has no balance after it."""
        return any(line.balance is None for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountRow:
    """One account, or a place where accounts hang: a row of `accounts.html`."""

    code: str
    name: Words
    totals: tuple[Balance, ...]
    """What it and all below it hold."""
    statement: str = ""
    """Empty where it is no account of its own."""
    below: str = ""
    """Empty where nothing hangs below it."""
    state: Words = ""
    """Said where the account is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountGroup:
    """Accounts under one heading: the assets, or what a search found."""

    title: Words
    rows: tuple[AccountRow, ...]
    totals: tuple[Balance, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRow:
    """One account of the chart in one currency: a row of `trial_balance.html`."""

    number: str
    name: Words
    address: str
    """Its accounts."""
    opening: int
    opening_side: Words
    debits: int
    credits: int
    closing_debit: int
    closing_credit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialTable:
    """The trial balance in one currency, with its proof."""

    currency: str
    rows: tuple[TrialRow, ...]
    debits: int
    credits: int
    closing_debit: int
    closing_credit: int

    @property
    def agrees(self) -> bool:
        """Return whether both pairs of columns come to the same."""
        return self.debits == self.credits and self.closing_debit == self.closing_credit


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLink:
    """A gaming day whose trial balance can be read."""

    day: str
    address: str
    state: Words
    is_shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The last examination of one kind: `seals.html`."""

    title: Words
    said: Words
    level: Level
    meaning: Words = ""
    """What was looked at, in a few words."""
    at: Words = ""
    by: Words = ""
    upto_seal: int | None = None
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorRow:
    """A closed day, and the head of the chain of seals when it closed."""

    day: str
    address: str
    seal: int | None
    hash: str
    report_hash: str
    closed_by: Words
    approved_by: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochRow:
    """A stretch of the books within one database cluster."""

    epoch: int
    begun_at: Words
    begun_by: Words
    after_entry: int
    reason: str
