"""Asks the worker for a settlement; a lost wake-up is found by the sweep."""

from __future__ import annotations

from casino.web.waking import wake_on_commit
from tables.settlement.models import SettlementRun

SETTLE = "tables.settlement.tasks.settle_table_session"


def wake_settlement_on_commit(run: SettlementRun) -> None:
    """Ask for the settlement once this transaction has committed."""
    # By name: the task's module imports the services that call this.
    wake_on_commit(SETTLE, session_id=run.session_id, version=run.version)
