"""The books as programs read them: amounts are above zero, and their side is said beside them.

Source: cage-integration.md 5 and 9; "transaction" is that contract's word for an entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

from rest_framework import serializers

from casino.web.errors import NotFoundError
from casino.web.money import MinorAmountField, money
from ledger.chart import Place
from ledger.selectors import (
    AccountNode,
    EntryDetail,
    EntryRow,
    Held,
    LineRow,
    StatementRow,
    TrialBalanceRow,
)

PREFIX = "ent_"
NAMED: Final = {Place.SESSION: "ses", Place.TABLE: "tbl"}
"""What stands before the number of what an entry is about, where the API shows it elsewhere."""


def transaction_id(public_id: UUID | None) -> str | None:
    """Return the identifier that the API shows for an entry."""
    return f"{PREFIX}{public_id}" if public_id else None


def read_transaction_id(text: str) -> UUID:
    """Return the entry's own identifier.

    Raises:
        NotFoundError: *text* is no such identifier, so no entry has it.
    """
    try:
        public_id = UUID(text.removeprefix(PREFIX))
    except ValueError as error:
        raise NotFoundError(f"There is no {text!r}.") from error
    if text != transaction_id(public_id):
        raise NotFoundError(f"There is no {text!r}.")
    return public_id


def plain_name(place: Place, text: str) -> str:
    """Return the books' own name of what the API calls *text*: `session:3` of `ses_3`.

    The plain name itself is taken as it is.
    """
    found = re.fullmatch(rf"{NAMED[place]}_([1-9][0-9]{{0,18}})", text, re.ASCII)
    return f"{place}:{found[1]}" if found else text


class SidedMoney(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """An amount on one side of the books."""

    amount = MinorAmountField()
    currency = serializers.CharField()
    side = serializers.ChoiceField(choices=["debit", "credit"])


class PiecesOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """Chips of one denomination."""

    denomination = MinorAmountField()
    pieces = serializers.IntegerField()


class LegOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """One side of an entry."""

    line = serializers.IntegerField()
    account = serializers.CharField(help_text="`1120/table:3`")
    name = serializers.CharField()
    event = serializers.CharField(help_text="`main_wager_lost`; new ones may come.")
    amount = SidedMoney()
    balance_after = SidedMoney(
        allow_null=True, help_text="Null where several rows share the account's load."
    )
    pieces = PiecesOutput(many=True)


class RateOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """The rate of an exchange: so many minor units bought for so many sold."""

    sold = MinorAmountField()
    bought = MinorAmountField()


class TransactionOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """One entry."""

    id = serializers.CharField()
    kind = serializers.CharField()
    source = serializers.CharField(  # type: ignore[assignment]  # the metaclass takes it away
        help_text="What caused it: `round:812`."
    )
    gaming_day = serializers.DateField()
    effective_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    table = serializers.CharField(allow_blank=True)
    session = serializers.CharField(allow_blank=True)
    shift = serializers.CharField(allow_blank=True)
    actor = serializers.CharField()
    approver = serializers.CharField(allow_blank=True)
    memo = serializers.CharField(allow_blank=True)
    reverses = serializers.CharField(allow_null=True)
    reversed_by = serializers.CharField(allow_null=True)
    restates = serializers.CharField(
        allow_null=True, help_text="The reversed one whose event it tells anew."
    )
    restated_by = serializers.CharField(allow_null=True)
    corrects = serializers.CharField(allow_null=True, help_text="The one that it corrects in part.")
    late_day = serializers.DateField(
        allow_null=True, help_text="The closed gaming day that it belongs to, where it came late."
    )
    rate = RateOutput(allow_null=True)


class TransactionDetailOutput(TransactionOutput):
    """One entry with both of its sides, and what came of it."""

    corrections = serializers.ListField(
        child=serializers.CharField(), help_text="Those that correct it in part."
    )
    seal = serializers.IntegerField(
        allow_null=True, help_text="The number of the seal that it is under; null while none is."
    )
    legs = LegOutput(many=True)


class BalanceOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """What an account held; of a number alone, all of its sub-accounts together."""

    account = serializers.CharField()
    balance = SidedMoney(help_text="In the property's currency, or else in the account's own.")
    balances = SidedMoney(many=True, help_text="In every currency.")


class AccountOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """A code of the books: an account, or where accounts hang, or both."""

    account = serializers.CharField(help_text="`1220/session:7`")
    name = serializers.CharField()
    is_open = serializers.BooleanField(
        allow_null=True, help_text="Null where accounts only hang below it."
    )
    balance = SidedMoney(allow_null=True, help_text="What is its own; null likewise.")
    totals = SidedMoney(many=True, help_text="With all below it, in every currency.")
    has_children = serializers.BooleanField()


class StatementRowOutput(serializers.Serializer):  # type: ignore[type-arg]  # none when run
    """One line of an account's statement."""

    version = serializers.IntegerField(help_text="The account's own count: 1, 2, 3 and so on.")
    transaction = serializers.CharField()
    kind = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # the metaclass takes it away
    event = serializers.CharField()
    gaming_day = serializers.DateField()
    late_day = serializers.DateField(allow_null=True)
    effective_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    amount = SidedMoney()
    balance_after = SidedMoney(
        allow_null=True, help_text="Null where several rows share the account's load."
    )
    table = serializers.CharField(allow_blank=True)
    session = serializers.CharField(allow_blank=True)
    shift = serializers.CharField(allow_blank=True)
    actor = serializers.CharField()
    approver = serializers.CharField(allow_blank=True)
    memo = serializers.CharField(allow_blank=True)
    reverses = serializers.CharField(allow_null=True)
    reversed_by = serializers.CharField(allow_null=True)
    restates = serializers.CharField(allow_null=True)
    corrects = serializers.CharField(allow_null=True)


