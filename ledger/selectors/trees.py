"""The chart as a tree: types, numbers, and below a number the codes of its sub-ledger.

What lies below a number is read a page at a time, since a year has as many accounts as seats in
all sessions.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import groupby
from typing import Any, Final

from django.db import connection

from ledger.chart import CHART, AccountType, Number, name_of
from ledger.errors import UnknownAccountError
from ledger.models import Account
from ledger.selectors.records import AccountNode, Held, NumberNode, TypeNode
from ledger.selectors.trial_balances import trial_balance


def account_tree(property_id: int, gaming_day: date | None = None) -> list[TypeNode]:
    """Return the accounts of the chart that were ever opened, by type, with what they hold.

    They hold it now, or after *gaming_day*. See `account_children` for what lies below a number.
    """
    numbers = [
        NumberNode(
            number=number,
            name=name_of(number),
            totals=tuple(Held(row.currency, row.closing) for row in rows),
        )
        for number, rows in groupby(
            trial_balance(property_id, gaming_day), key=lambda row: row.number
        )
    ]
    types = _types(property_id, numbers)
    tree = []
    for of_type in AccountType:
        its_own = [node for node in numbers if types[node.number] is of_type]
        if its_own:
            tree.append(TypeNode(type=of_type, totals=_add_up(its_own), numbers=tuple(its_own)))
    return tree


# A child is a next part of the code, and many accounts may hang below one. Each step probes the
# index of codes once and leaps over the rest of that child: `~` is above all that a code holds.
# A sibling such as `session:7-b` sorts between `session:7` and what is below it; so a child is met
# at its own account where it has one, and passed over when what is below it comes later.
CHILDREN: Final = """
WITH RECURSIVE walk AS (
    SELECT %(reached)s COLLATE "C" AS reached, NULL::text COLLATE "C" AS child,
           NULL::bigint AS place, 0 AS number
    UNION ALL
    SELECT CASE WHEN found.code = found.child THEN found.code ELSE found.child || '/~' END,
           CASE WHEN NOT found.is_repeated THEN found.child END,
           found.id, walk.number + CASE WHEN found.is_repeated THEN 0 ELSE 1 END
    FROM walk CROSS JOIN LATERAL (
        SELECT next.id, next.code, name.child,
               next.code <> name.child AND EXISTS (
                   SELECT FROM ledger_account AS itself
                   WHERE itself.property_id = %(property_id)s
                     AND itself.code = name.child) AS is_repeated
        FROM (
            SELECT id, code FROM ledger_account
            WHERE property_id = %(property_id)s AND code > walk.reached
              AND code < %(parent)s || '0'
            ORDER BY code LIMIT 1
        ) AS next CROSS JOIN LATERAL (
            SELECT %(parent)s || '/'
                   || split_part(substr(next.code, length(%(parent)s) + 2), '/', 1) AS child
        ) AS name
    ) AS found
    WHERE walk.number < %(limit)s
)
SELECT child, place FROM walk WHERE child IS NOT NULL ORDER BY number
"""
# A sibling may sort between a child and what is below it, hence the second condition.
TOTALS: Final = """
SELECT child, account.currency, min(account.name), sum(held.amount),
       sum(held.amount) FILTER (WHERE account.code = child),
       bool_or(account.closed_at IS NULL) FILTER (WHERE account.code = child),
       bool_or(account.code <> child)
FROM unnest(%(children)s::text[]) AS child
JOIN ledger_account AS account
  ON account.property_id = %(property_id)s
 AND account.code >= child AND account.code < child || '0'
 AND (account.code = child OR account.code > child || '/')
CROSS JOIN LATERAL (
    SELECT sum(debit - credit) AS amount FROM ledger_balance WHERE account_id = account.id
) AS held
GROUP BY child, account.currency ORDER BY child, account.currency
"""


def account_children(
    property_id: int, parent: str, *, after: str = "", limit: int = 50
) -> list[AccountNode]:
    """Return the codes one part below *parent*, *limit* of them, from *after* (a child) on.

    `1220` has `1220/session:7` and its like, that has `1220/session:7/seat:3`; the empty parent
    has the numbers. Each comes with what itself and all below it hold now. A code with nothing
    below it has no children.
    """
    places = _walk(property_id, parent, after, limit) if parent else _numbers(after)
    lines: dict[str, list[tuple[Any, ...]]] = {code: [] for code in places}
    with connection.cursor() as cursor:
        cursor.execute(TOTALS, {"property_id": property_id, "children": list(places)})
        for code, *line in cursor.fetchall():
            lines[code].append(tuple(line))
    nodes = [_node(code, place, lines[code]) for code, place in places.items() if lines[code]]
    return nodes[:limit]


def child_at(property_id: int, parent: str, place: int) -> str:
    """Return the child of *parent* that stands at *place* (of `AccountNode`).

    Raises:
        UnknownAccountError: there is none.
    """
    if not parent:
        return f"{place:04}"
    account = Account.objects.filter(
        property_id=property_id, pk=place, code__startswith=f"{parent}/"
    ).first()
    if account is None:
        raise UnknownAccountError(parent)
    below = account.code.removeprefix(f"{parent}/")
    return f"{parent}/{below.partition('/')[0]}"


def _types(property_id: int, nodes: Iterable[NumberNode]) -> dict[str, AccountType]:
    """Return the type of each number: the chart's, or as stored where it is not in the chart."""
    numbers = {node.number for node in nodes}
    stored = numbers - CHART.keys()
    found = Account.objects.filter(property_id=property_id, number__in=stored) if stored else ()
    return {number: CHART[Number(number)].type for number in numbers - stored} | {
        account.number: AccountType(account.type) for account in found
    }


def _numbers(after: str) -> dict[str, int]:
    return {number.value: int(number) for number in Number if number > after}


def _walk(property_id: int, parent: str, after: str, limit: int) -> dict[str, int]:
    values: dict[str, Any] = {
        "property_id": property_id,
        "parent": parent,
        "reached": _reached(property_id, parent, after),
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(CHILDREN, values)
        return dict(cursor.fetchall())


def _reached(property_id: int, parent: str, after: str) -> str:
    if not after:
        return f"{parent}/"
    is_account = Account.objects.filter(property_id=property_id, code=after).exists()
    return after if is_account else f"{after}/~"


def _node(code: str, place: int, lines: list[tuple[Any, ...]]) -> AccountNode:
    """Return *code* of *lines*: currency, name, total, own, is open, has more below."""
    own = next((Held(line[0], int(line[3])) for line in lines if line[3] is not None), None)
    return AccountNode(
        code=code,
        place=place,
        name=lines[0][1],
        own=own,
        is_open=next((line[4] for line in lines if line[4] is not None), None),
        totals=tuple(Held(line[0], int(line[2])) for line in lines),
        has_children=any(line[5] for line in lines),
    )


def _add_up(nodes: Iterable[NumberNode]) -> tuple[Held, ...]:
    totals: dict[str, int] = {}
    for node in nodes:
        for held in node.totals:
            totals[held.currency] = totals.get(held.currency, 0) + held.amount
    return tuple(Held(currency, totals[currency]) for currency in sorted(totals))
