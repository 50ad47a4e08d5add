"""What accounts hold now: their balance rows, moved in the transaction of every posting."""

from __future__ import annotations

from typing import Any, Final

from django.db import connection
from django.db.models import F, Q, Sum

from ledger.errors import UnknownAccountError
from ledger.models import Balance
from ledger.selectors.records import Held

# As text: the most frequent read of all, and building it in Python took longer than reading.
BALANCE: Final = """
SELECT coalesce(sum(debit - credit), 0) FROM ledger_balance
WHERE account_id = (SELECT id FROM ledger_account WHERE property_id = %s AND code = %s)
"""


def balance(property_id: int, code: str) -> int:
    """Return what an account holds now, debit less credit; 0 if nothing was ever posted to it."""
    with connection.cursor() as cursor:
        cursor.execute(BALANCE, [property_id, code])
        (held,) = cursor.fetchone()
    return int(held)


def account_balances(property_id: int, code: str) -> tuple[Held, ...]:
    """Return what the account *code* and its sub-accounts hold now, together, by currency.

    Raises:
        UnknownAccountError: none of them was ever opened.
    """
    rows = (
        _held(property_id, code)
        .values("currency")
        .annotate(held=Sum(F("debit") - F("credit")))
        .order_by("currency")
    )
    held = tuple(Held(row["currency"], int(row["held"])) for row in rows)
    if not held:
        raise UnknownAccountError(code)
    return held


def balances(property_id: int, *prefixes: str) -> dict[str, int]:
    """Return what the accounts *prefixes* and their sub-accounts hold, by code, in one query.

    `1120` finds all trays, `1220/session:7` all seats of a session. Debit less credit, in minor
    units.
    """
    held = (
        _held(property_id, *prefixes)
        .values("account__code")
        .annotate(held=Sum(F("debit") - F("credit")))
    )
    return {row["account__code"]: int(row["held"]) for row in held.order_by("account__code")}


def _held(property_id: int, *prefixes: str) -> Any:
    wanted = Q(account__code__in=prefixes)
    for prefix in prefixes:
        wanted |= Q(account__code__startswith=f"{prefix}/")
    return Balance.objects.filter(wanted, account__property_id=property_id)
