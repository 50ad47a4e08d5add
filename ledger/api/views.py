"""The books, to read: entries, balances, the trial balance; nothing is written from here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from typing_extensions import override

from casino.web.api import ListView, PageParameters, ReadView, request_property_id
from casino.web.errors import NotFoundError
from casino.web.inputs import DayField
from ledger import selectors
from ledger.api.serializers import (
    BalanceOutput,
    TransactionDetailOutput,
    TransactionOutput,
    TrialBalanceOutput,
    read_transaction_id,
    show_detail,
    show_entry,
    show_trial_balance_row,
    sided,
)

SCOPES = {"GET": ["ledger:read"]}


class TransactionParameters(PageParameters):
    """Which entries to list."""

    session = serializers.CharField(required=False, max_length=80, help_text="`session:7`")
    table = serializers.CharField(required=False, max_length=80, help_text="`table:3`")
    source = serializers.CharField(  # type: ignore[assignment]  # the metaclass takes it away
        required=False, max_length=80, help_text="`round:812`"
    )
    kind = serializers.CharField(required=False, max_length=80)
    gaming_day = DayField(required=False)


class TransactionListView(ListView):
    """The entries of the client's property, in the order in which they were begun."""

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
        rows = selectors.entries(request_property_id(request), **asked, after=after, limit=limit)
        return [show_entry(row) | {"place": row.id} for row in rows]


class TransactionView(ReadView):
    """One entry of the client's property, with its legs."""

    required_scopes = SCOPES
    output = TransactionDetailOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> dict[str, Any]:
        text = path["transaction_id"]
        entry_id = selectors.entry_id_of(request_property_id(request), read_transaction_id(text))
        if entry_id is None:
            raise NotFoundError(f"There is no {text!r}.")
        return show_detail(selectors.entry_detail(entry_id))


class BalanceView(ReadView):
    """What an account of the client's property holds now."""

    required_scopes = SCOPES
    output = BalanceOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> dict[str, Any]:
        (held, *_others) = selectors.account_balances(request_property_id(request), path["no"])
        return {"account": path["no"], "balance": sided(held.amount, held.currency)}


class TrialBalanceParameters(serializers.Serializer):  # type: ignore[type-arg]  # none when run
    """Of which day."""

    gaming_day = DayField(required=False, help_text="Without it, all that was ever posted.")


class TrialBalanceView(ReadView):
    """Every account of the chart; the closings add up to zero."""

    required_scopes = SCOPES
    parameters = TrialBalanceParameters
    output = TrialBalanceOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> dict[str, Any]:
        day = asked.get("gaming_day")
        rows = selectors.trial_balance(request_property_id(request), day)
        return {"gaming_day": day, "rows": [show_trial_balance_row(row) for row in rows]}
