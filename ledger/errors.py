"""Refusals of the ledger, as data; nothing was written when one is raised.

LedgerError
├── InvalidEntryError        a field that no entry can have
│   ├── UnbalancedError      debits and credits differ
│   └── PiecesMismatchError  chips do not add up to their leg
├── KeyReusedError           the event's key stands for other content
├── UnknownPropertyError, UnknownCurrencyError, UnknownAccountError, UnknownEntryError
├── AccountClosedError, AccountNotEmptyError
├── BalanceLimitError
│   ├── InsufficientFundsError   below the floor
│   └── CeilingExceededError     above the ceiling
├── DayClosedError, ShiftClosedError, DayOpenError, EarlierDayOpenError
├── NotArrivedError, TrialBalanceError
├── EpochError               the books were restored from another cluster
├── NotRestoredError         they were not, and no epoch begins
└── AlreadyReversedError, AlreadyRestatedError, NotReversedError, ReversalOfReversalError
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from django.db import DatabaseError

from casino.web.errors import Refusal


class LedgerError(Refusal):
    """The ledger refused a write."""

    code = "ledger_refused"
    title = "The ledger refused the entry"


class InvalidEntryError(LedgerError):
    """A field has a value that no entry can have."""

    code = "invalid_entry"
    status = 422
    title = "The entry is not valid"

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}", pointer=f"/{field}")
        self.field = field


class UnbalancedError(InvalidEntryError):
    """The legs of an entry do not add up to zero."""

    code = "unbalanced_entry"
    title = "Debits and credits differ"

    def __init__(self, off: int | None = None) -> None:
        super().__init__("legs", "they do not add up" if off is None else f"they are off by {off}")
        self.off = off


class PiecesMismatchError(InvalidEntryError):
    """The pieces beside a leg do not add up to its amount."""

    code = "chip_total_mismatch"
    title = "Chip lines do not add up to the total"

    def __init__(self, account: str, *, pieces: int, amount: int) -> None:
        super().__init__("pieces", f"{account} moves {amount}, its pieces add up to {pieces}")


class KeyReusedError(LedgerError):
    """The key was posted before, with other content."""

    code = "key_reused"
    title = "The event was posted before with other content"

    def __init__(self, key: str, *, field: str) -> None:
        super().__init__(f"entry {key!r} exists with another {field}", pointer=f"/{field}")
        self.key, self.field = key, field


class UnknownPropertyError(LedgerError):
    """There is no such property."""

    code = "not_found"
    status = 404
    title = "Not found"

    def __init__(self, property_id: int) -> None:
        super().__init__(f"there is no property {property_id}")
        self.property_id = property_id


class UnknownCurrencyError(LedgerError):
    """The ledger does not know how many decimals the property's currency has."""

    code = "unknown_currency"
    status = 422
    title = "The currency is not known"

    def __init__(self, currency: str) -> None:
        super().__init__(f"there is no currency {currency!r}")
        self.currency = currency


class UnknownAccountError(LedgerError):
    """The chart has no such account, or it was never opened."""

    code = "not_found"
    status = 404
    title = "Not found"

    def __init__(self, account: str, reason: str = "it was never opened") -> None:
        super().__init__(f"there is no account {account!r}: {reason}")
        self.account = account


class UnknownEntryError(LedgerError):
    """There is no such entry."""

    code = "not_found"
    status = 404
    title = "Not found"

    def __init__(self, entry_id: int) -> None:
        super().__init__(f"there is no entry {entry_id}")
        self.entry_id = entry_id


class AccountClosedError(LedgerError):
    """A closed account takes no postings."""

    code = "account_closed"
    title = "The account is closed"

    def __init__(self, account: str) -> None:
        super().__init__(f"account {account} is closed", account=account)
        self.account = account


class AccountNotEmptyError(LedgerError):
    """Only an account without a balance closes."""

    code = "account_not_empty"
    title = "The account still has a balance"

    def __init__(self, account: str, *, balance: int) -> None:
        super().__init__(f"account {account} still holds {balance}", account=account)
        self.account, self.balance = account, balance


