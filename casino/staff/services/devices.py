"""Tablets become ours by an address that works once, and stop being ours at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from casino.properties.models import Property
from casino.staff.actors import Actor, system_actor
from casino.staff.errors import EnrolmentError
from casino.staff.models import Device, Enrolment
from casino.staff.services import audit
from casino.staff.tokens import hashed, make_secret

ENROLMENT_LASTS: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolled:
    """A device and the secret for its cookie, which is told this once."""

    device: Device
    secret: str


def make_enrolment(
    *, property: Property, place: str, name: str, at: datetime, actor: Actor | None = None
) -> str:
    """Return the token of an address `/tablet/enrol/<token>` that enrols a tablet at *place*.

    In a sandbox the address works again and again; elsewhere once, within 24 hours.

    Args:
        place: where the tablet stands, by name: `table:3`.
        actor: who enrols; the service itself where nobody is named.
    """
    token = make_secret()
    with transaction.atomic():
        enrolment = Enrolment.objects.create(
            property=property,
            name=name,
            place=place,
            token_hash=hashed(token),
            made_at=at,
            expires_at=None if property.is_sandbox else at + ENROLMENT_LASTS,
        )
        audit.record(
            actor=actor or system_actor(name="enrolment", property_id=property.pk),
            action="enrolment.made",
            subject=f"enrolment:{enrolment.pk}",
            property_id=property.pk,
            at=at,
            after={"name": name, "place": place},
        )
    return token


def enrol(*, token: str, at: datetime) -> Enrolled:
    """Enrol the device that opened the address of *token*.

    Raises:
        EnrolmentError: the address is unknown, was used, or is too old.
    """
    with transaction.atomic():
        enrolment = _use(token=token, at=at)
        secret = make_secret()
        device = Device.objects.create(
            property=enrolment.property,
            name=enrolment.name,
            place=enrolment.place,
            token_hash=hashed(secret),
            enrolled_at=at,
        )
        audit.record(
            actor=system_actor(name="enrolment", property_id=device.property_id),
            action="device.enrolled",
            subject=f"device:{device.pk}",
            property_id=device.property_id,
            at=at,
            after={
                "name": device.name,
                "place": device.place,
                "enrolment": f"enrolment:{enrolment.pk}",
            },
        )
    return Enrolled(device=device, secret=secret)


def revoke_device(*, device: Device, actor: Actor, reason: str, at: datetime) -> None:
    """Make *device* nobody from the next request on, with whoever is signed in there.

    A second call changes nothing.
    """
    with transaction.atomic():
        revoked = Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=at)
        if revoked:
            audit.record(
                actor=actor,
                action="device.revoked",
                subject=f"device:{device.pk}",
                property_id=device.property_id,
                at=at,
                reason=reason,
            )


def revoke_place(*, property: Property, place: str, actor: Actor, reason: str, at: datetime) -> int:
    """Revoke every device at *place* (`table:3`) and return how many there were."""
    with transaction.atomic():
        devices = list(Device.objects.filter(property=property, place=place, revoked_at=None))
        for device in devices:
            revoke_device(device=device, actor=actor, reason=reason, at=at)
    return len(devices)


def _use(*, token: str, at: datetime) -> Enrolment:
    enrolment = (
        Enrolment.objects.select_related("property").filter(token_hash=hashed(token)).first()
    )
    if enrolment is None:
        raise EnrolmentError(_("This enrolment address is not known."))
    if enrolment.expires_at is None:
        if not enrolment.property.is_sandbox:
            raise EnrolmentError(_("This enrolment address was made in a sandbox."))
        return enrolment
    if enrolment.expires_at <= at:
        raise EnrolmentError(_("This enrolment address is too old; ask for a new one."))
    # One statement decides between two tablets that open one address at the same moment.
    if not Enrolment.objects.filter(pk=enrolment.pk, used_at=None).update(used_at=at):
        raise EnrolmentError(_("This enrolment address was used already; ask for a new one."))
    return enrolment
