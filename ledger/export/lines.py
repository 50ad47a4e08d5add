"""The books as JSON Lines: one entry a line, its members named as the API names them.

Beside the members of the API's transaction stand the entry's number (`entry_id`, the order of the
lines), what it restates or corrects, the closed day that it is late for, the rate of an exchange
and the number of its seal. Amounts are integers in minor units. Every line is plain ASCII, other
letters by their codes, so that no reader takes a sign of the text for the end of a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ledger.export.books import BookEntry, BookPosting, Books, moment_text, reference


def json_lines(books: Books) -> Iterator[str]:
    """Yield one line for each entry, by the entries' ids."""
    for entry in books.entries():
        yield json.dumps(_entry(entry), separators=(",", ":")) + "\n"


def _entry(entry: BookEntry) -> dict[str, Any]:
    return {
        "id": reference(entry.public_id),
        "entry_id": entry.id,
        "kind": entry.kind,
        "source": entry.source,
        "gaming_day": entry.gaming_day.isoformat(),
        "late_day": entry.late_day.isoformat() if entry.late_day else None,
        "effective_at": moment_text(entry.effective_at),
        "recorded_at": moment_text(entry.recorded_at),
        "table": entry.table,
        "session": entry.session,
        "shift": entry.shift,
        "actor": entry.actor,
        "approver": entry.approver,
        "memo": entry.memo,
        "reverses": reference(entry.reverses),
        "reversed_by": reference(entry.reversed_by),
        "restates": reference(entry.restates),
        "corrects": reference(entry.corrects),
        "rate": _rate(entry),
        "seal": entry.seal,
        "legs": [_leg(posting) for posting in entry.postings],
    }


def _rate(entry: BookEntry) -> dict[str, int | None] | None:
    if entry.rate_sold is None:
        return None
    return {"sold": entry.rate_sold, "bought": entry.rate_bought}


def _leg(posting: BookPosting) -> dict[str, Any]:
    account, after = posting.account, posting.balance_after
    return {
        "line": posting.line,
        "account": account.code,
        "name": account.name,
        "event": posting.event,
        "amount": _sided(posting.amount, account.currency),
        "balance_after": None if after is None else _sided(after, account.currency),
        "pieces": [
            {"denomination": denomination, "pieces": count}
            for denomination, count in posting.pieces
        ],
    }


def _sided(amount: int, currency: str) -> dict[str, Any]:
    side = "credit" if amount < 0 else "debit"
    return {"amount": abs(amount), "currency": currency, "side": side}
