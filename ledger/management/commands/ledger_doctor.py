"""`manage.py ledger_doctor`: are the books still guarded, and do they add up?"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import now
from typing_extensions import override

from casino.properties.models import Property
from ledger.chain import chain_of
from ledger.doctor import examine
from ledger.models import Inspection
from ledger.services.inspections import note_inspection

ACTOR: Final = "system:operator"


class Command(BaseCommand):
    """Say what is wrong with the ledger's guards, rights, sums and seals; exit 1 if anything."""

    help = "Examines the ledger's guards, privileges, sums and seals; exit 1 on a finding."

    @override
    def handle(self, *args: Any, **options: Any) -> None:
        diagnosis = examine()
        note_inspection(
            property_id=None,
            kind=Inspection.Kind.DOCTOR,
            findings=diagnosis.findings,
            actor=ACTOR,
            at=now(),
        )
        for casino in Property.objects.order_by("code"):
            self.stdout.write(_chain_sentence(casino))
        for weakness in diagnosis.weaknesses:
            self.stdout.write(f"weaker: {weakness}")
        wrong = (*diagnosis.findings, *diagnosis.earlier)
        for finding in wrong:
            self.stderr.write(f"wrong: {finding}")
        if wrong:
            raise CommandError(f"{len(wrong)} findings")
        self.stdout.write("the books are guarded and add up")


def _chain_sentence(casino: Property) -> str:
    chain = chain_of(casino.pk)
    latest = (
        Inspection.objects.filter(property=casino, kind=Inspection.Kind.VERIFY)
        .order_by("-pk")
        .first()
    )
    head = f"seal {chain.head} of {_minute(chain.sealed_at)}" if chain.sealed_at else "no seal"
    since = f" since {_minute(chain.waiting_since)}" if chain.waiting_since else ""
    verified = (
        f"verified {_minute(latest.at)} up to seal {latest.upto_seal}, "
        f"{len(latest.findings)} findings"
        if latest
        else "never verified"
    )
    return f"{casino.code}: {head}; {chain.waiting} entries wait for one{since}; {verified}"


def _minute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