class BalanceLimitError(LedgerError):
    """A balance would leave its limits."""

    def __init__(self, account: str, reason: str) -> None:
        super().__init__(f"account {account} {reason}", account=account)
        self.account = account


class InsufficientFundsError(BalanceLimitError):
    """The account does not hold what was to be taken from it."""

    code = "insufficient_funds"
    title = "The account does not hold that much"

    def __init__(self, account: str) -> None:
        super().__init__(account, "does not hold that much")


class CeilingExceededError(BalanceLimitError):
    """The account may not hold that much."""

    code = "limit_exceeded"
    title = "The account may not hold that much"

    def __init__(self, account: str) -> None:
        super().__init__(account, "may not hold that much")


class DayClosedError(LedgerError):
    """The gaming day is closed; what comes late is posted to an open one as an adjustment."""

    code = "gaming_day_closed"
    title = "The gaming day is closed"

    def __init__(self, gaming_day: date) -> None:
        super().__init__(
            f"gaming day {gaming_day.isoformat()} is closed", gaming_day=gaming_day.isoformat()
        )
        self.gaming_day = gaming_day


class ShiftClosedError(LedgerError):
    """The shift is closed; what comes after it belongs to the one that runs."""

    code = "shift_closed"
    title = "The shift is closed"

    def __init__(self, gaming_day: date, *, shift: str) -> None:
        super().__init__(
            f"shift {shift} of gaming day {gaming_day.isoformat()} is closed",
            gaming_day=gaming_day.isoformat(),
            shift=shift,
        )
        self.gaming_day, self.shift = gaming_day, shift


class DayOpenError(LedgerError):
    """Nothing is late for a gaming day that still takes it."""

    code = "gaming_day_open"
    title = "The gaming day still takes the entry"

    def __init__(self, gaming_day: date) -> None:
        super().__init__(
            f"gaming day {gaming_day.isoformat()} still takes it: nothing is late for it",
            pointer="/late_day",
        )
        self.gaming_day = gaming_day


class EarlierDayOpenError(LedgerError):
    """Days close in their order."""

    code = "earlier_day_open"
    title = "An earlier gaming day is still open"

    def __init__(self, gaming_day: date, *, open_day: date) -> None:
        super().__init__(
            f"gaming day {open_day.isoformat()} must close before {gaming_day.isoformat()}",
            open_day=open_day.isoformat(),
        )
        self.gaming_day, self.open_day = gaming_day, open_day


class NotArrivedError(LedgerError):
    """What was sent on a gaming day is still under way."""

    code = "chips_in_transit"
    title = "Chips are still in transit"

    def __init__(self, gaming_day: date, *, accounts: Sequence[str]) -> None:
        super().__init__(
            f"gaming day {gaming_day.isoformat()} cannot close: "
            f"{', '.join(accounts)} did not come to nothing",
            accounts=list(accounts),
        )
        self.gaming_day, self.accounts = gaming_day, tuple(accounts)


class TrialBalanceError(LedgerError):
    """The closings of a day do not add up to nothing: the books were tampered with."""

    code = "trial_balance_off"
    title = "The trial balance is off"

    def __init__(self, gaming_day: date, *, off: int, currency: str) -> None:
        super().__init__(
            f"the trial balance of gaming day {gaming_day.isoformat()} is off by {off} {currency}"
        )
        self.gaming_day, self.off, self.currency = gaming_day, off, currency


class EpochError(LedgerError):
    """The transaction numbers in the books are another cluster's: they were restored from it."""

    code = "epoch_needed"
    title = "The books come from another cluster"

    def __init__(self, property_id: int) -> None:
        super().__init__(
            f"the books of property {property_id} were restored from another cluster: "
            "verify them, then begin an epoch"
        )
        self.property_id = property_id


