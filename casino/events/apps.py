"""The one outbox and the event feed."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """The one outbox and the event feed."""

    name = "casino.events"
    label = "events"
