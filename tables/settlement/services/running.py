"""Runs a settlement: one short transaction a step, so that a killed worker loses at most one.

A second worker waits for the session's lock, then finds the steps done.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import OperationalError, transaction

from casino.staff.actors import system_actor
from casino.staff.services import audit
from tables.floor import locks as floor_locks
from tables.floor.services import sessions
from tables.settlement import locks
from tables.settlement.errors import NothingToSettleError
from tables.settlement.models import RunState, SettlementRun, SettlementStep
from tables.settlement.services.steps import STEPS, Work

MOST_TRIES: Final = 5


def run_settlement(*, session_id: int, version: int, at: datetime) -> SettlementRun:
    """Do every step of the settlement that is not done yet; running it again changes nothing.

    Raises:
        NothingToSettleError: it was never asked for.
        SettlementError, Refusal: a step cannot be done; the run says why and, after the last
            try, is failed. A later run goes on from there.
    """
    run = SettlementRun.objects.filter(session_id=session_id, version=version).first()
    if run is None:
        raise NothingToSettleError(session_id, version)
    try:
        for key, step in STEPS:
            _do(run, key, step, at)
    except OperationalError:
        raise  # The database is away for a moment: no try of ours, the task comes again.
    except Exception as error:
        _note_failure(run.pk, error, at=at)
        raise
    run.refresh_from_db()
    return run


def _note_failure(run_id: int, error: Exception, *, at: datetime) -> None:
    with transaction.atomic():
        run = locks.run(run_id)
        if run.state == RunState.DONE:
            return
        run.tries += 1
        run.failure = f"{type(error).__name__}: {error}"
        # The sweep tries again until then; afterwards a person has to look, and is told.
        run.state = RunState.FAILED if run.tries >= MOST_TRIES else RunState.RUNNING
        run.save(update_fields=["tries", "failure", "state"])
        if run.state == RunState.FAILED:
            _alert(run, at=at)


def _alert(run: SettlementRun, *, at: datetime) -> None:
    session = run.session
    audit.record(
        actor=system_actor(name="settlement", property_id=session.property_id),
        action="settlement.failed",
        subject=session.ref,
        property_id=session.property_id,
        at=at,
        after={"version": run.version, "tries": run.tries},
        reason=run.failure,
    )
    sessions.tell(session, "settlement.failed")


def _do(run: SettlementRun, key: str, step: Callable[[Work], None], at: datetime) -> None:
    with transaction.atomic():
        session = floor_locks.session(run.session_id)
        if SettlementStep.objects.filter(run=run, step=key).exists():
            return
        step(Work(session=session, run=run, at=at))
        SettlementStep.objects.create(run=run, step=key, done_at=at)
