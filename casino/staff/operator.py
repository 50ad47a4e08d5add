"""What a command line asks of whoever runs the service: it names who acts, and proves a second.

Whoever has the shell acts as `system:operator`, or names an employee by `--by`. Somebody else,
where two are needed, types their own password: a name alone would be no second person.
"""

from __future__ import annotations

import getpass
import re
import sys
from abc import abstractmethod
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, ClassVar, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import HttpRequest
from django.utils.timezone import now
from typing_extensions import override

from casino.properties.models import Property
from casino.staff.actors import Actor, Signer, employee_actor, system_actor
from casino.staff.models import NUMBER_FORM, Employee
from casino.staff.roles import Role, SigningMethod
from casino.staff.services.credentials import prove_by_password
from casino.web.errors import Refusal

OPERATOR: Final = "operator"


class OperatorCommand(BaseCommand):
    """A command over services: what they refuse is one sentence that names the argument."""

    arguments: ClassVar[Mapping[str, str]] = {}
    """Pointer of a refusal → the argument that it came from; others go by their own name."""

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.act(options, at=now())
        except Refusal as refusal:
            raise CommandError(self._sentence(refusal)) from refusal

    @abstractmethod
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        """Do what the command line asks for, and write what the operator must know."""

    def _sentence(self, refusal: Refusal) -> str:
        pointer = refusal.pointer
        if not pointer:
            return refusal.detail
        name = self.arguments.get(pointer, pointer.strip("/").replace("/", "."))
        return f"{name}: {refusal.detail}"


def add_property_argument(parser: CommandParser) -> None:
    """Let the command line name the property."""
    parser.add_argument("property", help="the property's code: jade-harbour")


def add_by_argument(parser: CommandParser) -> None:
    """Let the command line name who acts."""
    parser.add_argument(
        "--by", metavar="NUMBER", help="the employee who acts; else system:operator"
    )


def find_property(code: str) -> Property:
    """Return the property of that *code*, or end the command."""
    found = Property.objects.filter(code=code).first()
    if found is None:
        raise CommandError(f"property: there is no property {code!r}")
    return found


def find_employee(property: Property, number: str, *, argument: str) -> Employee:
    """Return who works at *property* under that *number*, or end the command."""
    found = Employee.objects.filter(
        property=property, number=Employee.objects.normalize_number(number), is_active=True
    ).first()
    if found is None:
        raise CommandError(f"{argument}: nobody works at {property.code} as {number!r}")
    return found


def acting(property: Property, by: str | None, roles: Collection[Role]) -> Actor:
    """Return who acts: the operator, or the employee *by*, who must hold one of *roles*."""
    if by is None:
        return system_actor(name=OPERATOR, property_id=property.pk)
    employee = find_employee(property, by, argument="--by")
    return employee_actor(
        employee_id=employee.pk,
        role=_role_of(employee, roles, argument="--by"),
        property_id=property.pk,
        device_id=None,
    )


def second_person(
    property: Property,
    number: str,
    roles: Collection[Role],
    *,
    argument: str,
    other_than: Actor,
    at: datetime,
) -> Signer:
    """Return the second person, who has just typed their password.

    Raises:
        CredentialsError, LockedError: it was not their password; the try is counted.
    """
    employee = find_employee(property, number, argument=argument)
    role = _role_of(employee, roles, argument=argument)
    if employee.pk == other_than.employee_id:
        raise CommandError(f"{argument}: {employee.number} cannot be the second person too")
    prove_by_password(
        request=HttpRequest(),
        number=employee.number,
        password=ask_secret(f"Password of {employee.number}: "),
        action="signer.refused",
        at=at,
    )
    return Signer(
        employee_id=employee.pk,
        number=employee.number,
        role=role,
        method=SigningMethod.PASSWORD,
        device_id=None,
        property_id=property.pk,
    )


def ask_secret(prompt: str) -> str:
    """Return a secret that is typed unseen, or the next line of a pipe; never an argument."""
    if sys.stdin.isatty():
        return getpass.getpass(prompt)
    return sys.stdin.readline().rstrip("\n")


def read_number(text: str) -> str:
    """Return an employee number as it is stored, or end the command."""
    number = Employee.objects.normalize_number(text)
    if len(number) > 20 or re.fullmatch(NUMBER_FORM, number) is None:
        raise CommandError(
            f"number: {text!r} is none; letters, digits and hyphens, up to 20: DL-210"
        )
    return number


def _role_of(employee: Employee, roles: Collection[Role], *, argument: str) -> Role:
    held = employee.held_roles() & set(roles)
    if not held:
        raise CommandError(f"{argument}: {employee.number} is no {' or '.join(sorted(roles))}")
    return min(held)
