"""A chip set with its denominations; a change of what is in service is an act of the vault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from casino.properties.models import Property
from casino.staff.actors import Actor
from casino.staff.services import audit
from tables.chips.models import ChipSet, Denomination, DenominationKind
from tables.errors import FurnishingError
from tables.floor import locks
from tables.floor.guards import require_amount
from tables.floor.permissions import Act, require_role
from tables.floor.services.furnishing import already, require_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One face value of a set, in minor units."""

    value: int
    kind: DenominationKind
    colour: str
    in_service: int
    """How many pieces the house has had made and not destroyed."""


def add_chip_set(
    *, property: Property, code: str, pieces: Sequence[Piece], actor: Actor, at: datetime
) -> ChipSet:
    """Add a chip set with all its denominations.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        FurnishingError: no denomination, one of them twice, or the code stands already.
        AmountError: a face value that is not above zero.
    """
    require_role(actor, Act.FURNISH_FLOOR)
    require_code(code)
    if not pieces:
        raise FurnishingError(_("A chip set has denominations."), pointer="/denominations")
    for piece in pieces:
        require_amount(piece.value, pointer="/denominations")
        if piece.in_service < 0 or not 0 < len(piece.colour) <= 20:
            raise FurnishingError(
                _("A denomination has a colour and a number of pieces."), pointer="/denominations"
            )
    if len({piece.value for piece in pieces}) < len(pieces):
        raise FurnishingError(_("A face value stands twice."), pointer="/denominations")
    with transaction.atomic():
        locks.property_(property.pk)
        if ChipSet.objects.filter(property=property, code=code).exists():
            raise already(code)
        chip_set = ChipSet.objects.create(property=property, code=code)
        Denomination.objects.bulk_create(
            Denomination(
                chip_set=chip_set,
                value=piece.value,
                kind=piece.kind,
                colour=piece.colour,
                pieces_in_service=piece.in_service,
            )
            for piece in pieces
        )
        audit.record(
            actor=actor,
            action="chip_set.added",
            subject=f"chip_set:{chip_set.pk}",
            property_id=property.pk,
            at=at,
            after={"code": code, "pieces": {str(each.value): each.in_service for each in pieces}},
        )
    return chip_set
