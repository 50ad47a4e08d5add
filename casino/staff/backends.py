"""Two ways to be known, and nothing between: a PIN at an enrolled tablet, a password elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.hashers import check_password
from django.http import HttpRequest
from typing_extensions import override

from casino.staff.models import Device, Employee
from casino.staff.pins import is_pin

NO_HASH = ""
"""Checking against it costs as much time as a real one, and never succeeds."""


class EmployeeBackend(BaseBackend):
    """What both ways share: only those who still work here are anybody."""

    @override
    def get_user(self, user_id: int) -> Employee | None:
        # The property is read at every page: for the gaming day, the shift and the currency.
        return (
            Employee.objects.select_related("property").filter(pk=user_id, is_active=True).first()
        )


class PinBackend(EmployeeBackend):
    """Number and PIN at an enrolled device of the employee's own property."""

    @override
    def authenticate(  # type: ignore[override]  # Django picks a backend by its keywords
        self, request: HttpRequest | None, *, number: str, pin_secret: str, device: Device | None
    ) -> Employee | None:
        """Return the employee, or None; the keyword is `pin_secret` so that Django masks it."""
        if device is None or device.revoked_at is not None:
            return None
        employee = Employee.objects.filter(
            number=number, property_id=device.property_id, is_active=True
        ).first()
        if employee is None or not is_pin(pin_secret):
            check_password(pin_secret, NO_HASH)
            return None
        return employee if employee.has_pin(pin_secret) else None


class PasswordBackend(EmployeeBackend):
    """Number and password."""

    @override
    def authenticate(  # type: ignore[override]  # Django picks a backend by its keywords
        self, request: HttpRequest | None, *, number: str, password: str
    ) -> Employee | None:
        """Return the employee, or None."""
        employee = Employee.objects.filter(number=number, is_active=True).first()
        if employee is None:
            check_password(password, NO_HASH)
            return None
        return employee if employee.check_password(password) else None


def sign_in_name(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """Return the number whose wrong tries are counted, whichever way and device they came by."""
    source: Mapping[str, Any] = credentials or request.POST
    return Employee.objects.normalize_number(str(source.get("number") or ""))
