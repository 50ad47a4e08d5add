"""Pits and tables stand before anything is played; what rules a table plays, a pit boss signs."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from casino.properties.models import Property
from casino.staff.actors import Actor, Signer
from casino.staff.roles import SignerGroup
from casino.staff.services import audit
from casino.staff.services.signatures import sign
from tables.errors import FurnishingError
from tables.floor import locks
from tables.floor.models import Pit, RuleProfile, Table
from tables.floor.permissions import Act, Signing, require_role, require_signer
from tables.floor.services.limits import set_limits

LONGEST_CODE: Final = 20
MOST_SEATS: Final = 12


def add_pit(*, property: Property, code: str, name: str, actor: Actor, at: datetime) -> Pit:
    """Add a pit.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        FurnishingError: no code or name, or the code stands already.
    """
    require_role(actor, Act.FURNISH_FLOOR)
    require_code(code)
    if not 0 < len(name.strip()) <= 80:
        raise FurnishingError(_("Give a name of up to 80 characters."), pointer="/name")
    with transaction.atomic():
        locks.property_(property.pk)
        if Pit.objects.filter(property=property, code=code).exists():
            raise already(code)
        pit = Pit.objects.create(property=property, code=code, name=name.strip())
        audit.record(
            actor=actor,
            action="pit.added",
            subject=f"pit:{pit.pk}",
            property_id=property.pk,
            at=at,
            after={"code": pit.code, "name": pit.name},
        )
    return pit


def add_table(
    *,
    pit: Pit,
    code: str,
    seats: int,
    chip_set_id: int,
    profile: RuleProfile,
    wager_min: int,
    wager_max: int,
    wager_increment: int,
    actor: Actor,
    pit_boss: Signer,
    at: datetime,
) -> Table:
    """Add a table to *pit*; the pit boss signs its rules and sets its limits, in minor units.

    Raises:
        AmountError: limits that no table can have.
        RoleError, SegregationError: it is another role's to do or to sign.
        FurnishingError: no code, the code stands already, or no such number of seats.
    """
    require_role(actor, Act.FURNISH_FLOOR)
    require_code(code)
    if not 1 <= seats <= MOST_SEATS:
        raise FurnishingError(
            _("A table has 1 to %(most)d seats.") % {"most": MOST_SEATS}, pointer="/seats"
        )
    with transaction.atomic():
        locks.property_(pit.property_id)
        if Table.objects.filter(property_id=pit.property_id, code=code).exists():
            raise already(code)
        table = Table.objects.create(
            property_id=pit.property_id,
            pit=pit,
            code=code,
            profile=profile,
            chip_set_id=chip_set_id,
            seats=seats,
        )
        audit.record(
            actor=actor,
            action="table.added",
            subject=table.ref,
            property_id=table.property_id,
            at=at,
            after={"code": code, "pit": pit.code, "seats": seats},
        )
        activate_profile(table_id=table.pk, profile=profile, actor=actor, pit_boss=pit_boss, at=at)
        set_limits(
            table=table,
            wager_min=wager_min,
            wager_max=wager_max,
            wager_increment=wager_increment,
            actor=pit_boss.actor,
            at=at,
        )
    return table


def activate_profile(
    *, table_id: int, profile: RuleProfile, actor: Actor, pit_boss: Signer, at: datetime
) -> Table:
    """Let the next session of the table freeze *profile*; one that runs keeps its own.

    Raises:
        RoleError, SegregationError: it is another role's to do or to sign.
    Source:
        table-operations.md 15: the administrator creates, the pit boss signs the activation.
    """
    require_role(actor, Act.PUBLISH_PROFILE)
    require_signer(pit_boss, Signing.ACTIVATE_PROFILE, pointer="/pit_boss")
    with transaction.atomic():
        table = locks.table(table_id)
        assert profile.property_id == table.property_id, "a profile of this house"
        before, table.profile = table.profile, profile
        table.save(update_fields=["profile"])
        sign(
            signer=pit_boss,
            document=f"{table.ref}:rule_profile:{profile.pk}",
            group=SignerGroup.APPROVER,
            content={"table": table.code, "profile": str(profile), "digest": profile.digest},
            at=at,
        )
        audit.record(
            actor=actor,
            action="table.rules_activated",
            subject=table.ref,
            property_id=table.property_id,
            at=at,
            before={"profile": str(before), "digest": before.digest},
            after={"profile": str(profile), "digest": profile.digest},
            approver=str(pit_boss.actor),
        )
    return table


def require_code(code: str) -> None:
    """Refuse a code that nobody could type: empty, long, or with blanks."""
    if not 0 < len(code) <= LONGEST_CODE or not code.isprintable() or " " in code:
        raise FurnishingError(
            _("A code is 1 to %(most)d characters without a blank.") % {"most": LONGEST_CODE},
            pointer="/code",
        )


def already(code: str) -> FurnishingError:
    """Return the refusal of a *code* that stands already."""
    return FurnishingError(_("%(code)s stands already.") % {"code": code}, pointer="/code")
