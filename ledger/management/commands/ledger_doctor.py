"""`manage.py ledger_doctor`: are the books still guarded, and do they add up?"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from typing_extensions import override

from ledger.doctor import examine


class Command(BaseCommand):
    """Say what is wrong with the ledger's guards, privileges and sums; exit 1 if anything is."""

    help = "Examine the ledger's guards, privileges and sums; exit 1 on a finding."

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        diagnosis = examine()
        for weakness in diagnosis.weaknesses:
            self.stdout.write(f"weaker: {weakness}")
        for finding in diagnosis.findings:
            self.stderr.write(f"wrong: {finding}")
        if diagnosis.findings:
            raise CommandError(f"{len(diagnosis.findings)} findings")
        self.stdout.write("the books are guarded and add up")
