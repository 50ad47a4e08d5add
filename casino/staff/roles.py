"""Roles, signer groups and ways to sign; a person acts in one role at a time."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """What a person is employed as (table-operations.md 15)."""

    DEALER = "dealer", _("Dealer")
    FLOOR_SUPERVISOR = "floor_supervisor", _("Floor supervisor")
    PIT_BOSS = "pit_boss", _("Pit boss")
    CAGE_CASHIER = "cage_cashier", _("Cage cashier")
    SURVEILLANCE = "surveillance", _("Surveillance")
    AUDITOR = "auditor", _("Auditor")
    ADMIN = "admin", _("Administrator")
    COUNT_TEAM = "count_team", _("Count team")
    RUNNER = "runner", _("Runner")


class SignerGroup(models.TextChoices):
    """In what capacity a document is signed; a person signs in one only (SOD-01)."""

    FLOOR = "floor", _("Floor")
    APPROVER = "approver", _("Approver")
    CAGE = "cage", _("Cage")
    CARRIER = "carrier", _("Carrier")
    DEALER = "dealer", _("Dealer")
    REVIEWER = "reviewer", _("Reviewer")


class SigningMethod(models.TextChoices):
    """How a person proved to be the one who signs."""

    PIN = "pin", _("PIN at an enrolled device")
    PASSWORD = "password", _("Password at a console")


TABLET_ROLES: Final = frozenset({Role.DEALER, Role.FLOOR_SUPERVISOR})
"""Who may sign in at a table tablet."""

CONSOLE_ROLES: Final = frozenset(Role) - {Role.DEALER, Role.COUNT_TEAM, Role.RUNNER}
"""Who may sign in at a console; dealers have tablets, count team and runner only sign."""
