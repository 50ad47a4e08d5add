"""Double entry: append-only, balanced, explained."""

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    """Double entry: append-only, balanced, explained."""

    name = "ledger"
