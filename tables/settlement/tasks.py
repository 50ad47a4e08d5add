"""What the worker does for settlements; each task takes ids, makes one call, may run twice."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError
from django.utils.timezone import now

from tables.settlement.services.running import run_settlement
from tables.settlement.services.sweeping import wake_waiting


@shared_task(
    name="tables.settlement.tasks.settle_table_session",
    autoretry_for=(OperationalError,),
    retry_backoff=True,
)
def settle_table_session(*, session_id: int, version: int, **_newer: object) -> None:
    """Settle one version of a session; settling it twice changes nothing."""
    run_settlement(session_id=session_id, version=version, at=now())


@shared_task(name="tables.settlement.tasks.sweep_settlements")
def sweep_settlements(**_newer: object) -> None:
    """Wake every settlement that was asked for and is not done: its own wake-up may be lost."""
    wake_waiting(at=now())
