"""Double entry: append-only, balanced, explained."""

from django.apps import AppConfig
from django.core.checks import register
from typing_extensions import override

from ledger.checks import application_role


class LedgerConfig(AppConfig):
    """Double entry: append-only, balanced, explained."""

    name = "ledger"

    @override
    def ready(self) -> None:
        """Have the settings checked against what the migrations grant."""
        register(application_role)
