"""`manage.py employ`: a person gets a number, roles, and a PIN or password that is typed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser
from typing_extensions import override

from casino.staff.operator import (
    OperatorCommand,
    acting,
    add_by_argument,
    add_property_argument,
    ask_secret,
    find_property,
    read_number,
)
from casino.staff.roles import Role
from casino.staff.services.employing import employ


class Command(OperatorCommand):
    """Employ a person."""

    help = "Employs a person; the PIN, then the password, are asked for or read from a pipe."
    arguments = {"/pin": "--pin", "/password": "--password", "/roles": "--role"}

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("number", help="as on the badge: DL-210")
        parser.add_argument("name")
        parser.add_argument(
            "--role", action="append", required=True, choices=Role.values, help="once for each"
        )
        parser.add_argument("--pin", action="store_true", help="signs in at tablets; ask for it")
        parser.add_argument(
            "--password", action="store_true", help="signs in at consoles; ask for it"
        )
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        number = read_number(options["number"])
        employee = employ(
            property=casino,
            number=number,
            name=options["name"],
            roles=tuple(dict.fromkeys(Role(role) for role in options["role"])),
            pin=ask_secret(f"PIN of {number}: ") if options["pin"] else None,
            password=ask_secret(f"Password of {number}: ") if options["password"] else None,
            actor=acting(casino, options["by"], {Role.ADMIN}),
            at=at,
        )
        self.stdout.write(f"employed {employee.number}, {employee.name}")
