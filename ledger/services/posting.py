"""One event is one entry: balanced, written once, by one call of the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from ledger.errors import InvalidEntryError, PiecesMismatchError, UnbalancedError
from ledger.money import MAX_MINOR
from ledger.retrying import with_retries
from ledger.services.accounts import open_account
from ledger.services.functions import call
from ledger.services.inputs import (
    require_day,
    require_id,
    require_moment,
    require_named,
    require_text,
)

POST: Final = """
SELECT entry_id, public_id, replayed, accounts, balances
FROM ledger_post(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
                 %s::text[], %s::bigint[], %s::text[], %s::integer[], %s::bigint[], %s::bigint[])
"""
LEGS: Final = 32_767
"""So many lines an entry has at most."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryDraft:
    """One entry to be posted; see `post_entry` for its fields."""

    key: str
    kind: str
    legs: Sequence[Leg]
    source: str
    actor: str
    approver: str = ""
    at: datetime
    gaming_day: date
    late_day: date | None = None
    table: str = ""
    session: str = ""
    shift: str = ""
    memo: str = ""
    restates: int | None = None
    corrects: int | None = None
    rate: tuple[int, int] | None = None


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
    late_day: date | None = None,
    table: str = "",
    session: str = "",
    shift: str = "",
    memo: str = "",
    restates: int | None = None,
    rate: tuple[int, int] | None = None,
) -> PostedEntry:
    """Post one entry, joining the caller's transaction if there is one.

    A second call under the same key answers as the first did. The key is the event's natural one
    and holds for ever in its property. *at* and *shift* are not part of what is compared, because
    a worker that tries again comes later; the order of the legs is not either.

    Args:
        key: `round:812:settled:1`, at most 200 characters.
        kind: what happened, in the words of the floor: `round_settled`.
        legs: debits and credits, which add up to zero in each currency.
        source: what caused it: `round:812`.
        actor, approver: as `str(Actor)` writes them.
        at: when it happened.
        gaming_day: the open day that it is posted to; the first posting of a day opens it.
        late_day: the closed day that it belongs to by the calendar, where it came late.
        table, session, shift: where it happened, by name (`table:3`), or empty.
        restates: the id of the entry that was reversed and is told anew by this one.
        rate: of an exchange, whose legs are in two currencies: (sold, bought) minor units.

    Raises:
        InvalidEntryError: a field has a value that no entry can have (`UnbalancedError`,
            `PiecesMismatchError` among them).
        KeyReusedError: the key was posted before, with other content.
        UnknownAccountError: the chart has no such account.
        UnknownPropertyError: there is no such property.
        AccountClosedError, InsufficientFundsError, CeilingExceededError: an account does not take
            its leg.
        DayClosedError, ShiftClosedError: the gaming day or its shift is closed.
        DayOpenError: nothing is late for *late_day*, which is open.
        UnknownEntryError, NotReversedError, AlreadyRestatedError, ReversalOfReversalError: the
            entry that this one restates is none that can be.
    """
    draft = EntryDraft(
        key=key,
        kind=kind,
        legs=legs,
        source=source,
        actor=actor,
        approver=approver,
        at=at,
        gaming_day=gaming_day,
        late_day=late_day,
        table=table,
        session=session,
        shift=shift,
        memo=memo,
        restates=restates,
        rate=rate,
    )
    return post_draft(property_id=property_id, draft=draft)


def post_draft(*, property_id: int, draft: EntryDraft) -> PostedEntry:
    """Post one entry that is written down already; see `post_entry`."""
    require_id(property_id=property_id)
    require_valid(draft)
    values = _values(property_id, draft)
    return read_entry(with_retries(lambda: _post(property_id, values, draft.at)))


def read_entry(row: tuple[Any, ...]) -> PostedEntry:
    """Return the entry that a function answered."""
    entry_id, public_id, replayed, accounts, balances = row
    return PostedEntry(
        id=entry_id,
        public_id=public_id,
        replayed=replayed,
        balances=tuple(
            LegBalance(account=account, balance_after=balance)
            for account, balance in zip(accounts, balances, strict=True)
        ),
    )


