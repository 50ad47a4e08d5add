"""What the worker does for the books: it seals what has committed, and examines what was sealed."""

from __future__ import annotations

import logging
from typing import Final

from celery import shared_task
from django.db import OperationalError, connection, transaction
from django.utils.timezone import now

from casino.web.waking import wake_on_commit
from ledger import inspecting
from ledger.chain import unsealed_properties
from ledger.errors import EpochError
from ledger.services.sealing import BATCH, seal_next

logger = logging.getLogger(__name__)

SEALS_AT_ONCE: Final = 20
"""Of one property; what is left is sealed by the next run."""
HOURS: Final = 3600
ACTOR: Final = "system:inspection"
EXAMINE: Final = "ledger.tasks.examine_property"


@shared_task(
    name="ledger.tasks.seal_entries", autoretry_for=(OperationalError,), retry_backoff=True
)
def seal_entries(**_newer: object) -> None:
    """Seal what may be sealed, of every property; two at once share the work."""
    for property_id in unsealed_properties():
        _seal(property_id)


@shared_task(name="ledger.tasks.examine_books")
def examine_books(**_newer: object) -> None:
    """Wake an examination of every property whose day has closed, or that had none for a day."""
    for property_id in inspecting.due_properties(at=now()):
        wake_on_commit(EXAMINE, property_id=property_id)


# Longer than other tasks: it reads every entry of the property.
@shared_task(name=EXAMINE, time_limit=4 * HOURS, soft_time_limit=4 * HOURS - 60)
def examine_property(*, property_id: int, **_newer: object) -> None:
    """Verify and compare a property's books; a second one at the same time does nothing."""
    # The lock ends with the transaction, which writes nothing before its end: no seal and no
    # event waits for it.
    with transaction.atomic():
        if _is_alone(property_id):
            inspecting.examine_books(property_id=property_id, actor=ACTOR, at=now())


def _seal(property_id: int) -> None:
    try:
        for _ in range(SEALS_AT_ONCE):
            if seal_next(property_id=property_id, at=now(), at_most=BATCH) < BATCH:
                break
    except EpochError as error:
        logger.error("%s", error)  # noqa: TRY400  the sentence says it all


def _is_alone(property_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(7604, hashint8(%s))", [property_id])
        (is_alone,) = cursor.fetchone()
        return bool(is_alone)
