"""`manage.py demo`: loads the demo casino, once, and prints how to get in."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.timezone import now
from typing_extensions import override

from tables.demo import house, loading
from tables.floor.models import Table


class Command(BaseCommand):
    """Loads the demo casino and prints addresses and logins; a second run changes nothing."""

    help = "Load the demo casino (once) and print its addresses and logins."

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, default=loading.SEED)
        parser.add_argument("--rounds", type=int, default=loading.ROUNDS_YESTERDAY)

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        casino = loading.load(at=now(), seed=options["seed"], rounds=options["rounds"])
        address = os.environ.get("BAIZE_URL", "http://127.0.0.1:8000")
        write = self.stdout.write
        write(f"{casino.name}: a sandbox; nothing in it is real.\n")
        write("Tablets (the address enrols this browser at the table):")
        for table in Table.objects.filter(property=casino).select_related("property", "profile"):
            token = loading.enrolment_token(table)
            write(f"  {table.code}  {address}/tablet/enrol/{token}")
        write(f"Pit page: {address}/pit/")
        write(f"API: {address}/api/v1/docs")
        write(f"  client {house.API_CLIENT}, secret {house.API_SECRET}")
        write("Sign in with:")
        for person in house.STAFF:
            ways = [f"PIN {person.pin}"] * bool(person.pin)
            ways += [f"password {person.password}"] * bool(person.password)
            write(f"  {person.number}  {person.name:<15} {person.role.label:<17} {', '.join(ways)}")
