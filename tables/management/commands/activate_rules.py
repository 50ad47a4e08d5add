"""`manage.py activate_rules`: what the next session of a table plays, signed by a pit boss."""

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
    second_person,
)
from casino.staff.roles import Role
from tables.floor.services.furnishing import activate_profile
from tables.management.finding import find_table, newest_profile


class Command(OperatorCommand):
    """Activate rules at a table."""

    help = "Lets the next session of a table play the newest version of published rules."

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("table", help="the table's code: T1")
        parser.add_argument("rules", help="the code of published rules")
        parser.add_argument(
            "--pit-boss", required=True, metavar="NUMBER", help="who signs, by their password"
        )
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        table = find_table(casino, options["table"])
        profile = newest_profile(casino, options["rules"])
        actor = acting(casino, options["by"], {Role.ADMIN})
        pit_boss = second_person(
            casino,
            options["pit_boss"],
            {Role.PIT_BOSS},
            argument="--pit-boss",
            other_than=actor,
            at=at,
        )
        activate_profile(table_id=table.pk, profile=profile, actor=actor, pit_boss=pit_boss, at=at)
        self.stdout.write(f"{table.code} plays {profile} from its next session on")