class TrialBalanceRowOutput(serializers.Serializer):  # type: ignore[type-arg]  # none when run
    """One account of the chart in one currency."""

    number = serializers.CharField()
    name = serializers.CharField()
    currency = serializers.CharField()
    opening = SidedMoney()
    debits = MinorAmountField()
    credits = MinorAmountField()
    closing = SidedMoney()


class TrialBalanceOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """Every account of the chart that moved; debits and credits add up to the same."""

    gaming_day = serializers.DateField(allow_null=True)
    shift = serializers.CharField(allow_null=True)
    rows = TrialBalanceRowOutput(many=True)


def sided(amount: int, currency: str) -> dict[str, Any]:
    """Return *amount* minor units, debit above zero, as the API shows it."""
    return money(abs(amount), currency) | {"side": "credit" if amount < 0 else "debit"}


def show_entry(row: EntryRow) -> dict[str, Any]:
    """Return the members of a transaction."""
    return asdict(row) | {
        "id": transaction_id(row.public_id),
        "reverses": transaction_id(row.reverses),
        "reversed_by": transaction_id(row.reversed_by),
        "restates": transaction_id(row.restates),
        "restated_by": transaction_id(row.restated_by),
        "corrects": transaction_id(row.corrects),
        "rate": row.rate and dict(zip(("sold", "bought"), row.rate, strict=True)),
    }


def show_detail(detail: EntryDetail, *, seal: int | None) -> dict[str, Any]:
    """Return the members of a transaction, its legs and what came of it."""
    return show_entry(detail.entry) | {
        "corrections": [transaction_id(each) for each in detail.corrections],
        "seal": seal,
        "legs": [_show_leg(line) for line in detail.lines],
    }


def show_balance(code: str, held: Sequence[Held], currency: str) -> dict[str, Any]:
    """Return the members of a balance; *currency* is the property's."""
    first = next((each for each in held if each.currency == currency), held[0])
    return {
        "account": code,
        "balance": sided(first.amount, first.currency),
        "balances": [sided(each.amount, each.currency) for each in held],
    }


def show_account(node: AccountNode) -> dict[str, Any]:
    """Return the members of a code of the books."""
    return {
        "account": node.code,
        "name": node.name,
        "is_open": node.is_open,
        "balance": node.own and sided(node.own.amount, node.own.currency),
        "totals": [sided(each.amount, each.currency) for each in node.totals],
        "has_children": node.has_children,
    }


def show_statement_row(row: StatementRow) -> dict[str, Any]:
    """Return the members of one line of a statement."""
    after = row.balance_after
    return asdict(row) | {
        "transaction": transaction_id(row.entry),
        "amount": sided(row.amount, row.currency),
        "balance_after": None if after is None else sided(after, row.currency),
        "reverses": transaction_id(row.reverses),
        "reversed_by": transaction_id(row.reversed_by),
        "restates": transaction_id(row.restates),
        "corrects": transaction_id(row.corrects),
    }


def show_trial_balance_row(row: TrialBalanceRow) -> dict[str, Any]:
    """Return the members of one account's row."""
    return {
        "number": row.number,
        "name": row.name,
        "currency": row.currency,
        "opening": sided(row.opening, row.currency),
        "debits": row.debits,
        "credits": row.credits,
        "closing": sided(row.closing, row.currency),
    }


def _show_leg(line: LineRow) -> dict[str, Any]:
    after = line.balance_after
    return {
        "line": line.line,
        "account": line.account,
        "name": line.name,
        "event": line.event,
        "amount": sided(line.amount, line.currency),
        "balance_after": None if after is None else sided(after, line.currency),
        "pieces": [
            {"denomination": denomination, "pieces": pieces} for denomination, pieces in line.pieces
        ],
    }
