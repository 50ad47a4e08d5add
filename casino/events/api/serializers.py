"""An event as programs read it, in the feed and in webhooks alike.

Source: cage-integration.md 10.1.
"""

from __future__ import annotations

from django.conf import settings
from rest_framework import serializers

from casino.events.models import OutboxEvent
from casino.web.ids import public_id


class SubjectOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """The document that an event is about."""

    type = serializers.CharField(source="subject_type")
    id = serializers.CharField(source="subject_id")
    version = serializers.IntegerField()


class EventOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """One numbered event."""

    id = serializers.SerializerMethodField()
    type = serializers.CharField(source="topic", help_text="New types may come: an open list.")
    sequence = serializers.IntegerField(help_text="Gapless and ascending in the property.")
    timestamp = serializers.DateTimeField(source="occurred_at", help_text="When it happened.")
    gaming_day = serializers.DateField()
    api_version = serializers.SerializerMethodField()
    subject = SubjectOutput(source="*")
    # The contract's name; the serializer's own `data` is found on the instance all the same.
    data = serializers.DictField(source="payload")  # type: ignore[assignment]  # see above

    def get_id(self, event: OutboxEvent) -> str:
        """Return the event's own id; a webhook and its replay carry the same."""
        return public_id("evt", event.pk)

    def get_api_version(self, _event: OutboxEvent) -> str:
        """Return the dated version of the contract that the members follow."""
        return str(settings.API_VERSION)