class NotRestoredError(LedgerError):
    """The books are of this cluster, and go on in the epoch that they are in."""

    code = "not_restored"
    title = "Nothing was restored"

    def __init__(self, property_id: int) -> None:
        super().__init__(
            f"the books of property {property_id} are of this cluster: nothing was restored, "
            "and no epoch begins"
        )
        self.property_id = property_id


class AlreadyReversedError(LedgerError):
    """An entry is reversed once."""

    code = "already_reversed"
    title = "The entry was reversed before"

    def __init__(self, entry_id: int) -> None:
        super().__init__(f"entry {entry_id} was reversed before")
        self.entry_id = entry_id


class AlreadyRestatedError(LedgerError):
    """An entry that was taken back is told anew once."""

    code = "already_restated"
    title = "The entry was restated before"

    def __init__(self, entry_id: int) -> None:
        super().__init__(f"entry {entry_id} was restated before", pointer="/restates")
        self.entry_id = entry_id


class NotReversedError(LedgerError):
    """Only what was taken back is told anew."""

    code = "not_reversed"
    title = "The entry still stands"

    def __init__(self, entry_id: int) -> None:
        super().__init__(f"entry {entry_id} was not reversed", pointer="/restates")
        self.entry_id = entry_id


class ReversalOfReversalError(LedgerError):
    """A reversal is not reversed; what was right is posted anew."""

    code = "reversal_of_reversal"
    title = "A reversal cannot be reversed"

    def __init__(self, entry_id: int) -> None:
        super().__init__(f"entry {entry_id} is itself a reversal")
        self.entry_id = entry_id


_BY_SQLSTATE: Final[Mapping[str, Callable[[Mapping[str, Any]], LedgerError]]] = {
    "BZ402": lambda facts: InsufficientFundsError(facts["account"]),
    "BZ403": lambda facts: CeilingExceededError(facts["account"]),
    "BZ404": lambda facts: UnknownPropertyError(facts["property_id"]),
    "BZ405": lambda facts: UnknownAccountError(facts["account"]),
    "BZ406": lambda facts: UnknownEntryError(facts["entry_id"]),
    "BZ407": lambda facts: ReversalOfReversalError(facts["entry_id"]),
    "BZ408": lambda facts: AlreadyReversedError(facts["entry_id"]),
    "BZ409": lambda facts: KeyReusedError(facts["key"], field=facts["field"]),
    "BZ410": lambda facts: AccountClosedError(facts["account"]),
    "BZ411": lambda facts: UnknownCurrencyError(facts["currency"]),
    "BZ412": lambda facts: NotReversedError(facts["entry_id"]),
    "BZ413": lambda facts: AlreadyRestatedError(facts["entry_id"]),
    "BZ423": lambda facts: DayClosedError(date.fromisoformat(facts["gaming_day"])),
    "BZ424": lambda facts: EarlierDayOpenError(
        date.fromisoformat(facts["gaming_day"]), open_day=date.fromisoformat(facts["open_day"])
    ),
    "BZ425": lambda facts: AccountNotEmptyError(facts["account"], balance=facts["balance"]),
    "BZ426": lambda facts: ShiftClosedError(
        date.fromisoformat(facts["gaming_day"]), shift=facts["shift"]
    ),
    "BZ427": lambda facts: NotArrivedError(
        date.fromisoformat(facts["gaming_day"]), accounts=facts["accounts"]
    ),
    "BZ428": lambda facts: TrialBalanceError(
        date.fromisoformat(facts["gaming_day"]), off=facts["off"], currency=facts["currency"]
    ),
    "BZ429": lambda facts: DayOpenError(date.fromisoformat(facts["gaming_day"])),
    "BZ430": lambda facts: EpochError(facts["property_id"]),
    "BZ431": lambda facts: NotRestoredError(facts["property_id"]),
}


def refusal_of(error: DatabaseError) -> LedgerError | None:
    """Return the refusal that a function of the ledger raised, or None for any other error."""
    cause: Any = error.__cause__
    make = _BY_SQLSTATE.get(getattr(cause, "sqlstate", None) or "")
    return make(json.loads(cause.diag.message_detail)) if make else None
