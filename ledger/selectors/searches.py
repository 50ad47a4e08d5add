"""Entries found by what is known of them, a page at a time."""

from __future__ import annotations

from datetime import date
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, Sum

from ledger.models import Account, Balance, Entry, Posting
from ledger.selectors.entry_rows import page
from ledger.selectors.records import EntryRow

PREFIX: Final = "ent_"
"""What stands before the public id of an entry where people see it."""

# Each step probes the index of kinds once and leaps over all entries of that kind. Rounds are not
# in it: nearly all entries are rounds, and so is one of the newest.
KINDS: Final = """
WITH RECURSIVE walk AS (
    SELECT min(kind) AS kind FROM ledger_entry
    WHERE property_id = %(property_id)s AND kind <> 'round_settled'
    UNION ALL
    SELECT (SELECT min(next.kind) FROM ledger_entry AS next
            WHERE next.property_id = %(property_id)s AND next.kind > walk.kind
              AND next.kind <> 'round_settled')
    FROM walk WHERE walk.kind IS NOT NULL
), found AS (
    SELECT kind FROM walk WHERE kind IS NOT NULL
    UNION ALL
    (SELECT kind FROM ledger_entry
     WHERE property_id = %(property_id)s AND kind = 'round_settled' ORDER BY txid DESC LIMIT 1)
)
SELECT kind FROM found ORDER BY kind COLLATE "C"
"""

FEW_ACCOUNTS: Final = 100
"""So many are named to the database one by one."""
FEW_POSTINGS: Final = 2_000
"""So many are read sooner than a page of their entries is met among all others."""


def kinds(property_id: int) -> list[str]:
    """Return every kind of which the property's books hold an entry, each once.

    It costs as much as there are kinds, whatever was posted of them.
    """
    with connection.cursor() as cursor:
        cursor.execute(KINDS, {"property_id": property_id})
        return [kind for (kind,) in cursor.fetchall()]


def entries(
    property_id: int,
    *,
    session: str | None = None,
    table: str | None = None,
    source: str | None = None,
    kind: str | None = None,
    gaming_day: date | None = None,
    after: int | None = None,
    before: int | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> list[EntryRow]:
    """Return *limit* entries between *after* and *before* (ids, neither of them), oldest first.

    *newest_first* begins at the other end and goes down.
    """
    return search_entries(
        property_id,
        days=None if gaming_day is None else (gaming_day, gaming_day),
        table=table,
        session=session,
        source=source,
        kind=kind,
        after=after,
        before=before,
        newest_first=newest_first,
        limit=limit,
    )


def search_entries(
    property_id: int,
    *,
    days: tuple[date, date] | None = None,
    table: str | None = None,
    session: str | None = None,
    source: str | None = None,
    kind: str | None = None,
    account: str | None = None,
    amount: int | None = None,
    amounts: tuple[int, int] | None = None,
    person: str | None = None,
    text: str | None = None,
    late: bool | None = None,
    reversed: bool | None = None,
    after: int | None = None,
    before: int | None = None,
    newest_first: bool = True,
    limit: int = 50,
) -> list[EntryRow]:
    """Return the entries that all the filters given agree on, *limit* of them, by id.

    An index finds what a session or a source caused, the entries of a kind, those of a range of
    days, which cost what was posted on these days, and those of an account that has not moved too
    often. All other filters are tried on each of those; without any of these they are tried on all
    entries of the property, from the newest down (or the oldest up) until the page is full.

    Args:
        days: the first gaming day and the last, both counted.
        account: a code, which stands for its sub-accounts too: `1120`, `1220/session:7`.
        amount: of one leg, on either side, in minor units; beside *account*, of a leg on it.
        amounts: the least and the greatest amount of a leg, both counted.
        person: who posted or approved it, as `str(Actor)` writes them: `employee:12`.
        text: a part of the memo or the source, capitals or not; or a whole public id, which
            finds its entry alone.
        late: whether it came after the day that it belongs to had closed.
        reversed: whether it was taken back.
        after, before: ids; the entries lie between them.
        newest_first: which end the page is counted from, and its order.

    Raises:
        ValueError: *text* is looked for in all of history: days, a session or a source is needed,
            unless it is a public id.
    """
    wanted = {
        "table_ref": table,
        "session_ref": session,
        "source": source,
        "kind": kind,
        "pk__gt": after,
        "pk__lt": before,
        "gaming_day__range": days,
        "late_day__isnull": None if late is None else not late,
    }
    rows = Entry.objects.filter(
        property_id=property_id,
        **{name: value for name, value in wanted.items() if value is not None},
    )
    if reversed is not None:
        is_reversed = Exists(Entry.objects.filter(reverses_id=OuterRef("pk")))
        rows = rows.filter(is_reversed if reversed else ~is_reversed)
    if person is not None:
        rows = rows.filter(Q(actor=person) | Q(approver=person))
    if text is not None:
        is_bounded = any(given is not None for given in (days, session, source))
        rows = rows.filter(_says(text, is_bounded=is_bounded))
    accounts = None if account is None else _accounts(property_id, account)
    if accounts is not None or amount is not None or amounts is not None:
        rows = rows.filter(_has_leg(accounts, amount, amounts))
    if accounts is not None and accounts.is_quiet:
        moved_it = Posting.objects.filter(account_id__in=accounts.ids)
        rows = rows.filter(pk__in=set(moved_it.values_list("entry_id", flat=True)))
    # Days are many entries of one stretch. By the bare id the planner would rather walk the
    # primary key, past everything newer than they are.
    place = F("id") if days is None else F("id") + 0
    order = place.desc() if newest_first else place.asc()
    return page(rows.order_by(order), limit)


def _says(text: str, *, is_bounded: bool) -> Q:
    try:
        return Q(public_id=UUID(text.strip().removeprefix(PREFIX)))
    except ValueError:
        if not is_bounded:
            raise ValueError("text is looked for within days, a session or a source") from None
        return Q(memo__icontains=text) | Q(source__icontains=text)


class _Accounts(NamedTuple):
    """Accounts, and whether they seldom move, which their balance rows tell."""

    ids: Any
    """Keys, as long as they are few: by these the planner knows how often each of them moves."""
    is_quiet: bool
    """They have few postings, so these are the shortest way to their entries."""


def _accounts(property_id: int, code: str) -> _Accounts:
    found = Account.objects.filter(
        Q(code=code) | Q(code__startswith=f"{code}/"), property_id=property_id
    )
    ids = list(found.values_list("pk", flat=True)[: FEW_ACCOUNTS + 1])
    if len(ids) > FEW_ACCOUNTS:
        return _Accounts(found.values("pk"), is_quiet=False)
    moved = Balance.objects.filter(account_id__in=ids).aggregate(count=Sum("version"))["count"]
    return _Accounts(ids, is_quiet=(moved or 0) <= FEW_POSTINGS)


def _has_leg(
    accounts: _Accounts | None, amount: int | None, amounts: tuple[int, int] | None
) -> Exists:
    legs: Any = Posting.objects.filter(entry_id=OuterRef("pk"))
    if accounts is not None:
        legs = legs.filter(account_id__in=accounts.ids)
    if amount is not None:
        legs = legs.filter(amount__in=(amount, -amount))
    if amounts is not None:
        least, greatest = amounts
        legs = legs.filter(
            Q(amount__range=(least, greatest)) | Q(amount__range=(-greatest, -least))
        )
    return Exists(legs)
