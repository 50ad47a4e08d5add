"""Who acts, as a value: the ledger, the audit trail and events name actors by its string."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from typing_extensions import override


class ActorKind(StrEnum):
    """What kind of being acts."""

    EMPLOYEE = "employee"
    CLIENT = "client"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """One who acts in one property; `str()` gives the name that other records keep."""

    kind: ActorKind
    ref: str
    """The employee's key, the client's name, or what part of the system acts by itself."""
    role: str
    """The role in which an employee works; empty for programs."""
    property_id: int
    device_id: int | None = None
    employee_id: int | None = None

    @override
    def __str__(self) -> str:
        return f"{self.kind}:{self.ref}"


def employee_actor(
    *, employee_id: int, role: str, property_id: int, device_id: int | None
) -> Actor:
    """Return the actor `employee:12`, working in *role*."""
    return Actor(
        kind=ActorKind.EMPLOYEE,
        ref=str(employee_id),
        role=role,
        property_id=property_id,
        device_id=device_id,
        employee_id=employee_id,
    )


def client_actor(*, name: str, property_id: int) -> Actor:
    """Return the actor `client:cage-1`, a program that came through the API."""
    return Actor(kind=ActorKind.CLIENT, ref=name, role="", property_id=property_id)


def system_actor(*, name: str, property_id: int) -> Actor:
    """Return the actor `system:settlement`, a part of the service that nobody asked."""
    return Actor(kind=ActorKind.SYSTEM, ref=name, role="", property_id=property_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """A person who has just proved to be the one who signs, in one role."""

    employee_id: int
    number: str
    role: str
    method: str
    device_id: int | None
    property_id: int

    @property
    def actor(self) -> Actor:
        """Return the signer as the one who acts."""
        return employee_actor(
            employee_id=self.employee_id,
            role=self.role,
            property_id=self.property_id,
            device_id=self.device_id,
        )
