"""What may be asked of the books, checked before anything is read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from rest_framework import serializers
from typing_extensions import override

from casino.web.api import PageParameters
from casino.web.inputs import DayField, InstantField
from casino.web.money import LARGEST_AMOUNT
from ledger.api.serializers import plain_name
from ledger.chart import CODE, Place

CODE_MAX = 120
"""Characters of an account's code."""


class OfSomeDays(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """A range of gaming days, both of its ends or none."""

    from_day = DayField(required=False, help_text="The first gaming day; needs `to_day`.")
    to_day = DayField(required=False, help_text="The last gaming day, itself counted.")

    @override
    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for one, other in (("from_day", "to_day"), ("to_day", "from_day")):
            if one in attrs and other not in attrs:
                raise serializers.ValidationError({other: f"It is needed beside {one}."})
        return attrs


class TransactionParameters(OfSomeDays, PageParameters):
    """Which entries to list; all that is given must hold."""

    session = serializers.CharField(
        required=False, max_length=80, help_text="`ses_7`, or as the books name it: `session:7`"
    )
    table = serializers.CharField(
        required=False, max_length=80, help_text="`tbl_3`, or as the books name it: `table:3`"
    )
    source = serializers.CharField(  # type: ignore[assignment]  # the metaclass takes it away
        required=False, max_length=80, help_text="`round:812`"
    )
    kind = serializers.CharField(required=False, max_length=80)
    gaming_day = DayField(required=False, help_text="In place of `from_day` and `to_day`.")
    account = serializers.CharField(
        required=False, max_length=CODE_MAX, help_text="With its sub-accounts: `1120`."
    )
    amount = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_AMOUNT,
        help_text="Of one leg, on either side; beside `account`, of a leg on it.",
    )
    amount_min = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST_AMOUNT)
    amount_max = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST_AMOUNT)
    person = serializers.CharField(
        required=False, max_length=80, help_text="Who posted or approved it: `employee:12`."
    )
    text = serializers.CharField(
        required=False,
        max_length=200,
        help_text="In the memo or the source, capitals or not; needs days, a session or a source.",
    )
    late = serializers.BooleanField(required=False, help_text="Came after its day had closed.")
    reversed = serializers.BooleanField(required=False, help_text="Was taken back.")
    newest_first = serializers.BooleanField(default=False)

    @override
    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        if "gaming_day" in attrs and "from_day" in attrs:
            raise serializers.ValidationError({"gaming_day": "It stands in place of from_day."})
        bounds = {"gaming_day", "from_day", "session", "source"}
        if "text" in attrs and not bounds & attrs.keys():
            raise serializers.ValidationError({"text": "It needs days, a session or a source."})
        return attrs


class BalanceParameters(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """As of when; now, without any of them."""

    at = InstantField(required=False, help_text="What the books said at this moment.")
    as_of_entry = serializers.CharField(
        required=False, max_length=80, help_text="What they said after this transaction: `ent_…`."
    )
    gaming_day = DayField(
        required=False, help_text="What was posted to this day and all before it, whenever it was."
    )

    @override
    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        _first, *others = [*attrs, None]
        if others[:-1]:
            raise serializers.ValidationError({str(others[0]): "Only one moment can be asked for."})
        return attrs


class AccountParameters(PageParameters):
    """Below which code."""

    parent = serializers.RegexField(  # type: ignore[assignment]  # the metaclass takes it away
        rf"^{CODE.pattern}\Z",
        required=False,
        max_length=CODE_MAX,
        help_text="`1220`, `1220/session:7`; without it, the numbers of the chart.",
    )


class StatementParameters(OfSomeDays, PageParameters):
    """Which part of a statement, and from which end."""

    newest_first = serializers.BooleanField(default=False)


class TrialBalanceParameters(serializers.Serializer):  # type: ignore[type-arg]  # none when run
    """Of which day, or of which shift of it."""

    gaming_day = DayField(required=False, help_text="Without it, all that was ever posted.")
    shift = serializers.CharField(
        required=False, max_length=80, help_text="What the shift moved; needs `gaming_day`."
    )

    @override
    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "shift" in attrs and "gaming_day" not in attrs:
            raise serializers.ValidationError({"gaming_day": "It is needed beside shift."})
        return attrs


def days_of(asked: Mapping[str, Any]) -> tuple[date, date] | None:
    """Return the gaming days asked for, the first and the last."""
    if "gaming_day" in asked:
        return asked["gaming_day"], asked["gaming_day"]
    return (asked["from_day"], asked["to_day"]) if "from_day" in asked else None


def search_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `search_entries` that say what was asked."""
    same = ("source", "kind", "account", "amount", "person", "text", "late", "reversed")
    search = {name: asked[name] for name in same if name in asked}
    for name, place in (("session", Place.SESSION), ("table", Place.TABLE)):
        if name in asked:
            search[name] = plain_name(place, asked[name])
    if "amount_min" in asked or "amount_max" in asked:
        search["amounts"] = (asked.get("amount_min", 0), asked.get("amount_max", LARGEST_AMOUNT))
    return search | {"days": days_of(asked), "newest_first": asked["newest_first"]}
