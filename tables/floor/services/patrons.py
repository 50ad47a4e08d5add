"""A patron whom the house does not know yet gets a description, and a reference that stays."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from casino.staff.actors import Actor
from casino.staff.services import audit
from tables.errors import SeatError
from tables.floor.models import Patron
from tables.floor.permissions import Act, require_role

WALK_IN: Final = "walk-in-"
LONGEST_NAME: Final = 80


def describe_patron(
    *, property_id: int, description: str, key: UUID, actor: Actor, at: datetime
) -> Patron:
    """Return the patron who is known by *description* alone ("grey hat, seat 3").

    Args:
        key: makes the reference; the same key twice is one patron.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        SeatError: no description, or more than a few words.
    """
    require_role(actor, Act.SEAT_PATRON)
    name = description.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise SeatError(_("Describe the patron in a few words."), pointer="/description")
    with transaction.atomic():
        patron, created = Patron.objects.get_or_create(
            property_id=property_id, ref=f"{WALK_IN}{key.hex}", defaults={"name": name}
        )
        if created:
            audit.record(
                actor=actor,
                action="patron.described",
                subject=f"patron:{patron.pk}",
                property_id=property_id,
                at=at,
                after={"name": name},
            )
    return patron
