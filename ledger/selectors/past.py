"""What the books said at a moment of the past, after an entry, and of a gaming day."""

from __future__ import annotations

from datetime import date, datetime

from ledger.selectors.records import Held


def balance_at(property_id: int, code: str, *, at: datetime) -> tuple[Held, ...]:
    """Return what the books said at *at* that the account *code* held, by currency."""
    raise NotImplementedError


def balance_after_entry(property_id: int, code: str, entry_id: int) -> tuple[Held, ...]:
    """Return what the account *code* held after the entry, by currency."""
    raise NotImplementedError


def balance_on(property_id: int, code: str, gaming_day: date) -> tuple[Held, ...]:
    """Return what the account *code* had come to by the end of *gaming_day*, by currency."""
    raise NotImplementedError
