"""One event is one entry: balanced, written once, by one call of the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from casino.events.services import RELAY
from casino.web.waking import wake_on_commit
from ledger.errors import InvalidEntryError, PiecesMismatchError, UnbalancedError
from ledger.money import MAX_MINOR
from ledger.retrying import with_retries
from ledger.services.accounts import open_account
from ledger.services.functions import call

POST: Final = """
SELECT entry_id, public_id, replayed, accounts, balances
FROM ledger_post(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
                 %s::text[], %s::bigint[], %s::text[], %s::integer[], %s::bigint[], %s::bigint[])
"""
KEY_LENGTH: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One side of an entry."""

    account: str
    """The account's code: `1120/table:3`."""
    amount: int
    """In minor units of the property's currency: debit above zero, credit below."""
    event: str
    """Which posting of the chart it is: a member of `EventKind`."""
    pieces: tuple[tuple[int, int], ...] = ()
    """Where chips are counted: (denomination in minor units, pieces), adding up to the amount."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegBalance:
    """What an account held after one line of an entry."""

    account: str
    balance_after: int | None
    """Debit less credit, in minor units; None where shards share the account's load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedEntry:
    """An entry as it stands in the books."""

    id: int
    public_id: UUID
    replayed: bool
    """It had been posted before; nothing was written now."""
    balances: tuple[LegBalance, ...]
    """One for each line, in the entry's order."""


def post_entry(
    *,
    property_id: int,
    key: str,
    kind: str,
    legs: Sequence[Leg],
    source: str,
    actor: str,
    approver: str = "",
    at: datetime,
    gaming_day: date,
    table: str = "",
    session: str = "",
    shift: str = "",
    memo: str = "",
) -> PostedEntry:
    """Post one entry, joining the caller's transaction if there is one.

    A second call under the same key answers as the first did. The key is the event's natural one
    and holds for ever in its property. *at* and *shift* are not part of what is compared, because
    a worker that tries again comes later; the order of the legs is not either.

    Args:
        key: `round:812:settled:1`, at most 200 characters.
        kind: what happened, in the words of the floor: `round_settled`.
        source: what caused it: `round:812`.
        actor, approver: as `str(Actor)` writes them.
        at: when it happened.
        gaming_day: the open day that it belongs to; the first posting of a day opens it.
        table, session, shift: where it happened, by name (`table:3`), or empty.

    Raises:
        InvalidEntryError: a field has a value that no entry can have (`UnbalancedError`,
            `PiecesMismatchError` among them).
        KeyReusedError: the key was posted before, with other content.
        UnknownAccountError: the chart has no such account.
        UnknownPropertyError: there is no such property.
        AccountClosedError, InsufficientFundsError: an account does not take its leg.
        DayClosedError: the gaming day is closed.
    """
    _require_valid(key=key, legs=legs, at=at, kind=kind, source=source, actor=actor)
    lines = [
        (line, denomination, count)
        for line, leg in enumerate(legs, start=1)
        for denomination, count in leg.pieces
    ]
    values = [property_id, key, kind, source, actor, approver, at, gaming_day]
    values += [table, session, shift, memo]
    values += [[leg.account for leg in legs], [leg.amount for leg in legs]]
    values += [[str(leg.event) for leg in legs]]
    values += [[line[part] for line in lines] for part in range(3)]
    row = with_retries(lambda: _post(property_id, values, at))
    return announce(row)


def announce(row: tuple[Any, ...]) -> PostedEntry:
    """Return the entry that a function answered, and have the relay woken if it is new."""
    entry_id, public_id, replayed, accounts, balances = row
    if not replayed:
        wake_on_commit(RELAY)
    return PostedEntry(
        id=entry_id,
        public_id=public_id,
        replayed=replayed,
        balances=tuple(
            LegBalance(account=account, balance_after=balance)
            for account, balance in zip(accounts, balances, strict=True)
        ),
    )


def _post(property_id: int, values: list[Any], at: datetime) -> tuple[Any, ...]:
    row = call(POST, values)
    if row[0] is None:
        # Their codes came back and nothing was written: the first posting opens its accounts.
        for code in row[3]:
            open_account(property_id=property_id, code=code, at=at)
        row = call(POST, values)
    return row


def _require_valid(*, key: str, legs: Sequence[Leg], at: datetime, **named: str) -> None:
    if not 1 <= len(key) <= KEY_LENGTH:
        raise InvalidEntryError("key", f"it has 1 to {KEY_LENGTH} characters")
    for field, text in named.items():
        if not text:
            raise InvalidEntryError(field, "it is empty")
    if at.tzinfo is None:
        raise InvalidEntryError("at", "it has no time zone")
    if len(legs) < 2:
        raise InvalidEntryError("legs", "an entry has at least two")
    for leg in legs:
        _require_valid_leg(leg)
    if off := sum(leg.amount for leg in legs):
        raise UnbalancedError(off)


def _require_valid_leg(leg: Leg) -> None:
    if type(leg.amount) is not int:
        raise InvalidEntryError("amount", f"{leg.amount!r} is no whole number of minor units")
    if not 0 < abs(leg.amount) <= MAX_MINOR:
        raise InvalidEntryError("amount", f"{leg.amount} is not between 1 and {MAX_MINOR}")
    if not leg.event:
        raise InvalidEntryError("event", "it is empty")
    if not leg.pieces:
        return
    if any(value <= 0 or count <= 0 for value, count in leg.pieces):
        raise InvalidEntryError("pieces", "denominations and pieces are above zero")
    if len({value for value, _ in leg.pieces}) < len(leg.pieces):
        raise InvalidEntryError("pieces", "a denomination is named twice")
    total = sum(value * count for value, count in leg.pieces)
    if total != abs(leg.amount):
        raise PiecesMismatchError(leg.account, pieces=total, amount=abs(leg.amount))
