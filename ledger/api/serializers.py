"""The books as programs read them: amounts are above zero, and their side is said beside them.

Source: cage-integration.md 5 and 9; "transaction" is that contract's word for an entry.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

from rest_framework import serializers

from casino.web.errors import NotFoundError
from casino.web.money import MinorAmountField, money
from ledger.selectors import EntryDetail, EntryRow, LineRow, TrialBalanceRow

PREFIX = "ent_"


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


class TransactionDetailOutput(TransactionOutput):
    """One entry with both of its sides."""

    legs = LegOutput(many=True)


class BalanceOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """What an account holds now; of a number alone, all of its sub-accounts together."""

    account = serializers.CharField()
    balance = SidedMoney()


class TrialBalanceRowOutput(serializers.Serializer):  # type: ignore[type-arg]  # none when run
    """One account of the chart."""

    number = serializers.CharField()
    name = serializers.CharField()
    opening = SidedMoney()
    debits = MinorAmountField()
    credits = MinorAmountField()
    closing = SidedMoney()


class TrialBalanceOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """Every account of the chart; debits and credits add up to the same."""

    gaming_day = serializers.DateField(allow_null=True)
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
    }


def show_detail(detail: EntryDetail) -> dict[str, Any]:
    """Return the members of a transaction and its legs."""
    return show_entry(detail.entry) | {"legs": [_show_leg(line) for line in detail.lines]}


def show_trial_balance_row(row: TrialBalanceRow) -> dict[str, Any]:
    """Return the members of one account's row."""
    return {
        "number": row.number,
        "name": row.name,
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
