"""What is held, as books write it: an amount above zero and the side on which it stands."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.selectors import Held
from tables.pit.access import Reader
from tables.pit.books.records import Balance
from tables.pit.entries import side_of
from tables.pit.records import Amount


def balance_of(reader: Reader, minor: int, currency: str, *, is_named: bool = False) -> Balance:
    """Return *minor*, debit above zero, as it is written."""
    named = is_named or currency != reader.casino.currency
    return Balance(
        amount=Amount(minor=abs(minor), currency=currency, is_named=named), side=side_of(minor)
    )


def balances_of(reader: Reader, held: Iterable[Held]) -> tuple[Balance, ...]:
    """Return what is held in each currency, as it is written."""
    held = list(held)
    return tuple(
        balance_of(reader, each.amount, each.currency, is_named=len(held) > 1) for each in held
    )
