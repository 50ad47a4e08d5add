"""What a balance assertion of Beancount compares: an account together with those below its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.export.books import BookAccount
from ledger.export.names import account_name


class Tree:
    """The accounts of a journal by their names.

    `4910/box:2` may be posted to beside `4910/box:2/reason:counterfeit`. Beancount counts the
    second into the first, in each currency, so that is what it must be told.
    """

    def __init__(self, accounts: Iterable[BookAccount]) -> None:
        self.names = {account.id: account_name(account) for account in accounts}
        """Account id → name, in the order given."""
        self._below: dict[int, list[int]] = {}
        known = {(self.names[account.id], account.currency): account.id for account in accounts}
        for account in accounts:
            for name in _and_above(self.names[account.id]):
                above = known.get((name, account.currency))
                if above is not None:
                    self._below.setdefault(above, []).append(account.id)

    def subtotal(self, account_id: int, held: Mapping[int, int]) -> int:
        """Return what the account and those below it hold together, in minor units."""
        return sum(held.get(each, 0) for each in self._below[account_id])


def _and_above(name: str) -> list[str]:
    """Return *name* and the names above it: `A:B:C`, `A:B`, `A`."""
    parts = name.split(":")
    return [":".join(parts[:count]) for count in range(len(parts), 0, -1)]
