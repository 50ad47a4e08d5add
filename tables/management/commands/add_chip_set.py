"""`manage.py add_chip_set`: the chips of a property, by face value."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from typing_extensions import override

from casino.properties.models import Property
from casino.staff.operator import (
    OperatorCommand,
    acting,
    add_by_argument,
    add_property_argument,
    find_property,
)
from casino.staff.roles import Role
from casino.web.amounts import read_entry
from tables.chips.models import DenominationKind
from tables.chips.services.chip_sets import Piece, add_chip_set


class Command(OperatorCommand):
    """Add a chip set."""

    help = "Adds a chip set with its denominations."
    arguments = {"/denominations": "--piece"}

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("code", help="main")
        parser.add_argument(
            "--piece",
            action="append",
            required=True,
            metavar="VALUE:COLOUR:PIECES[:KIND]",
            help=f"5.00:red:30000; the kind is value_chip, or one of {DenominationKind.values}",
        )
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        chip_set = add_chip_set(
            property=casino,
            code=options["code"],
            pieces=[_piece(each, casino) for each in options["piece"]],
            actor=acting(casino, options["by"], {Role.ADMIN}),
            at=at,
        )
        self.stdout.write(f"added chip set {chip_set.code}")


def _piece(text: str, casino: Property) -> Piece:
    parts = text.split(":")
    if len(parts) == 3:
        parts.append(DenominationKind.VALUE_CHIP)
    if len(parts) != 4 or parts[3] not in DenominationKind.values or not _is_number(parts[2]):
        raise CommandError(f"--piece: {text!r} is none; write 5.00:red:30000")
    value, colour, number, kind = parts
    return Piece(
        value=read_entry(value, casino.currency, pointer="/denominations"),
        kind=DenominationKind(kind),
        colour=colour,
        in_service=int(number),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 13
