"""What a command line names at a property: a table, a pit, rules, a chip set, an amount."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import CommandError, CommandParser
from django.db.models import Model

from casino.properties.models import Property
from casino.web.amounts import read_entry
from tables.floor.models import RuleProfile, Table

Row = TypeVar("Row", bound=Model)

LIMITS = {"/wager_min": "--min", "/wager_max": "--max", "/wager_increment": "--increment"}
"""Pointer → argument of the limits of a table."""


def find(model: type[Row], casino: Property, code: str, *, argument: str) -> Row:
    """Return the row of *casino* with that *code*, or end the command."""
    found = model._default_manager.filter(property=casino, code=code).first()
    if found is None:
        raise CommandError(f"{argument}: {casino.code} has no {model._meta.verbose_name} {code!r}")
    return found


def find_table(casino: Property, code: str, *, argument: str = "table") -> Table:
    """Return the table of *casino* with that *code*, or end the command."""
    return find(Table, casino, code, argument=argument)


def newest_profile(casino: Property, code: str) -> RuleProfile:
    """Return the newest version of the rule profile *code*, or end the command."""
    found = RuleProfile.objects.filter(property=casino, code=code).order_by("-version").first()
    if found is None:
        raise CommandError(f"rules: {casino.code} has published no rules {code!r}")
    return found


def add_limit_arguments(parser: CommandParser) -> None:
    """Let the command line give the limits of a table, as amounts of the property's currency."""
    for pointer, argument in LIMITS.items():
        parser.add_argument(
            argument,
            required=True,
            dest=pointer.strip("/"),
            metavar="AMOUNT",
            help="in the currency's decimals: 25.00",
        )


def read_limits(casino: Property, options: Any) -> dict[str, int]:
    """Return the limits in minor units, exactly.

    Raises:
        ValidationError: an amount is none, or has more decimals than the currency.
    """
    return {
        pointer.strip("/"): read_entry(
            options[pointer.strip("/")], casino.currency, pointer=pointer
        )
        for pointer in LIMITS
    }


def read_document(path: str) -> dict[str, Any]:
    """Return the JSON object that the file holds, or end the command."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"file: {path}: {error.strerror}") from error
    except ValueError as error:
        raise CommandError(f"file: {path} is no JSON: {error}") from error
    if not isinstance(document, dict):
        raise CommandError(f"file: {path} holds no JSON object")
    return document


def read_day(text: str, *, argument: str = "day") -> date:
    """Return the gaming day that *text* writes as 2026-03-14, or end the command."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise CommandError(f"{argument}: {text!r} is no day; write 2026-03-14") from None
