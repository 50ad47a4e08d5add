"""`manage.py set_setting`: a setting from a gaming day on; about money, two people decide."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from typing_extensions import override

from casino.properties.catalogue import JSON, get_spec
from casino.properties.models import Property
from casino.properties.selectors import gaming_day_of
from casino.staff.actors import Actor, Signer
from casino.staff.operator import (
    OperatorCommand,
    acting,
    add_by_argument,
    add_property_argument,
    find_property,
    second_person,
)
from casino.staff.roles import Role
from casino.staff.services.settings import change_setting
from casino.web.amounts import read_entry
from tables.management.finding import find_table

OFF = "off"


class Command(OperatorCommand):
    """Change a setting."""

    help = "Changes a setting; one about money takes an administrator and a second person."
    arguments = {"/approved_by": "--approved-by", "/effective_from": "--from"}

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("name", help="record_depth")
        parser.add_argument(
            "value", help=f"an amount such as 25.00, or {OFF}; else a word, a number or JSON"
        )
        parser.add_argument("--table", help="for this table alone, by its code")
        parser.add_argument("--from", dest="day", help="gaming day, 2026-03-14; today if left out")
        parser.add_argument(
            "--approved-by",
            metavar="NUMBER",
            help="the second person, an administrator or auditor, who types their password",
        )
        add_by_argument(parser)

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        casino = find_property(options["property"])
        is_money = get_spec(options["name"]).about_money
        if is_money and options["by"] is None:
            raise CommandError("--by: a setting about money is an administrator's to change")
        actor = acting(casino, options["by"], {Role.ADMIN})
        setting = change_setting(
            property=casino,
            name=options["name"],
            value=_value(options["value"], casino, is_money=is_money),
            scope=find_table(casino, options["table"], argument="--table").ref
            if options["table"]
            else "",
            effective_from=_day(options["day"]) or gaming_day_of(casino, at),
            actor=actor,
            approver=self._approver(casino, options["approved_by"], actor, at=at),
            at=at,
        )
        self.stdout.write(str(setting))

    def _approver(
        self, casino: Property, number: str | None, actor: Actor, *, at: datetime
    ) -> Signer | None:
        if number is None:
            return None
        return second_person(
            casino,
            number,
            {Role.ADMIN, Role.AUDITOR},
            argument="--approved-by",
            other_than=actor,
            at=at,
        )


def _value(text: str, casino: Property, *, is_money: bool) -> JSON:
    if is_money:
        return None if text == OFF else read_entry(text, casino.currency, pointer="/value")
    try:
        value: JSON = json.loads(text)
    except ValueError:
        return text
    return value


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise CommandError(f"--from: {text!r} is no day; write 2026-03-14") from None
