"""Step-up: another person signs where somebody is signed in, who stays signed in."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from casino.staff.actors import Signer
from casino.staff.errors import CredentialsError, DeviceError, RoleError
from casino.staff.models import Device, Employee
from casino.staff.roles import Role, SigningMethod
from casino.staff.selectors import full_number
from casino.staff.services.credentials import prove_by_password, prove_by_pin
from casino.staff.services.roles import choose_role

__all__ = ["Signer", "verify_console_signer", "verify_signer"]

REFUSED: Final = "signer.refused"
NO_DEVICE: Final = _lazy("A PIN counts only at an enrolled tablet, and this is none.")


def verify_signer(
    *,
    property_id: int,
    number: str,
    pin: str,
    role: Role,
    device_id: int | None,
    at: datetime,
) -> Signer:
    """Return the person who signs at a tablet, proved by number and PIN.

    Call it outside any transaction and before `once`: wrong tries count toward the lock of the
    number whatever becomes of the act.

    Args:
        number: as on the badge, or its digits alone.
        role: the role in which the document wants a signature.

    Raises:
        DeviceError: no enrolled device of this property.
        CredentialsError: the number or the PIN is not right.
        LockedError: five wrong tries.
        RoleError: the person does not hold *role*.
        SegregationError: SOD-10, the person works in another role in this shift.
    """
    device = _live_device(property_id=property_id, device_id=device_id)
    employee = prove_by_pin(
        request=HttpRequest(),
        number=full_number(property_id, number),
        pin=pin,
        device=device,
        action=REFUSED,
        at=at,
    )
    return _signer(employee, role=role, method=SigningMethod.PIN, device_id=device.pk, at=at)


def verify_console_signer(
    *, property_id: int, number: str, password: str, role: Role, at: datetime
) -> Signer:
    """Return the person who signs at a console, proved by number and password.

    Call it outside any transaction, as `verify_signer`, which names what it raises.
    """
    if role is Role.DEALER:
        raise RoleError(_("A dealer signs at a table tablet."), pointer="/role")
    employee = prove_by_password(
        request=HttpRequest(),
        number=Employee.objects.normalize_number(number),
        password=password,
        action=REFUSED,
        at=at,
    )
    if employee.property_id != property_id:
        raise CredentialsError(_("The number or the password is not right."), pointer="/password")
    return _signer(employee, role=role, method=SigningMethod.PASSWORD, device_id=None, at=at)


def _live_device(*, property_id: int, device_id: int | None) -> Device:
    if device_id is None:
        raise DeviceError(str(NO_DEVICE))
    device = Device.objects.filter(pk=device_id, property_id=property_id, revoked_at=None).first()
    if device is None:
        raise DeviceError(str(NO_DEVICE))
    return device


def _signer(
    employee: Employee, *, role: Role, method: SigningMethod, device_id: int | None, at: datetime
) -> Signer:
    choose_role(employee=employee, role=role, at=at)
    return Signer(
        employee_id=employee.pk,
        number=employee.number,
        role=role,
        method=method,
        device_id=device_id,
        property_id=employee.property_id,
    )
