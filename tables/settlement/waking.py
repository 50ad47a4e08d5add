"""A commit wakes the worker; when the broker is away nothing is lost, the sweep comes anyway."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from casino.celery import app
from tables.settlement.models import SettlementRun

SETTLE = "tables.settlement.tasks.settle_table_session"


def wake_settlement_on_commit(run: SettlementRun) -> None:
    """Ask for the settlement once this transaction has committed."""
    transaction.on_commit(partial(wake_settlement, run.session_id, run.version), robust=True)


def wake_settlement(session_id: int, version: int) -> None:
    """Ask for the settlement of one version of a session now."""
    # By name: the task's module imports the services that call this.
    app.send_task(SETTLE, kwargs={"session_id": session_id, "version": version}, ignore_result=True)
