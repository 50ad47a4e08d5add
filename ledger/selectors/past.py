"""What the books said at a moment of the past, after an entry, and of a gaming day.

The moment is `recorded_at`: what was written since is not in the answer, whatever day it tells of.
How it is found stands beside the functions that find it (`sql/0011_reads.sql`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from ledger.errors import UnknownAccountError, UnknownEntryError
from ledger.models import Entry
from ledger.selectors.records import Held
from ledger.services.functions import call_many

AT: Final = "SELECT in_currency, held FROM ledger_balance_at(%s, %s, %s, %s)"
ON_DAY: Final = "SELECT in_currency, held FROM ledger_balance_on(%s, %s, %s)"


def balance_at(property_id: int, code: str, *, at: datetime) -> tuple[Held, ...]:
    """Return what the books said at *at* that the account *code* held, by currency.

    Its sub-accounts count with it. What was recorded at *at* itself is in it.

    Raises:
        UnknownAccountError: neither it nor a sub-account was ever opened.
    """
    return _read(AT, [property_id, code, at, None])


def balance_after_entry(property_id: int, code: str, entry_id: int) -> tuple[Held, ...]:
    """Return what the account *code* held when the entry had been posted, by currency.

    An account on which the entry has a line answers with what it held after its last; any other,
    as of the moment at which the entry was recorded. Sub-accounts count with it.

    Raises:
        UnknownEntryError: the property has no such entry.
        UnknownAccountError: neither the account nor a sub-account was ever opened.
    """
    found = Entry.objects.filter(property_id=property_id, pk=entry_id)
    at = found.values_list("recorded_at", flat=True).first()
    if at is None:
        raise UnknownEntryError(entry_id)
    return _read(AT, [property_id, code, at, entry_id])


def balance_on(property_id: int, code: str, gaming_day: date) -> tuple[Held, ...]:
    """Return what the account *code* had come to by the end of *gaming_day*, by currency.

    All that was posted to this day and those before it, whenever it was; of an open day, so far.
    Sub-accounts count with it.

    Raises:
        UnknownAccountError: neither it nor a sub-account was ever opened.
    """
    return _read(ON_DAY, [property_id, code, gaming_day])


def _read(query: str, values: Sequence[Any]) -> tuple[Held, ...]:
    held = tuple(Held(currency, int(amount)) for currency, amount in call_many(query, values))
    if not held:
        raise UnknownAccountError(values[1])
    return held
