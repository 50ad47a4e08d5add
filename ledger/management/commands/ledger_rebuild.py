"""`manage.py ledger_rebuild`: set what is kept beside the postings right from them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from typing_extensions import override

from casino.properties.models import Property
from casino.staff.actors import Actor
from casino.staff.operator import (
    OperatorCommand,
    acting,
    add_by_argument,
    add_property_argument,
    find_property,
)
from casino.staff.roles import Role
from casino.staff.services import audit
from ledger.inspecting import compare_books
from ledger.projections import REBUILT, rebuild


class Command(OperatorCommand):
    """Compare what is kept beside the postings with them, and set it right on demand."""

    help = "Compares what is kept beside the postings with them; exit 1 where it differs."

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("--apply", action="store_true", help="set balances and snapshots right")
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        actor = acting(casino, options["by"], {Role.ADMIN})
        differences = compare_books(property_id=casino.pk, actor=str(actor), at=at)
        for difference in differences:
            self.stderr.write(f"wrong: {difference}")
        left = len(differences)
        if options["apply"] and differences:
            self._apply(casino, actor=actor, at=at)
            left = len(compare_books(property_id=casino.pk, actor=str(actor), at=at))
        if left:
            raise CommandError(f"{left} differences")
        self.stdout.write(f"{casino.code}: what is kept is what the postings say")

    def _apply(self, casino: Property, *, actor: Actor, at: datetime) -> None:
        # The row of the audit trail and the change are one; each projection is another.
        for projection in REBUILT:
            with transaction.atomic():
                rebuilt = rebuild(property_id=casino.pk, projections=[projection])
                for each in rebuilt:
                    audit.record(
                        actor=actor,
                        action="ledger.rebuilt",
                        subject=f"{each.projection}:{each.what}",
                        property_id=casino.pk,
                        at=at,
                        before={"stored": each.stored},
                        after={"computed": each.computed, "outcome": each.outcome},
                    )
            for each in rebuilt:
                self.stdout.write(f"{each.projection} {each.what}: {each.outcome}")
