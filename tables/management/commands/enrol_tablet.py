"""`manage.py enrol_tablet`: the address that makes a browser the tablet of a table."""

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
    find_property,
)
from casino.staff.roles import Role
from casino.staff.services.devices import make_enrolment
from tables.management.finding import find_table


class Command(OperatorCommand):
    """Make an enrolment address."""

    help = "Prints an address that enrols one tablet at a table, once, within 24 hours."

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("table", help="the table's code: T1")
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        table = find_table(casino, options["table"])
        token = make_enrolment(
            property=casino,
            place=table.ref,
            name=f"Tablet {table.code}",
            at=at,
            actor=acting(casino, options["by"], {Role.ADMIN}),
        )
        self.stdout.write(f"/tablet/enrol/{token}")
