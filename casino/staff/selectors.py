"""Who and what is known: employees, devices, signatures, audit rows; reads only."""

from __future__ import annotations

from django.db.models import QuerySet

from casino.staff.models import AuditRow, Device, Employee, Signature
from casino.staff.tokens import hashed


def find_device(secret: str) -> Device | None:
    """Return the enrolled device that holds *secret*; a revoked one is nobody."""
    return (
        Device.objects.select_related("property")
        .filter(token_hash=hashed(secret), revoked_at=None)
        .first()
    )


def full_number(property_id: int, typed: str) -> str:
    """Return the employee number that was meant, from a keypad without letters too.

    Digits alone mean the one active employee of the property whose number ends with them
    (`210` is `DL-210`); where there are several, or none, they stay what they are.
    """
    number = Employee.objects.normalize_number(typed)
    if not (number.isascii() and number.isdigit()):
        return number
    ending = Employee.objects.filter(
        property_id=property_id, is_active=True, number__endswith=f"-{number}"
    )
    found = list(ending.values_list("number", flat=True)[:2])
    return found[0] if len(found) == 1 else number


def list_signatures(property_id: int, document: str) -> QuerySet[Signature]:
    """Return the signatures under *document*, the oldest first."""
    return (
        Signature.objects.filter(property_id=property_id, document=document)
        .select_related("employee")
        .order_by("id")
    )


def list_audit_rows(property_id: int, subject: str) -> QuerySet[AuditRow]:
    """Return what was done to *subject*, the oldest first."""
    return AuditRow.objects.filter(property_id=property_id, subject=subject).order_by("id")
