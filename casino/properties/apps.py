"""The property, its calendar and its dated settings."""

from django.apps import AppConfig


class PropertiesConfig(AppConfig):
    """The property, its calendar and its dated settings."""

    name = "casino.properties"
    label = "properties"
