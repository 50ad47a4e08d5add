"""Limits of a table: dated rows, in force from the next round on."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from casino.staff.actors import Actor
from casino.staff.services import audit
from tables.floor import guards
from tables.floor.models import Table, TableLimits


def set_limits(
    *,
    table: Table,
    wager_min: int,
    wager_max: int,
    wager_increment: int,
    actor: Actor,
    at: datetime,
) -> TableLimits:
    """Put new limits in force from *at*, in minor units; a round that runs keeps its own.

    Raises:
        AmountError: an amount is not above zero, or the maximum is below the minimum.
    """
    guards.require_amount(wager_min, pointer="/wager_min")
    guards.require_amount(wager_increment, pointer="/wager_increment")
    guards.require_amount(wager_max - wager_min + 1, pointer="/wager_max")
    with transaction.atomic():
        limits = TableLimits.objects.create(
            table=table,
            wager_min=wager_min,
            wager_max=wager_max,
            wager_increment=wager_increment,
            effective_at=at,
            set_by=str(actor),
        )
        audit.record(
            actor=actor,
            action="table.limits_changed",
            subject=table.ref,
            property_id=table.property_id,
            at=at,
            after={"min": wager_min, "max": wager_max, "increment": wager_increment},
        )
    return limits
