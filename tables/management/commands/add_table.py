"""`manage.py add_table`: a table with its rules and limits, both signed by a pit boss."""

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
from tables.chips.models import ChipSet
from tables.floor.models import Pit
from tables.floor.services.furnishing import add_table
from tables.management.finding import (
    LIMITS,
    add_limit_arguments,
    find,
    newest_profile,
    read_limits,
)


class Command(OperatorCommand):
    """Add a table."""

    help = "Adds a table that plays published rules; a pit boss signs rules and limits."
    arguments = {**LIMITS, "/seats": "--seats"}

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("code", help="T1")
        parser.add_argument("--pit", required=True)
        parser.add_argument("--rules", required=True, help="the code of published rules")
        parser.add_argument("--chip-set", required=True)
        parser.add_argument("--seats", required=True, type=int)
        add_limit_arguments(parser)
        parser.add_argument(
            "--pit-boss", required=True, metavar="NUMBER", help="who signs, by their password"
        )
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        actor = acting(casino, options["by"], {Role.ADMIN})
        pit = find(Pit, casino, options["pit"], argument="--pit")
        chip_set = find(ChipSet, casino, options["chip_set"], argument="--chip-set")
        profile = newest_profile(casino, options["rules"])
        limits = read_limits(casino, options)
        table = add_table(
            pit=pit,
            code=options["code"],
            seats=options["seats"],
            chip_set_id=chip_set.pk,
            profile=profile,
            **limits,
            actor=actor,
            pit_boss=second_person(
                casino,
                options["pit_boss"],
                {Role.PIT_BOSS},
                argument="--pit-boss",
                other_than=actor,
                at=at,
            ),
            at=at,
        )
        self.stdout.write(f"added table {table.code}, {table.ref}")
