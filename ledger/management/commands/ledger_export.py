"""`manage.py ledger_export`: the books as files for other programs, which can prove them there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from typing_extensions import override

from casino.staff.operator import add_property_argument, find_property
from ledger.export.beancount import beancount_text
from ledger.export.books import Books
from ledger.export.files import FileStandsError, require_free, write_files
from ledger.export.hledger import hledger_text
from ledger.export.lines import json_lines
from ledger.export.rows import one_moment, read_books
from ledger.export.tables import accounts_table, postings_table

CSV: Final = "csv"

TEXTS: Final[Mapping[str, Callable[[Books], Iterator[str]]]] = {
    "beancount": beancount_text,
    "hledger": hledger_text,
    "jsonl": json_lines,
}
"""The formats that are one text."""

TABLES: Final[Mapping[str, Callable[[Books], Iterator[str]]]] = {
    "postings.csv": postings_table,
    "accounts.csv": accounts_table,
}
"""The files of the folder that CSV is."""

EARLIEST: Final = date(1, 1, 2)
LATEST: Final = date(9999, 12, 30)
"""Between these lie the gaming days that the books take; an assertion stands on the day after."""


class Command(BaseCommand):
    """Write a property's books as of one moment; others may post meanwhile."""

    help = "Write a property's books as CSV, JSON Lines, or a journal of Beancount or hledger."

    @override
    def add_arguments(self, parser: CommandParser) -> None:
        add_property_argument(parser)
        parser.add_argument("--format", required=True, choices=[CSV, *TEXTS])
        parser.add_argument("--from", dest="first", metavar="DAY", help="first gaming day")
        parser.add_argument("--to", dest="last", metavar="DAY", help="last gaming day")
        parser.add_argument(
            "--output", type=Path, metavar="PATH", help="a file, or CSV's folder; else the screen"
        )
        parser.add_argument("--force", action="store_true", help="replace what is there")

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        property = find_property(options["property"])
        first = _read_day(options["first"], argument="--from")
        last = _read_day(options["last"], argument="--to")
        if first and last and first > last:
            raise CommandError(f"--to: {last} lies before {first}, where --from begins")
        targets = _targets(options["format"], options["output"], force=options["force"])
        with one_moment():
            books = read_books(property, first=first, last=last)
            if targets:
                _write(targets, books, force=options["force"])
            else:
                self._show(TEXTS[options["format"]](books))

    def _show(self, text: Iterator[str]) -> None:
        if hasattr(self.stdout, "reconfigure"):
            self.stdout.reconfigure(encoding="utf-8", newline="")  # whatever the screen's own is
        for piece in text:
            self.stdout.write(piece, ending="")


def _read_day(text: str | None, *, argument: str) -> date | None:
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{argument}: {text!r} is no day; write 2026-03-14") from error
    if not EARLIEST <= day <= LATEST:
        raise CommandError(f"{argument}: no gaming day lies beyond {EARLIEST} and {LATEST}")
    return day


def _targets(
    chosen: str, output: Path | None, *, force: bool
) -> dict[Path, Callable[[Books], Iterator[str]]]:
    """Return what is written where; nothing for the screen."""
    if output is None:
        if chosen == CSV:
            raise CommandError("--output: csv is two files; name a folder for them")
        return {}
    if chosen == CSV and output.exists() and not output.is_dir():
        raise CommandError(f"--output: {output} is a file, and csv is a folder of two")
    if chosen != CSV and output.is_dir():
        raise CommandError(f"--output: {output} is a folder, and {chosen} is one file")
    targets = (
        {output / name: table for name, table in TABLES.items()}
        if chosen == CSV
        else {output: TEXTS[chosen]}
    )
    try:
        require_free(targets, force=force)
    except FileStandsError as error:
        raise CommandError(f"--output: {error}") from error
    return targets


def _write(
    targets: Mapping[Path, Callable[[Books], Iterator[str]]], books: Books, *, force: bool
) -> None:
    try:
        if len(targets) > 1:
            next(iter(targets)).parent.mkdir(exist_ok=True)
        write_files({path: form(books) for path, form in targets.items()}, force=force)
    except FileStandsError as error:
        raise CommandError(f"--output: {error}") from error
    except OSError as error:
        raise CommandError(f"--output: {error.strerror or error}") from error
