"""What each account of the chart had, took and has: of a day, of a shift, or of all time.

A closed day answers with the totals that it closed with. An open one adds to those of the last
closed day what moved since, so its cost is that of the days that are open, whatever lies before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, Final

from django.db import connection

from ledger.chart import name_of
from ledger.models import Period
from ledger.selectors.records import TrialBalanceRow

EVER: Final = """
SELECT account.number, account.currency, 0 AS opening, sum(balance.debit) AS debits,
       sum(balance.credit) AS credits
FROM ledger_balance AS balance JOIN ledger_account AS account ON account.id = balance.account_id
WHERE balance.property_id = %(property_id)s
GROUP BY account.number, account.currency
"""
# Days between the last closed one and this one are a part of the opening. OFFSET 0: the postings
# are probed entry by entry, and no plan reads those of other days.
MOVED: Final = """
SELECT account.number, posting.currency,
       coalesce(sum(posting.amount) FILTER (WHERE entry.gaming_day < %(day)s), 0) AS opening,
       coalesce(sum(posting.amount) FILTER (
           WHERE posting.amount > 0 AND entry.gaming_day = %(day)s), 0) AS debits,
       coalesce(-sum(posting.amount) FILTER (
           WHERE posting.amount < 0 AND entry.gaming_day = %(day)s), 0) AS credits
FROM ledger_entry AS entry
CROSS JOIN LATERAL (
    SELECT account_id, currency, amount FROM ledger_posting WHERE entry_id = entry.id OFFSET 0
) AS posting
JOIN ledger_account AS account ON account.id = posting.account_id
WHERE entry.property_id = %(property_id)s
  AND entry.gaming_day BETWEEN %(first_day)s AND %(day)s
  AND (%(shift)s = '' OR entry.shift = %(shift)s)
GROUP BY account.number, posting.currency
"""


def trial_balance(
    property_id: int, gaming_day: date | None = None, *, shift: str = ""
) -> list[TrialBalanceRow]:
    """Return the accounts of the chart that moved, by currency; closings add up to zero.

    Without a day the debits and credits are those of all time and the opening is nothing. Of a
    shift (of *gaming_day*) there is what its entries moved, and the opening is nothing too.
    """
    if gaming_day is None:
        return _rows(_read(EVER, property_id=property_id))
    if shift:
        return _of_shift(property_id, gaming_day, shift)
    closed_day, totals = _last_closed(property_id, gaming_day)
    if closed_day == gaming_day:
        return _rows(totals)
    first_open = closed_day + timedelta(days=1)
    moved = _moved(property_id, first_open, gaming_day)
    return _rows([*(_carried(line) for line in totals), *moved])


def _of_shift(property_id: int, gaming_day: date, shift: str) -> list[TrialBalanceRow]:
    period = Period.objects.filter(
        property_id=property_id, gaming_day=gaming_day, shift=shift
    ).first()
    if period is not None and period.totals is not None:
        return _rows(period.totals)
    return _rows(_moved(property_id, gaming_day, gaming_day, shift=shift))


def _last_closed(property_id: int, gaming_day: date) -> tuple[date, list[Mapping[str, Any]]]:
    closed = (
        Period.objects.filter(
            property_id=property_id,
            shift="",
            status=Period.Status.CLOSED,
            gaming_day__lte=gaming_day,
        )
        .order_by("-gaming_day")
        .values_list("gaming_day", "totals")
        .first()
    )
    return closed or (date.min, [])


def _moved(
    property_id: int, first_day: date, day: date, *, shift: str = ""
) -> list[Mapping[str, Any]]:
    return _read(MOVED, property_id=property_id, first_day=first_day, day=day, shift=shift)


def _carried(line: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**line, "opening": line["closing"], "debits": 0, "credits": 0}


def _read(query: str, **values: Any) -> list[Mapping[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _rows(lines: Iterable[Mapping[str, Any]]) -> list[TrialBalanceRow]:
    """Add up what *lines* say of one number and currency."""
    sums: dict[tuple[str, str], list[int]] = {}
    for line in lines:
        so_far = sums.setdefault((line["number"], line["currency"]), [0, 0, 0])
        for index, name in enumerate(("opening", "debits", "credits")):
            so_far[index] += int(line[name])
    return [
        TrialBalanceRow(
            number=number,
            name=name_of(number),
            currency=currency,
            opening=opening,
            debits=debits,
            credits=credits,
            closing=opening + debits - credits,
        )
        for (number, currency), (opening, debits, credits) in sorted(sums.items())
    ]
