"""`manage.py close_shift`: the books of a shift are closed by a pit boss."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from typing_extensions import override

from casino.properties.selectors import list_shifts
from casino.staff.actors import system_actor
from casino.staff.operator import (
    OPERATOR,
    OperatorCommand,
    add_property_argument,
    find_property,
    second_person,
)
from casino.staff.roles import Role
from tables.management.finding import read_day
from tables.settlement.services.periods import close_shift


class Command(OperatorCommand):
    """Close a shift."""

    help = (
        "Closes the books of one shift, once every session that began in it is settled. "
        "A pit boss types their own password."
    )

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("day", help="the gaming day: 2026-03-14")
        parser.add_argument("shift", help="the shift by its name: swing")
        parser.add_argument("--pit-boss", required=True, metavar="NUMBER")

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino, day = find_property(options["property"]), read_day(options["day"])
        names = [shift.name for shift in list_shifts(casino)]
        if options["shift"] not in names:
            raise CommandError(f"shift: {casino.code} has {', '.join(names) or 'no shifts'}")
        pit_boss = second_person(
            casino,
            options["pit_boss"],
            {Role.PIT_BOSS},
            argument="--pit-boss",
            other_than=system_actor(name=OPERATOR, property_id=casino.pk),
            at=at,
        )
        closed = close_shift(
            casino=casino, gaming_day=day, shift=options["shift"], pit_boss=pit_boss, at=at
        )
        verb = "is closed" if closed else "was closed before"
        self.stdout.write(f"shift {options['shift']} of gaming day {day} {verb}")
