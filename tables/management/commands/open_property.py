"""`manage.py open_property`: a casino begins, with its clock, currency and shifts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from typing_extensions import override

from casino.staff.operator import OPERATOR, OperatorCommand
from casino.staff.services.settings import open_property
from ledger.models import Currency


class Command(OperatorCommand):
    """Open a property."""

    help = "Opens a property; nobody works there yet and nothing stands on its floor."
    arguments = {
        "/code": "code",
        "/time_zone": "--time-zone",
        "/day_start": "--day-start",
        "/shifts": "--shift",
    }

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="short, and for good: jade-harbour")
        parser.add_argument("name")
        parser.add_argument("--time-zone", required=True, help="America/Los_Angeles")
        parser.add_argument("--currency", required=True, help="ISO 4217: USD")
        parser.add_argument("--day-start", default="06:00", help="when the gaming day rolls over")
        parser.add_argument(
            "--shift", action="append", default=[], metavar="NAME=HH:MM", help="once for each"
        )
        parser.add_argument("--language", action="append", help="the first is the property's own")

    @override
    def act(self, options: Mapping[str, Any], *, at: datetime) -> None:
        for name, longest in (("code", 40), ("name", 120)):
            if not 0 < len(options[name].strip()) <= longest:
                raise CommandError(f"{name}: 1 to {longest} characters")
        currency = options["currency"]
        if not Currency.objects.filter(code=currency).exists():
            raise CommandError(f"--currency: the ledger does not know {currency!r}")
        casino = open_property(
            code=options["code"],
            name=options["name"],
            time_zone=options["time_zone"],
            currency=currency,
            day_start=_clock(options["day_start"], argument="--day-start"),
            languages=options["language"] or [settings.LANGUAGE_CODE],
            shifts=_shifts(options["shift"]),
            operator=OPERATOR,
            at=at,
        )
        self.stdout.write(f"opened {casino.code}, property {casino.pk}")


def _shifts(given: list[str]) -> dict[str, time]:
    shifts: dict[str, time] = {}
    for each in given:
        name, equals, clock = each.partition("=")
        if not equals or not 0 < len(name) <= 20 or name in shifts:
            raise CommandError(f"--shift: {each!r} has no name of its own; write day=06:00")
        shifts[name] = _clock(clock, argument="--shift")
    return shifts


def _clock(text: str, *, argument: str) -> time:
    try:
        return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007  a time of day has no zone
    except ValueError:
        raise CommandError(f"{argument}: {text!r} is no time of day; write 06:00") from None
