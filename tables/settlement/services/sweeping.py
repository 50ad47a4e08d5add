"""Finds the settlements whose wake-up was lost, or whose worker died."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from tables.settlement.models import RunState, SettlementRun
from tables.settlement.waking import wake_settlement_on_commit

PATIENCE: Final = timedelta(seconds=5)
"""A settlement takes well under a second; one that waits longer was not woken."""


def wake_waiting(*, at: datetime) -> int:
    """Wake every run that waits for longer than it should; return how many."""
    running = SettlementRun.objects.filter(state=RunState.RUNNING, requested_at__lt=at - PATIENCE)
    due = [run for run in running if is_due(run, at=at)]
    with transaction.atomic():
        for run in due:
            wake_settlement_on_commit(run)
    return len(due)


def is_due(run: SettlementRun, *, at: datetime) -> bool:
    """Tell whether the run is to be tried now: after each failure it waits twice as long."""
    return at - run.requested_at > PATIENCE * (1 << run.tries)
