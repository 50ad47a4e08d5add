"""`manage.py ledger_verify`: are the books what was sealed?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from typing_extensions import override

from casino.properties.models import Property
from casino.staff.actors import Actor
from casino.staff.operator import OperatorCommand, acting, add_by_argument, find_property
from casino.staff.roles import Role
from casino.staff.services import audit
from ledger.inspecting import verify_books
from ledger.services.sealing import begin_epoch
from ledger.verify import Verification

READERS: Final = frozenset({Role.AUDITOR, Role.ADMIN})
HEAD: Final = re.compile(r"(?P<number>[1-9][0-9]{0,17}):(?P<digits>[0-9a-fA-F]{64})")


class Command(OperatorCommand):
    """Verify the books against their seals; exit 1 on a finding."""

    help = "Verifies the books against their chain of seals; exit 1 on a finding."

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("property", nargs="?", help="the property's code: jade-harbour")
        parser.add_argument("--all", action="store_true", help="every property")
        parser.add_argument(
            "--head",
            action="append",
            default=[],
            metavar="NUMBER:HEX",
            help="a seal's hash that was kept elsewhere; may be given again",
        )
        parser.add_argument(
            "--begin-epoch",
            action="store_true",
            help="go on sealing after a restore into another cluster; refused where none was",
        )
        parser.add_argument("--reason", default="", help="why an epoch begins")
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        _require_arguments(options)
        heads = dict(_read_head(text) for text in options["head"])
        found = 0
        for casino in _properties(options):
            actor = acting(casino, options["by"], READERS)
            if options["begin_epoch"]:
                self._begin_epoch(casino, reason=options["reason"], actor=actor, at=at)
            verification = verify_books(property_id=casino.pk, actor=str(actor), at=at, heads=heads)
            self._tell(casino, verification)
            found += len(verification.findings)
        if found:
            raise CommandError(f"{found} findings")

    def _tell(self, casino: Property, verification: Verification) -> None:
        for finding in verification.findings:
            self.stderr.write(f"wrong: {casino.code}: {finding}")
        self.stdout.write(
            f"{casino.code}: {verification.entries} entries under {verification.seals} seals, "
            f"{verification.unsealed} wait"
        )
        if verification.head:
            self.stdout.write(f"head {verification.head}:{verification.head_hash.hex()}")

    def _begin_epoch(self, casino: Property, *, reason: str, actor: Actor, at: datetime) -> None:
        with transaction.atomic():
            epoch = begin_epoch(property_id=casino.pk, actor=str(actor), reason=reason, at=at)
            audit.record(
                actor=actor,
                action="ledger.epoch_begun",
                subject=f"epoch:{epoch}",
                property_id=casino.pk,
                at=at,
                reason=reason,
            )
        self.stdout.write(f"{casino.code}: began epoch {epoch}")


def _require_arguments(options: Mapping[str, Any]) -> None:
    if options["all"] == bool(options["property"]):
        raise CommandError("property: name one, or say --all")
    if options["all"]:
        for name in ("head", "begin_epoch", "by"):
            if options[name]:
                raise CommandError(f"--{name.replace('_', '-')}: it is of one property")
    if options["begin_epoch"] and not options["reason"]:
        raise CommandError("--reason: say why an epoch begins")


def _properties(options: Mapping[str, Any]) -> list[Property]:
    if options["all"]:
        return list(Property.objects.order_by("code"))
    return [find_property(options["property"])]


def _read_head(text: str) -> tuple[int, bytes]:
    if not (head := HEAD.fullmatch(text)):
        raise CommandError(
            f"--head: {text!r} is none; write the seal's number, a colon and 64 hex digits"
        )
    return int(head["number"]), bytes.fromhex(head["digits"])
