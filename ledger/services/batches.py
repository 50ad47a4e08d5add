"""Many entries in one call: all of them are posted, or none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Final

from ledger.errors import KeyReusedError
from ledger.retrying import with_retries
from ledger.services.functions import call_many
from ledger.services.inputs import require_id
from ledger.services.posting import (
    EntryDraft,
    Leg,
    PostedEntry,
    open_missing,
    read_entry,
    require_valid,
)

POST_MANY: Final = """
SELECT entry_id, public_id, replayed, accounts, balances
FROM ledger_post_many(%s, %s::jsonb, %s::integer[], %s::text[], %s::bigint[], %s::text[],
                      %s::integer[], %s::bigint[], %s::bigint[])
"""


def post_entries(*, property_id: int, entries: Sequence[EntryDraft]) -> list[PostedEntry]:
    """Post *entries* in one transaction and one call, as if one came after the other.

    Each is what `post_entry` would make of it: a key that was posted before answers as it did
    then, and limits hold after every entry, not only after the last. One refusal refuses all.
    Two entries under one key are one entry, if they say the same.

    Returns:
        One answer for each of *entries*, in their order.

    Raises:
        LedgerError: what `post_entry` raises.
    """
    require_id(property_id=property_id)
    drafts: dict[str, EntryDraft] = {}
    for draft in entries:
        require_valid(draft)
        if field := _difference(drafts.setdefault(draft.key, draft), draft):
            raise KeyReusedError(draft.key, field=field)
    if not drafts:
        return []
    whole = list(drafts.values())
    values = _values(property_id, whole)
    rows = with_retries(lambda: _post(property_id, values, whole))
    posted = {draft.key: _read(draft, row) for draft, row in zip(whole, rows, strict=True)}
    answers = []
    for draft in entries:
        answers.append(posted[draft.key])
        posted[draft.key] = replace(posted[draft.key], replayed=True)
    return answers


def _post(property_id: int, values: list[Any], drafts: Sequence[EntryDraft]) -> list[Any]:
    rows = call_many(POST_MANY, values)
    if rows[0][0] is None:  # nothing was written
        open_missing(property_id, rows[0][3], min(draft.at for draft in drafts))
        rows = call_many(POST_MANY, values)
    return rows


def _read(draft: EntryDraft, row: tuple[Any, ...]) -> PostedEntry:
    entry_id, public_id, replayed, accounts, balances = row
    if accounts is None:  # the lines are those of the draft
        accounts = [leg.account for leg in draft.legs]
    return read_entry((entry_id, public_id, replayed, accounts, balances))


def _values(property_id: int, drafts: Sequence[EntryDraft]) -> list[Any]:
    legs = [(nth, leg) for nth, draft in enumerate(drafts, start=1) for leg in draft.legs]
    counted = [
        (place, denomination, count)
        for place, (_nth, leg) in enumerate(legs, start=1)
        for denomination, count in leg.pieces
    ]
    return [
        *(property_id, json.dumps([_object(draft) for draft in drafts])),
        *([nth for nth, _leg in legs], [leg.account for _nth, leg in legs]),
        *([leg.amount for _nth, leg in legs], [str(leg.event) for _nth, leg in legs]),
        *([each[part] for each in counted] for part in range(3)),
    ]


def _object(draft: EntryDraft) -> dict[str, Any]:
    rate_sold, rate_bought = draft.rate or (None, None)
    return {
        "key": draft.key,
        "kind": draft.kind,
        "source": draft.source,
        "actor": draft.actor,
        "approver": draft.approver,
        "at": draft.at.isoformat(),
        "gaming_day": draft.gaming_day.isoformat(),
        "late_day": draft.late_day.isoformat() if draft.late_day else None,
        "table": draft.table,
        "session": draft.session,
        "shift": draft.shift,
        "memo": draft.memo,
        "restates": draft.restates,
        "corrects": draft.corrects,
        "rate_sold": rate_sold,
        "rate_bought": rate_bought,
    }


def _difference(first: EntryDraft, second: EntryDraft) -> str | None:
    # The database compares in the same way what was posted before: neither the time, nor the
    # shift, nor the order of the legs.
    for each in fields(EntryDraft):
        one, other = getattr(first, each.name), getattr(second, each.name)
        if each.name not in {"at", "shift", "legs"} and one != other:
            return each.name
    if _sides(first.legs) != _sides(second.legs):
        return "legs"
    return "pieces" if _counted(first.legs) != _counted(second.legs) else None


def _sides(legs: Sequence[Leg]) -> list[tuple[Any, ...]]:
    return sorted((leg.account, leg.amount, str(leg.event)) for leg in legs)


def _counted(legs: Sequence[Leg]) -> list[tuple[Any, ...]]:
    return sorted(
        (leg.account, leg.amount, str(leg.event), *pieces) for leg in legs for pieces in leg.pieces
    )
