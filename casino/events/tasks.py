"""The relay: every committed event gets its number, whoever wakes it and however often."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError

from casino.events import selectors, services
from casino.web.waking import begun


@shared_task(
    name="casino.events.tasks.relay", autoretry_for=(OperationalError,), retry_backoff=True
)
def relay(**_newer: object) -> None:
    """Number what waits, of every property; a second relay at the same time changes nothing."""
    begun(services.RELAY)
    for property_id in selectors.waiting_properties():
        services.number_events(property_id)
