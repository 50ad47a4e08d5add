"""`manage.py close_gaming_day`: a gaming day that is over is closed by two people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.core.management.base import CommandParser
from typing_extensions import override

from casino.staff.actors import system_actor
from casino.staff.operator import (
    OPERATOR,
    OperatorCommand,
    add_property_argument,
    find_property,
    second_person,
)
from casino.staff.roles import Role
from ledger.models import Period
from tables.management.finding import read_day
from tables.settlement.services.periods import close_gaming_day


class Command(OperatorCommand):
    """Close a gaming day."""

    help = (
        "Closes the books of a gaming day that is over, once every session of it is settled and "
        "nothing is in transit. A pit boss and an auditor each type their own password."
    )

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("day", help="the gaming day: 2026-03-14")
        parser.add_argument("--pit-boss", required=True, metavar="NUMBER")
        parser.add_argument("--auditor", required=True, metavar="NUMBER")

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino, day = find_property(options["property"]), read_day(options["day"])
        pit_boss = second_person(
            casino,
            options["pit_boss"],
            {Role.PIT_BOSS},
            argument="--pit-boss",
            other_than=system_actor(name=OPERATOR, property_id=casino.pk),
            at=at,
        )
        auditor = second_person(
            casino,
            options["auditor"],
            {Role.AUDITOR},
            argument="--auditor",
            other_than=pit_boss.actor,
            at=at,
        )
        closed = close_gaming_day(
            casino=casino, gaming_day=day, pit_boss=pit_boss, auditor=auditor, at=at
        )
        self._tell(casino.pk, day, closed=closed)

    def _tell(self, property_id: int, day: date, *, closed: bool) -> None:
        period = Period.objects.get(property_id=property_id, gaming_day=day, shift="")
        self.stdout.write(f"gaming day {day} {'is closed' if closed else 'was closed before'}")
        self.stdout.write(f"report hash {period.report_hash_text}")
        if period.head_text:
            # Kept elsewhere, it shows when the newest seals were cut off.
            self.stdout.write(f"head {period.head_text}")
