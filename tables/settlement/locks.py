"""The row lock of a settlement run; a session is locked before its run (tables/floor/locks.py)."""

from __future__ import annotations

from tables.settlement.models import SettlementRun


def run(run_id: int) -> SettlementRun:
    """Lock and return the run: two workers write down what became of it one after the other."""
    return SettlementRun.objects.select_for_update(no_key=True).get(pk=run_id)
