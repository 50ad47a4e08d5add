"""The property as programs read it: enough that no client computes a clock change.

Source: cage-integration.md 5 and 8.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


# Not the format `time`, which is an instant of the day with its offset from UTC.
@extend_schema_field({"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"})
class WallClockField(serializers.TimeField):
    """A time of the property's own clock: `06:00`."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="%H:%M", **kwargs)


class ShiftOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """One row of the shift table."""

    name = serializers.CharField()
    starts_at = WallClockField(help_text="Local wall-clock time.")


class GamingDayOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """One gaming day and its bounds, which may lie 23 or 25 hours apart."""

    gaming_day = serializers.DateField(source="day")
    starts_at = serializers.DateTimeField(help_text="The first instant of the day.")
    ends_at = serializers.DateTimeField(help_text="The first instant of the next day.")


class PropertyParameters(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """How many gaming days to show."""

    days = serializers.IntegerField(
        min_value=1, max_value=366, default=8, help_text="Gaming days back from the one that runs."
    )


class PropertyOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """The property that the client belongs to."""

    code = serializers.CharField(source="property.code")
    name = serializers.CharField(source="property.name")
    time_zone = serializers.CharField(source="property.time_zone", help_text="IANA name.")
    day_start = WallClockField(
        source="property.day_start",
        help_text="Local wall-clock time at which the gaming day rolls over.",
    )
    currency = serializers.CharField(
        source="property.currency", help_text="ISO 4217; amounts are in its minor unit."
    )
    languages = serializers.ListField(source="property.languages", child=serializers.CharField())
    is_sandbox = serializers.BooleanField(
        source="property.is_sandbox", help_text="No real money is here."
    )
    shifts = ShiftOutput(many=True, help_text="In the order of the gaming day.")
    gaming_days = GamingDayOutput(many=True, help_text="Newest first; the first one runs now.")
