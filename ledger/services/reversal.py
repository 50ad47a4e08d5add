"""An entry is corrected by its mirror image, once; nothing that was posted is touched."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from ledger.errors import InvalidEntryError
from ledger.retrying import with_retries
from ledger.services.functions import call
from ledger.services.posting import PostedEntry, announce

REVERSE: Final = """
SELECT entry_id, public_id, replayed, accounts, balances
FROM ledger_reverse(%s, %s, %s, %s, %s, %s, %s, %s)
"""


def reverse_entry(
    *,
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
        InvalidEntryError: the approver or the reason is missing.
        UnknownEntryError: there is no such entry.
        AlreadyReversedError: another key reversed it before.
        ReversalOfReversalError: it is a reversal; what was right is posted anew.
        KeyReusedError, DayClosedError, InsufficientFundsError: as for a posting.
    """
    for field, text in {
        "key": key,
        "actor": actor,
        "approver": approver,
        "reason": reason,
    }.items():
        if not text:
            raise InvalidEntryError(field, "it is empty")
    values = [entry_id, key, actor, approver, at, gaming_day, shift, reason]
    return announce(with_retries(lambda: call(REVERSE, values)))
