"""One person works in one role for a whole shift; the choice is written once (SOD-10)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from casino.properties.selectors import shift_at
from casino.staff.errors import RoleError, SegregationError
from casino.staff.models import Employee, RoleChoice
from casino.staff.roles import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenRole:
    """The role of one person, and the end of the shift for which it was chosen."""

    role: Role
    until: datetime


def choose_role(*, employee: Employee, role: Role, at: datetime) -> ChosenRole:
    """Let *employee* work in *role* during the shift of *at*; the same choice may be repeated.

    Raises:
        RoleError: the person does not hold the role.
        SegregationError: SOD-10, another role was chosen in this shift.
    """
    if role not in employee.held_roles():
        raise RoleError(
            _("%(number)s is not employed as %(role)s.")
            % {"number": employee.number, "role": role.label},
            pointer="/role",
        )
    shift = shift_at(employee.property, at)
    choice, _is_new = RoleChoice.objects.get_or_create(
        employee=employee,
        gaming_day=shift.gaming_day,
        shift=shift.name,
        defaults={"role": role, "chosen_at": at},
    )
    if choice.role != role:
        raise SegregationError(
            _("%(number)s works as %(chosen)s in this shift and cannot be %(role)s too.")
            % {
                "number": employee.number,
                "chosen": Role(choice.role).label,
                "role": role.label,
            },
            rule="SOD-10",
        )
    return ChosenRole(role=role, until=shift.ends_at)


def find_chosen_role(*, employee: Employee, at: datetime) -> Role | None:
    """Return the role that *employee* has chosen for the shift of *at*, if any."""
    shift = shift_at(employee.property, at)
    choice = RoleChoice.objects.filter(
        employee=employee, gaming_day=shift.gaming_day, shift=shift.name
    ).first()
    return Role(choice.role) if choice else None
