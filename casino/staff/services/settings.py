"""A property opens, and its settings change, with an audit row of who did it and who approved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

from django.db import transaction

from casino.properties import services
from casino.properties.catalogue import JSON
from casino.properties.errors import PropertyCodeError
from casino.properties.models import Property, Setting
from casino.properties.selectors import get_setting
from casino.staff.actors import Actor, Signer, system_actor
from casino.staff.services import audit


def open_property(
    *,
    code: str,
    name: str,
    time_zone: str,
    currency: str,
    day_start: time,
    languages: Sequence[str],
    shifts: dict[str, time],
    operator: str,
    at: datetime,
) -> Property:
    """Open a property, as `system:` *operator*; see `casino.properties.services.open_property`.

    Raises:
        PropertyCodeError: a property of that code stands already.
        CalendarError: a zone, day start or shift table that no clock can follow.
    """
    if Property.objects.filter(code=code).exists():
        raise PropertyCodeError(f"there is a property {code!r} already", pointer="/code")
    with transaction.atomic():
        property = services.open_property(
            code=code,
            name=name,
            time_zone=time_zone,
            currency=currency,
            day_start=day_start,
            languages=languages,
            shifts=shifts,
            at=at,
        )
        audit.record(
            actor=system_actor(name=operator, property_id=property.pk),
            action="property.opened",
            subject=f"property:{property.pk}",
            property_id=property.pk,
            at=at,
            after={"code": code, "name": name, "time_zone": time_zone, "currency": currency},
        )
    return property


def change_setting(
    *,
    property: Property,
    name: str,
    value: JSON,
    scope: str,
    effective_from: date,
    actor: Actor,
    approver: Signer | None,
    at: datetime,
) -> Setting:
    """Change a setting; see `casino.properties.services.set_setting` for what is refused."""
    with transaction.atomic():
        before = get_setting(property.pk, name, day=effective_from, scope=scope)
        approved_by = str(approver.actor) if approver else ""
        setting = services.set_setting(
            property=property,
            name=name,
            value=value,
            scope=scope,
            effective_from=effective_from,
            set_by=str(actor),
            approved_by=approved_by,
            at=at,
        )
        facts = {"name": name, "scope": scope, "effective_from": effective_from.isoformat()}
        audit.record(
            actor=actor,
            action="setting.changed",
            subject=f"setting:{setting.pk}",
            property_id=property.pk,
            at=at,
            before={**facts, "value": before},
            after={**facts, "value": value},
            approver=approved_by,
        )
    return setting
