"""The Django app that every page and API shares."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """What every page and API shares."""

    name = "casino.web"
    label = "web"
