"""Accounts open by the chart when they are first posted to, and close only when they are empty."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from casino.properties.models import Property
from ledger.chart import CHART, currency_of, instrument_of, read_number
from ledger.errors import InvalidEntryError, UnknownAccountError, UnknownPropertyError
from ledger.money import MAX_MINOR
from ledger.services.functions import call
from ledger.services.inputs import require_id, require_moment, require_text

OPEN: Final = "SELECT ledger_open_account(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
CLOSE: Final = "SELECT ledger_close_account(%s, %s, %s)"


def open_account(*, property_id: int, code: str, at: datetime, ceiling: int | None = None) -> int:
    """Open the account unless it stands, in the currency that its code names; return its id.

    Args:
        code: `1120/table:3`; `1010/window:main/currency:HKD` in another currency than the
            property's.
        ceiling: the most that it may hold, on its own side, in minor units.

    Raises:
        InvalidEntryError: the ceiling is beyond every amount, or *at* is no moment.
        UnknownAccountError: the chart has no such account.
        UnknownPropertyError: there is no such property.
        UnknownCurrencyError: the ledger does not know the currency.
    """
    require_id(property_id=property_id)
    require_text(account=code)
    require_moment(at)
    if ceiling is not None and (type(ceiling) is not int or abs(ceiling) > MAX_MINOR):
        raise InvalidEntryError("ceiling", f"{ceiling!r} is no amount up to {MAX_MINOR}")
    home = Property.objects.filter(pk=property_id).values_list("currency", flat=True).first()
    if home is None:
        raise UnknownPropertyError(property_id)
    try:
        rule = CHART[read_number(code)]
        currency = currency_of(code, default=home)
    except ValueError as error:
        raise UnknownAccountError(code, str(error)) from error
    values = [property_id, code, rule.name, rule.type, rule.side, instrument_of(code), currency]
    (account_id,) = call(OPEN, [*values, rule.shards, rule.floor, ceiling, at])
    return int(account_id)


def close_account(*, property_id: int, code: str, at: datetime) -> bool:
    """Close the account; return whether this call did it.

    Raises:
        UnknownAccountError: it was never opened.
        AccountNotEmptyError: it still has a balance.
    """
    require_id(property_id=property_id)
    require_text(account=code)
    require_moment(at)
    (closed,) = call(CLOSE, [property_id, code, at])
    return bool(closed)
