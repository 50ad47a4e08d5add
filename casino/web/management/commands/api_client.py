"""`manage.py api_client NAME`: the only way in which a program gets a credential."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from oauth2_provider.scopes import SettingsScopes
from typing_extensions import override

from casino.web.clients import create_client, rotate_secret
from casino.web.errors import Refusal

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class Command(BaseCommand):
    """Make a client of the API, or give one a new secret."""

    help = "Makes an API client, or rotates its secret; prints id and secret, once."

    @override
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="e.g. cage-1; the ledger and the audit trail show it")
        parser.add_argument("--property-id", type=int, help="the property that it serves")
        parser.add_argument(
            "--scope",
            action="append",
            default=[],
            choices=sorted(SettingsScopes().get_all_scopes()),
            help="what it may do; give the option once for each",
        )
        parser.add_argument("--rotate", action="store_true", help="a new secret, the old one ends")

    @override
    def handle(self, *_arguments: Any, **options: Any) -> None:
        name = options["name"]
        if not NAME.fullmatch(name):
            raise CommandError(f"name {name!r}: lower-case letters, digits and hyphens, up to 40")
        try:
            client_id, secret = self._run(name, options)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        self.stdout.write(f"client_id {client_id}\nclient_secret {secret}")

    def _run(self, name: str, options: dict[str, Any]) -> tuple[str, str]:
        if options["rotate"]:
            return rotate_secret(name=name)
        if options["property_id"] is None or not options["scope"]:
            raise CommandError("a new client needs --property-id and at least one --scope")
        return create_client(name=name, property_id=options["property_id"], scopes=options["scope"])
