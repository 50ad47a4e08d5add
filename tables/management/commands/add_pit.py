"""`manage.py add_pit`: a group of tables that one pit boss watches."""

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
from tables.floor.services.furnishing import add_pit


class Command(OperatorCommand):
    """Add a pit."""

    help = "Adds a pit."

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("code", help="P1")
        parser.add_argument("name")
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        actor = acting(casino, options["by"], {Role.ADMIN})
        pit = add_pit(
            property=casino, code=options["code"], name=options["name"], actor=actor, at=at
        )
        self.stdout.write(f"added pit {pit.code}")
