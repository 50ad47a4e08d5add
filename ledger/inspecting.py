"""The examinations that are kept: who verified or compared which books when, and what it found."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from ledger.models import Inspection
from ledger.projections import Difference, compare
from ledger.services.inspections import note_inspection
from ledger.verify import Verification, verify

logger = logging.getLogger(__name__)

AT_LEAST_EVERY: Final = timedelta(days=1)

# After each close of a day, and once a day where none closes.
DUE: Final = """
SELECT property.id FROM properties_property AS property
LEFT JOIN LATERAL (
    SELECT at FROM ledger_inspection AS inspection
    WHERE inspection.property_id = property.id AND inspection.kind = 'verify'
    ORDER BY id DESC LIMIT 1
) AS latest ON true
WHERE EXISTS (SELECT FROM ledger_entry AS entry WHERE entry.property_id = property.id)
  AND (latest.at IS NULL OR latest.at <= %(before)s OR EXISTS (
      SELECT FROM ledger_period AS period
      WHERE period.property_id = property.id AND period.shift = '' AND period.status = 'closed'
        AND period.recorded_at > latest.at))
ORDER BY property.id
"""


def due_properties(*, at: datetime) -> list[int]:
    """Return the properties whose books are to be examined now."""
    with connection.cursor() as cursor:
        cursor.execute(DUE, {"before": at - AT_LEAST_EVERY})
        return [property_id for (property_id,) in cursor.fetchall()]


def verify_books(
    *, property_id: int, actor: str, at: datetime, heads: Mapping[int, bytes] | None = None
) -> Verification:
    """Verify a property's books and keep what was found."""
    verification = verify(property_id=property_id, at=at, heads=heads)
    _keep_verification(verification, property_id=property_id, actor=actor, at=at)
    return verification


def compare_books(*, property_id: int, actor: str, at: datetime) -> tuple[Difference, ...]:
    """Compare what is kept beside the postings with them, and keep what was found."""
    differences = compare(property_id)
    _keep_comparison(differences, property_id=property_id, actor=actor, at=at)
    return differences


def examine_books(*, property_id: int, actor: str, at: datetime) -> None:
    """Verify and compare with nobody looking on: every finding is an error in the log.

    What was found is written last, so that no seal waits for the reading.
    """
    verification = verify(property_id=property_id, at=at)
    differences = compare(property_id)
    _keep_verification(verification, property_id=property_id, actor=actor, at=at)
    _keep_comparison(differences, property_id=property_id, actor=actor, at=at)
    for finding in (*verification.findings, *differences):
        logger.error("the books of property %s: %s", property_id, finding)


def _keep_verification(
    verification: Verification, *, property_id: int, actor: str, at: datetime
) -> None:
    note_inspection(
        property_id=property_id,
        kind=Inspection.Kind.VERIFY,
        findings=verification.findings,
        actor=actor,
        at=at,
        upto_seal=verification.head,
    )


def _keep_comparison(
    differences: Sequence[Difference], *, property_id: int, actor: str, at: datetime
) -> None:
    findings = [str(difference) for difference in differences]
    note_inspection(
        property_id=property_id,
        kind=Inspection.Kind.COMPARE,
        findings=findings,
        actor=actor,
        at=at,
    )
