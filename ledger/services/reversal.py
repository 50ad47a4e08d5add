"""An entry is taken back by its mirror image, once, or corrected in part by an entry of its own.

Nothing that was posted is touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from ledger.errors import InvalidEntryError
from ledger.retrying import with_retries
from ledger.services.functions import call
from ledger.services.inputs import (
    require_day,
    require_id,
    require_moment,
    require_named,
    require_text,
)
from ledger.services.posting import EntryDraft, Leg, PostedEntry, post_draft, read_entry

REVERSE: Final = """
SELECT entry_id, public_id, replayed, accounts, balances
FROM ledger_reverse(%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""


def reverse_entry(
    *,
    property_id: int,
    entry_id: int,
    key: str,
    actor: str,
    approver: str,
    at: datetime,
    gaming_day: date,
    reason: str,
    shift: str = "",
) -> PostedEntry:
    """Post the mirror image of an entry, whole, on a day that is open.

    Raises:
        InvalidEntryError: the approver or the reason is missing, or one person is both.
        UnknownEntryError: the property has no such entry.
        AlreadyReversedError: another key reversed it before.
        ReversalOfReversalError: it is a reversal; what was right is posted anew.
        KeyReusedError, DayClosedError, InsufficientFundsError: as for a posting.
    """
    _require_two(actor, approver, reason=reason)
    require_id(property_id=property_id, entry_id=entry_id)
    require_named(key=key)
    require_text(shift=shift)
    require_moment(at)
    require_day(gaming_day=gaming_day)
    values = [property_id, entry_id, key, actor, approver, at, gaming_day, shift, reason]
    return read_entry(with_retries(lambda: call(REVERSE, values)))


def correct_entry(
    *,
    property_id: int,
    entry_id: int,
    key: str,
    kind: str,
    legs: Sequence[Leg],
    source: str,
    actor: str,
    approver: str,
    at: datetime,
    gaming_day: date,
    late_day: date | None = None,
    table: str = "",
    session: str = "",
    shift: str = "",
    reason: str,
    rate: tuple[int, int] | None = None,
) -> PostedEntry:
    """Post what was missing from an entry, or too much in it, beside the entry itself.

    For what is wrong in part, or was settled already. An entry that was reversed is restated
    instead (`post_entry` with *restates*).

    Args:
        kind: of the correction, in the words of the floor: `entry_correction`, `late_payment`.
        source: what caused the correction.

    Raises:
        InvalidEntryError: the approver or the reason is missing, or one person is both; see
            `post_entry` too.
        UnknownEntryError: the property has no such entry.
        AlreadyReversedError: it was taken back as a whole.
        ReversalOfReversalError: it is a reversal.
        LedgerError: as for a posting.
    """
    _require_two(actor, approver, reason=reason)
    require_id(entry_id=entry_id)
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
        memo=reason,
        corrects=entry_id,
        rate=rate,
    )
    return post_draft(property_id=property_id, draft=draft)


def _require_two(actor: str, approver: str, *, reason: str) -> None:
    require_named(actor=actor, approver=approver, reason=reason)
    if actor == approver:
        raise InvalidEntryError("approver", "nobody approves an own correction")
