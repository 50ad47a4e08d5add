"""`manage.py set_limits`: what a table takes on the main wager, from its next round on."""

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
from tables.floor.services.limits import set_limits
from tables.management.finding import LIMITS, add_limit_arguments, find_table, read_limits


class Command(OperatorCommand):
    """Change the limits of a table."""

    help = "Changes the limits of a table; a round that runs keeps its own."
    arguments = LIMITS

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("table", help="the table's code: T1")
        add_limit_arguments(parser)
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        table = find_table(casino, options["table"])
        set_limits(
            table=table,
            **read_limits(casino, options),
            actor=acting(casino, options["by"], {Role.FLOOR_SUPERVISOR, Role.PIT_BOSS}),
            at=at,
        )
        self.stdout.write(f"limits of {table.code} changed")
