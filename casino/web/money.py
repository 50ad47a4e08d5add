"""Money in JSON: an integer in minor units beside its currency, never a decimal, never a text.

Source: cage-integration.md 5.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from typing_extensions import override

from casino.web.inputs import Input

LARGEST_AMOUNT = 2**53 - 1
"""Every JSON reader keeps integers up to this exact."""


class MinorAmountField(serializers.IntegerField):
    """An amount in minor units, 0 to 2^53 - 1; direction is in the document's type."""

    default_error_messages = {"not_integer": "An amount is an integer in minor units."}

    def __init__(self, **kwargs: Any) -> None:
        """Set the limits of every amount; *kwargs* may narrow them."""
        super().__init__(**{"min_value": 0, "max_value": LARGEST_AMOUNT, **kwargs})

    @override
    def to_internal_value(self, data: Any) -> int:
        # "100", 100.0 and true are not amounts, though Python would take each for one.
        if type(data) is not int:
            self.fail("not_integer")
        return super().to_internal_value(data)


class MoneySerializer(Input):
    """An amount with its currency, as it stands in requests and answers."""

    amount = MinorAmountField()
    currency = serializers.RegexField(r"^[A-Z]{3}\Z", max_length=3)


def money(amount: int, currency: str) -> dict[str, Any]:
    """Return *amount* minor units of *currency* as the API shows money."""
    assert -LARGEST_AMOUNT <= amount <= LARGEST_AMOUNT
    return {"amount": amount, "currency": currency}
