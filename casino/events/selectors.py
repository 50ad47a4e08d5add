"""The feed as it is read: numbered events only, in the order of their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from casino.events.models import OutboxEvent
from casino.web.errors import NotFoundError
from casino.web.ids import public_id


def waiting_properties() -> list[int]:
    """Return the properties that have events without a number."""
    waiting = OutboxEvent.objects.filter(sequence=None)
    return list(waiting.order_by("property_id").values_list("property_id", flat=True).distinct())


def feed(
    property_id: int, *, after_sequence: int = 0, types: Sequence[str] = (), limit: int = 200
) -> QuerySet[OutboxEvent]:
    """Return up to *limit* events above *after_sequence*, ascending, of the *types* if given."""
    events = OutboxEvent.objects.filter(property_id=property_id, sequence__gt=after_sequence)
    if types:
        events = events.filter(topic__in=types)
    return events.order_by("sequence")[:limit]


def get_event(property_id: int, event_id: int) -> OutboxEvent:
    """Return one numbered event.

    Raises:
        NotFoundError: the property has none of that id in its feed.
    """
    numbered = OutboxEvent.objects.filter(property_id=property_id, sequence__isnull=False)
    event = numbered.filter(pk=event_id).first()
    if event is None:
        raise NotFoundError(f"There is no event {public_id('evt', event_id)!r}.")
    return event
