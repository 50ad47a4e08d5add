"""A wrong try is counted and written down even where the act it was meant for never happens."""

from __future__ import annotations

import logging
import re
from datetime import datetime
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_cool_off, get_failure_limit
from axes.models import AccessAttempt
from django.contrib.auth import authenticate
from django.db import connection, transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from casino.staff.actors import system_actor
from casino.staff.errors import CredentialsError, LockedError
from casino.staff.models import NUMBER_FORM, Device, Employee
from casino.staff.services import audit

logger = logging.getLogger(__name__)


def prove_by_pin(
    *, request: HttpRequest, number: str, pin: str, device: Device, action: str, at: datetime
) -> Employee:
    """Return whose number and PIN these are; see `_prove`."""
    return _prove(
        request=request,
        number=number,
        wrong=CredentialsError(_("The number or the PIN is not right."), pointer="/pin"),
        action=action,
        device=device,
        at=at,
        pin_secret=pin,
    )


def prove_by_password(
    *, request: HttpRequest, number: str, password: str, action: str, at: datetime
) -> Employee:
    """Return whose number and password these are; see `_prove`."""
    return _prove(
        request=request,
        number=number,
        wrong=CredentialsError(_("The number or the password is not right."), pointer="/password"),
        action=action,
        device=None,
        at=at,
        password=password,
    )


def _prove(
    *,
    request: HttpRequest,
    number: str,
    wrong: CredentialsError,
    action: str,
    device: Device | None,
    at: datetime,
    **secret: str,
) -> Employee:
    """Return the employee whom *number* and *secret* prove.

    Must be called outside any transaction: a wrong try has to be counted though the act for which
    somebody tried to sign is refused and rolled back.

    Args:
        action: what the audit trail calls a refusal here: `sign_in.refused`.

    Raises:
        CredentialsError: *wrong*, the number or the secret is not right.
        LockedError: five wrong tries; the right secret is refused as well.
        RuntimeError: there is a transaction around the call.
    """
    if re.fullmatch(NUMBER_FORM, number) is None:
        # Nobody can have it, so there is nobody to protect and nothing to count.
        raise wrong
    credentials: dict[str, Any] = {"number": number, **secret}
    if device is not None:
        credentials["device"] = device
    _tell_axes_the_time(request, at)
    with transaction.atomic(durable=True):
        _wait_for_other_tries(number)
        found = authenticate(request, **credentials)
        # Our own answer tells of the lock; the middleware of axes would replace it by another.
        request.axes_locked_out = False  # type: ignore[attr-defined]  # set and read by axes
        if isinstance(found, Employee):
            return found
        _record_refusal(number=number, action=action, device=device, at=at)
        until = locked_until(number, request=request, at=at)
    _log_refusal(number=number, action=action, device=device, is_locked=until is not None)
    raise wrong if until is None else LockedError(number, until=until, at=at)


def _wait_for_other_tries(number: str) -> None:
    # Tries that run side by side would each find fewer than five wrong ones before them.
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"staff_try {number}"]
        )


def _tell_axes_the_time(request: HttpRequest, at: datetime) -> None:
    AxesProxyHandler.update_request(request)
    request.axes_attempt_time = at  # type: ignore[attr-defined]  # axes counts from it


def locked_until(number: str, *, request: HttpRequest, at: datetime) -> datetime | None:
    """Return when *number* may be tried again; None if it may be tried now.

    Wrong tries are counted by device and browser; the lock ends when those that are recent enough
    fall below the limit together.
    """
    cool_off = get_cool_off(request)
    assert cool_off is not None, "AXES_COOLOFF_TIME is set"
    failures = 0
    recent = AccessAttempt.objects.filter(username=number, attempt_time__gt=at - cool_off)
    for attempt in recent.order_by("-attempt_time"):
        failures += attempt.failures_since_start
        if failures >= get_failure_limit(request, {"number": number}):
            ends: datetime = attempt.attempt_time + cool_off
            return ends
    return None


def _log_refusal(*, number: str, action: str, device: Device | None, is_locked: bool) -> None:
    # What was typed is left out unless somebody has it: it may be most of a PIN.
    is_known = Employee.objects.filter(number=number).exists()
    logger.warning(
        "%s: %s at %s%s",
        action,
        number if is_known else "an unknown number",
        f"device {device.pk}" if device else "a console",
        ", locked" if is_locked else "",
    )


def _record_refusal(*, number: str, action: str, device: Device | None, at: datetime) -> None:
    employee = Employee.objects.filter(number=number).first()
    place = device or employee
    if place is None:
        # An unknown number at a console belongs to no property's trail; axes keeps its tries.
        return
    is_ours = employee is not None and employee.property_id == place.property_id
    # Whoever it was has not proved to be anyone, so the place they tried at is all we know.
    audit.record(
        actor=system_actor(
            name=f"device-{device.pk}" if device else "console", property_id=place.property_id
        ),
        action=action,
        subject=f"employee:{employee.pk}" if employee and is_ours else f"number:{number}",
        property_id=place.property_id,
        at=at,
    )
