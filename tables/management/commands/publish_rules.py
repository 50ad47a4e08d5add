"""`manage.py publish_rules`: a rule profile from a file; a table plays it once it is activated."""

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
from tables.floor.services.profiles import publish_profile
from tables.management.finding import read_document

MEMBERS = {"code": str, "game": str, "options": dict}


class Command(OperatorCommand):
    """Publish rules."""

    help = 'Publishes {"code": …, "game": …, "options": {…}} as the newest version of that code.'

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("file")
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        document = read_document(options["file"])
        if document.keys() != MEMBERS.keys():
            raise CommandError(f"file: its members are {', '.join(MEMBERS)}")
        for name, kind in MEMBERS.items():
            if not isinstance(document[name], kind):
                raise CommandError(f"file: {name} is no {kind.__name__}")
        if not 0 < len(document["code"]) <= 40:
            raise CommandError("file: code has 1 to 40 characters")
        profile = publish_profile(
            property_id=casino.pk,
            code=document["code"],
            game=document["game"],
            options=document["options"],
            actor=acting(casino, options["by"], {Role.ADMIN}),
            at=at,
        )
        self.stdout.write(f"{profile}  {profile.digest}")
