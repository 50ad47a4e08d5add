"""`manage.py opening_balances`: what a property begins with is booked once, by two people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from typing_extensions import override

from casino.properties.models import Property
from casino.properties.selectors import gaming_day_of
from casino.staff.operator import (
    OperatorCommand,
    acting,
    add_by_argument,
    add_property_argument,
    find_property,
    second_person,
)
from casino.staff.roles import Role
from casino.staff.services import audit
from casino.web.amounts import read_entry
from ledger.services.posting import post_entry
from ledger.services.templates import EventKind, opening_legs
from tables.management.finding import find_table, read_document

TABLE = "table:"


class Command(OperatorCommand):
    """Book opening balances."""

    help = (
        "Books what is there on the first day: a JSON object of account codes "
        '("1120/table:T1") and amounts ("27000.00"; "-…" is a credit). Equity takes the rest.'
    )

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("file")
        parser.add_argument(
            "--approved-by", required=True, metavar="NUMBER", help="an auditor, by their password"
        )
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        actor = acting(casino, options["by"], {Role.ADMIN})
        balances = _balances(casino, read_document(options["file"]))
        approver = second_person(
            casino,
            options["approved_by"],
            {Role.AUDITOR},
            argument="--approved-by",
            other_than=actor,
            at=at,
        )
        with transaction.atomic():
            entry = post_entry(
                property_id=casino.pk,
                key="property:opening_balances",
                kind=EventKind.OPENING_BALANCE,
                legs=opening_legs(balances),
                source=f"property:{casino.pk}",
                actor=str(actor),
                approver=str(approver.actor),
                at=at,
                gaming_day=gaming_day_of(casino, at),
            )
            if not entry.replayed:
                audit.record(
                    actor=actor,
                    action="property.opening_balances",
                    subject=f"property:{casino.pk}",
                    property_id=casino.pk,
                    at=at,
                    after=balances,
                    approver=str(approver.actor),
                )
        self.stdout.write(f"entry {entry.public_id}")


def _balances(casino: Property, document: Mapping[str, Any]) -> dict[str, int]:
    balances: dict[str, int] = {}
    for code, text in document.items():
        if not isinstance(text, str):
            raise CommandError(f'file: {code}: write the amount as text, "27000.00"')
        pointer = f"/file/{code}"
        amount = read_entry(text.removeprefix("-"), casino.currency, pointer=pointer)
        balances[_account(casino, code)] = -amount if text.startswith("-") else amount
    return balances


def _account(casino: Property, code: str) -> str:
    """Return the account that *code* means: tables are written by their codes there."""
    number, _, place = code.partition("/")
    if not place.startswith(TABLE):
        return code
    return f"{number}/{find_table(casino, place.removeprefix(TABLE), argument='file').ref}"
