"""Who is employed, and from when: the row commits with its audit row."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from casino.properties.models import Property
from casino.staff.actors import Actor
from casino.staff.errors import EmploymentError
from casino.staff.models import Employee
from casino.staff.pins import is_pin
from casino.staff.roles import Role
from casino.staff.services import audit

SHORTEST_PASSWORD = 10


def employ(
    *,
    property: Property,
    number: str,
    name: str,
    roles: tuple[Role, ...],
    pin: str | None,
    password: str | None,
    actor: Actor,
    at: datetime,
) -> Employee:
    """Employ a person under a *number* that nobody has had; the audit row keeps no secret.

    Raises:
        EmploymentError: the number is taken, no name, no role, no way to sign in, or a PIN or
            password that is too easy.
    """
    _require_secrets(pin=pin, password=password)
    if not name.strip():
        raise EmploymentError("a person has a name", pointer="/name")
    if not roles:
        raise EmploymentError("a person has at least one role", pointer="/roles")
    if Employee.objects.filter(number=Employee.objects.normalize_number(number)).exists():
        raise EmploymentError(f"{number} is somebody's number already", pointer="/number")
    with transaction.atomic():
        employee = Employee.objects.create_employee(
            property=property,
            number=number,
            name=name.strip(),
            roles=roles,
            pin=pin,
            password=password,
        )
        audit.record(
            actor=actor,
            action="employee.employed",
            subject=f"employee:{employee.pk}",
            property_id=property.pk,
            at=at,
            after={
                "number": employee.number,
                "name": employee.name,
                "roles": sorted(roles),
                "signs_in_by": [
                    way
                    for way, secret in (("pin", pin), ("password", password))
                    if secret is not None
                ],
            },
        )
    return employee


def _require_secrets(*, pin: str | None, password: str | None) -> None:
    if pin is None and password is None:
        raise EmploymentError("a person signs in by a PIN or by a password", pointer="/pin")
    if pin is not None and not is_pin(pin):
        raise EmploymentError("a PIN is 4 to 8 digits", pointer="/pin")
    if password is not None and len(password) < SHORTEST_PASSWORD:
        raise EmploymentError(
            f"a password has at least {SHORTEST_PASSWORD} characters", pointer="/password"
        )