def open_missing(property_id: int, codes: Sequence[str], at: datetime) -> None:
    """Open the accounts whose codes came back; the first posting opens its accounts.

    In their order, so that two who open the same ones do not wait for each other in a ring.
    """
    for code in sorted(codes):
        open_account(property_id=property_id, code=code, at=at)


def require_valid(draft: EntryDraft) -> None:
    """Refuse what no entry can be, before anything is asked of the database.

    Raises:
        InvalidEntryError: a field has a value that no entry can have.
    """
    require_named(key=draft.key, kind=draft.kind, source=draft.source, actor=draft.actor)
    require_text(
        approver=draft.approver,
        table=draft.table,
        session=draft.session,
        shift=draft.shift,
        memo=draft.memo,
    )
    require_moment(draft.at)
    require_day(gaming_day=draft.gaming_day)
    for field, number in (("restates", draft.restates), ("corrects", draft.corrects)):
        if number is not None:
            require_id(**{field: number})
    if not draft.shift.isprintable():
        raise InvalidEntryError("shift", "it holds a character that nobody can print")
    if draft.late_day is not None:
        require_day(late_day=draft.late_day)
        if draft.late_day >= draft.gaming_day:
            raise InvalidEntryError(
                "late_day", "it lies before the day that the entry is posted to"
            )
    _require_valid_legs(draft)


def _values(property_id: int, draft: EntryDraft) -> list[Any]:
    legs = draft.legs
    counted = [
        (line, denomination, count)
        for line, leg in enumerate(legs, start=1)
        for denomination, count in leg.pieces
    ]
    return [
        *(property_id, draft.key, draft.kind, draft.source, draft.actor, draft.approver, draft.at),
        *(draft.gaming_day, draft.table, draft.session, draft.shift, draft.memo),
        *(draft.restates, draft.corrects, draft.late_day),
        *(draft.rate or (None, None)),
        *([leg.account for leg in legs], [leg.amount for leg in legs]),
        [str(leg.event) for leg in legs],
        *([each[part] for each in counted] for part in range(3)),
    ]


def _post(property_id: int, values: list[Any], at: datetime) -> tuple[Any, ...]:
    row = call(POST, values)
    if row[0] is None:  # nothing was written
        open_missing(property_id, row[3], at)
        row = call(POST, values)
    return row


def _require_valid_legs(draft: EntryDraft) -> None:
    if not 2 <= len(draft.legs) <= LEGS:
        raise InvalidEntryError("legs", f"an entry has at least two, and at most {LEGS}")
    for leg in draft.legs:
        _require_valid_leg(leg)
    totals: dict[str, int] = {}
    for leg in draft.legs:
        _, _, currency = leg.account.partition("/currency:")
        totals[currency] = totals.get(currency, 0) + leg.amount
    if off := next((total for total in totals.values() if total), 0):
        raise UnbalancedError(off)
    if (len(totals) > 1) != (draft.rate is not None):
        raise InvalidEntryError("rate", "legs in several currencies have one, and no others")
    if not all(_is_count(part) and part <= MAX_MINOR for part in draft.rate or ()):
        raise InvalidEntryError("rate", f"its two numbers are between 1 and {MAX_MINOR}")


def _require_valid_leg(leg: Leg) -> None:
    if type(leg.amount) is not int:
        raise InvalidEntryError("amount", f"{leg.amount!r} is no whole number of minor units")
    if not 0 < abs(leg.amount) <= MAX_MINOR:
        raise InvalidEntryError("amount", f"{leg.amount} is not between 1 and {MAX_MINOR}")
    require_text(account=leg.account)
    require_named(event=leg.event)
    if not leg.pieces:
        return
    if not all(_is_count(value) and _is_count(count) for value, count in leg.pieces):
        raise InvalidEntryError("pieces", "denominations and pieces are whole and above zero")
    if len({value for value, _ in leg.pieces}) < len(leg.pieces):
        raise InvalidEntryError("pieces", "a denomination is named twice")
    total = sum(value * count for value, count in leg.pieces)
    if total != abs(leg.amount):
        raise PiecesMismatchError(leg.account, pieces=total, amount=abs(leg.amount))


def _is_count(number: int) -> bool:
    return type(number) is int and number > 0  # neither True nor 1.0
