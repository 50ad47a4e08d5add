"""Who stands at the door: by PIN at a tablet, by password at a console, never the other way."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.http import HttpRequest

from casino.staff.models import Device, Employee
from casino.staff.selectors import full_number
from casino.staff.services.credentials import prove_by_password, prove_by_pin

REFUSED: Final = "sign_in.refused"


def know_at_tablet(
    *, request: HttpRequest, device: Device, number: str, pin: str, at: datetime
) -> Employee:
    """Return the person whose number (or its digits) and PIN these are.

    Raises:
        CredentialsError: the number or the PIN is not right.
        LockedError: five wrong tries for this number.
    """
    return prove_by_pin(
        request=request,
        number=full_number(device.property_id, number),
        pin=pin,
        device=device,
        action=REFUSED,
        at=at,
    )


def know_at_console(*, request: HttpRequest, number: str, password: str, at: datetime) -> Employee:
    """Return the person whose number and password these are.

    Raises:
        CredentialsError: the number or the password is not right.
        LockedError: five wrong tries for this number.
    """
    return prove_by_password(
        request=request,
        number=Employee.objects.normalize_number(number),
        password=password,
        action=REFUSED,
        at=at,
    )
