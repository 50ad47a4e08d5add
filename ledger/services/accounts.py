"""Accounts open by the chart when they are first posted to, and close only when they are empty."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from ledger.chart import CHART, read_number
from ledger.errors import UnknownAccountError
from ledger.services.functions import call

OPEN: Final = "SELECT ledger_open_account(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
CLOSE: Final = "SELECT ledger_close_account(%s, %s, %s)"


def open_account(*, property_id: int, code: str, at: datetime) -> int:
    """Open the account unless it stands, in the property's currency; return its id.

    Raises:
        UnknownAccountError: the chart has no such account.
        UnknownPropertyError: there is no such property.
        UnknownCurrencyError: the ledger does not know the property's currency.
    """
    try:
        rule = CHART[read_number(code)]
    except ValueError as error:
        raise UnknownAccountError(code, str(error)) from error
    kept = [rule.name, rule.type, rule.side, rule.instrument, rule.shards, rule.floor]
    (account_id,) = call(OPEN, [property_id, code, *kept, None, at])
    return int(account_id)


def close_account(*, property_id: int, code: str, at: datetime) -> bool:
    """Close the account; return whether this call did it.

    Raises:
        UnknownAccountError: it was never opened.
        AccountNotEmptyError: it still has a balance.
    """
    (closed,) = call(CLOSE, [property_id, code, at])
    return bool(closed)
