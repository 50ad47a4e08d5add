"""Limits of a table: dated rows, in force from the next round on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from casino.staff.actors import Actor
from casino.staff.services import audit
from tables.errors import AmountError
from tables.floor import guards, locks
from tables.floor.models import Table, TableLimits
from tables.floor.permissions import Act, require_role

TICK: Final = timedelta(microseconds=1)
"""The least by which two moments differ."""


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
        RoleError, SegregationError: it is another role's to do.
        AmountError: an amount is not above zero, the maximum is below the minimum, or one of
            them is no multiple of the increment, so that nobody could wager it.
    """
    require_role(actor, Act.CHANGE_LIMITS)
    _require_sensible(wager_min=wager_min, wager_max=wager_max, wager_increment=wager_increment)
    with transaction.atomic():
        locks.table(table.pk)
        newest = table.limits.order_by("-effective_at").first()
        # Clocks of two servers may disagree: what is decided later holds later.
        effective_at = at if newest is None else max(at, newest.effective_at + TICK)
        limits = TableLimits.objects.create(
            table=table,
            wager_min=wager_min,
            wager_max=wager_max,
            wager_increment=wager_increment,
            effective_at=effective_at,
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


def _require_sensible(*, wager_min: int, wager_max: int, wager_increment: int) -> None:
    amounts = {"wager_min": wager_min, "wager_max": wager_max, "wager_increment": wager_increment}
    for name, amount in amounts.items():
        guards.require_amount(amount, pointer=f"/{name}")
    if wager_max < wager_min:
        raise AmountError(_("The maximum is below the minimum."), pointer="/wager_max")
    for name in ("wager_min", "wager_max"):
        if amounts[name] % wager_increment:
            raise AmountError(_("This is no multiple of the increment."), pointer=f"/{name}")
