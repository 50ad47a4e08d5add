"""What is wrong before anything connects; the database itself is examined by `ledger_doctor`."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error

GRANTED_ROLE: Final = "baize_app"
"""The role that `sql/0004_functions.sql` lets call the functions."""


def application_role(**_options: Any) -> list[CheckMessage]:
    """Find a process that would work as a role that may not post."""
    if settings.APPLICATION_ROLE == GRANTED_ROLE:
        return []
    return [
        Error(
            f"APPLICATION_ROLE is {settings.APPLICATION_ROLE!r}, but the ledger's functions are "
            f"granted to {GRANTED_ROLE!r}.",
            id="ledger.E001",
        )
    ]
