"""The books, to read: entries, balances, the trial balance; nothing is written from here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.request import Request
from typing_extensions import override

from casino.properties.models import Property
from casino.web.api import ListView, ReadView, request_property_id
from casino.web.errors import NotFoundError
from ledger import selectors
from ledger.api.parameters import (
    AccountParameters,
    BalanceParameters,
    StatementParameters,
    TransactionParameters,
    TrialBalanceParameters,
    days_of,
    search_of,
)
from ledger.api.serializers import (
    AccountOutput,
    BalanceOutput,
    StatementRowOutput,
    TransactionDetailOutput,
    TransactionOutput,
    TrialBalanceOutput,
    read_transaction_id,
    show_account,
    show_balance,
    show_detail,
    show_entry,
    show_statement_row,
    show_trial_balance_row,
)
from ledger.selectors import StatementRow

SCOPES = {"GET": ["ledger:read"]}
VERSION_BITS = 48
"""More postings than any account will take."""


class TransactionListView(ListView):
    """The entries of the client's property, in the order in which they were begun, or back."""

    required_scopes = SCOPES
    parameters = TransactionParameters
    output = TransactionOutput

    @override
    def page(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        after: int | None,
        limit: int,
        **path: Any,
    ) -> Iterable[dict[str, Any]]:
        search = search_of(asked) | {"before" if asked["newest_first"] else "after": after}
        rows = selectors.search_entries(request_property_id(request), **search, limit=limit)
        return [show_entry(row) | {"place": row.id} for row in rows]


class TransactionView(ReadView):
    """One entry of the client's property, with its legs."""

    required_scopes = SCOPES
    output = TransactionDetailOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> dict[str, Any]:
        entry_id = _entry_id(request, path["transaction_id"])
        return show_detail(selectors.entry_detail(entry_id), seal=selectors.seal_of(entry_id))


class AccountListView(ListView):
    """The codes one part below another, each with what hangs below it; first, the numbers."""

    required_scopes = SCOPES
    parameters = AccountParameters
    output = AccountOutput

    @override
    def page(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        after: int | None,
        limit: int,
        **path: Any,
    ) -> Iterable[dict[str, Any]]:
        property_id, parent = request_property_id(request), asked.get("parent", "")
        child = "" if after is None else selectors.child_at(property_id, parent, after)
        nodes = selectors.account_children(property_id, parent, after=child, limit=limit)
        return [show_account(node) | {"place": node.place} for node in nodes]


class BalanceView(ReadView):
    """What an account of the client's property holds, or held."""

    required_scopes = SCOPES
    parameters = BalanceParameters
    output = BalanceOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> dict[str, Any]:
        property_id, code = request_property_id(request), path["no"]
        if "at" in asked:
            held = selectors.balance_at(property_id, code, at=asked["at"])
        elif "as_of_entry" in asked:
            entry_id = _entry_id(request, asked["as_of_entry"])
            held = selectors.balance_after_entry(property_id, code, entry_id)
        elif "gaming_day" in asked:
            held = selectors.balance_on(property_id, code, asked["gaming_day"])
        else:
            held = selectors.account_balances(property_id, code)
        currency = Property.objects.values_list("currency", flat=True).get(pk=property_id)
        return show_balance(code, held, currency)


class StatementView(ListView):
    """An account's postings in its own order, or back from the newest."""

    required_scopes = SCOPES
    parameters = StatementParameters
    output = StatementRowOutput

    @override
    def page(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        after: int | None,
        limit: int,
        **path: Any,
    ) -> Iterable[dict[str, Any]]:
        newest_first = asked["newest_first"]
        edge = {} if after is None else {"before" if newest_first else "after": _spread(after)}
        rows = selectors.statement(
            request_property_id(request),
            path["no"],
            days=days_of(asked),
            newest_first=newest_first,
            limit=limit,
            **edge,
        )
        return [show_statement_row(row) | {"place": _fold(row)} for row in rows]


class TrialBalanceView(ReadView):
    """Every account of the chart; the closings add up to zero in each currency."""

    required_scopes = SCOPES
    parameters = TrialBalanceParameters
    output = TrialBalanceOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> dict[str, Any]:
        day, shift = asked.get("gaming_day"), asked.get("shift")
        rows = selectors.trial_balance(request_property_id(request), day, shift=shift or "")
        return {
            "gaming_day": day,
            "shift": shift,
            "rows": [show_trial_balance_row(row) for row in rows],
        }


def _entry_id(request: Request, text: str) -> int:
    """Return the key of the entry that the API calls *text*.

    Raises:
        NotFoundError: the client's property has none.
    """
    entry_id = selectors.entry_id_of(request_property_id(request), read_transaction_id(text))
    if entry_id is None:
        raise NotFoundError(f"There is no {text!r}.")
    return entry_id


def _fold(row: StatementRow) -> int:
    """Return one number for a line's shard and version, in their order."""
    return row.shard << VERSION_BITS | row.version


def _spread(place: int) -> tuple[int, int]:
    return place >> VERSION_BITS, place & (1 << VERSION_BITS) - 1
