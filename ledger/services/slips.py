"""Slip numbers: one series for each kind of document, without a gap, each number used once.

Source: table-operations.md 5 (a slip number is given only when the cage prepares the slip).
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from ledger.errors import InvalidEntryError
from ledger.services.functions import call
from ledger.services.inputs import require_id, require_moment, require_named

SERIES: Final = re.compile(r"[a-z][a-z_]{0,39}")


def draw_slip(*, property_id: int, series: str, document: str, actor: str, at: datetime) -> int:
    """Return the number of *document* in its series: the one it has, or else the next.

    Call it last in the transaction that prepares the slip: whoever prepares another one waits for
    the commit. If that transaction fails, the number was never drawn.

    Args:
        series: `fill_slip`, `credit_slip`.
        document: the slip by name: `fill:17`.

    Raises:
        InvalidEntryError: a name that no series or document can have.
        UnknownPropertyError: there is no such property.
    """
    require_id(property_id=property_id)
    require_named(series=series, document=document, actor=actor)
    require_moment(at)
    if not SERIES.fullmatch(series):
        raise InvalidEntryError("series", "it has small letters and underscores, at most 40")
    values = [property_id, series, document, actor, at]
    (number,) = call("SELECT ledger_draw_slip(%s, %s, %s, %s, %s)", values)
    return int(number)
