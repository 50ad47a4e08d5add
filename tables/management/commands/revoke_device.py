"""`manage.py revoke_device`: the tablets of a table are nobody from the next request on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from typing_extensions import override

from casino.staff.operator import (
    OperatorCommand,
    acting,
    add_by_argument,
    add_property_argument,
    find_property,
)
from casino.staff.roles import Role
from casino.staff.services.devices import revoke_place
from tables.management.finding import find_table


class Command(OperatorCommand):
    """Revoke the tablets of a table."""

    help = "Revokes every tablet of a table; who is signed in there is out."

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("table", help="the table's code: T1")
        parser.add_argument("--reason", required=True, help="in a few words, for the audit trail")
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        table = find_table(casino, options["table"])
        if not options["reason"].strip():
            raise CommandError("--reason: give it in a few words")
        revoked = revoke_place(
            property=casino,
            place=table.ref,
            actor=acting(casino, options["by"], {Role.ADMIN, Role.PIT_BOSS}),
            reason=options["reason"].strip(),
            at=at,
        )
        if not revoked:
            raise CommandError(f"table: no tablet is enrolled at {table.code}")
        self.stdout.write(f"revoked at {table.code}: {revoked}")
