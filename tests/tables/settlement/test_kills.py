"""A worker killed at any line: the next one ends as if nothing had happened."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections, transaction

from casino.events.models import OutboxEvent
from ledger import selectors as ledger
from tables.settlement.models import SessionTotals, SettlementRun, SettlementStep
from tables.settlement.services.running import run_settlement
from tables.settlement.services.steps import STEPS

pytestmark = pytest.mark.django_db(transaction=True)

INSERT = 'INSERT INTO "tables_settlementstep"'


def run(shift):
    return run_settlement(session_id=shift.session.pk, version=1, at=shift.clock)


def outcome(shift) -> dict[str, Any]:
    """Return all that a settlement makes, without keys that the database drew."""
    session = shift.session
    run_ = SettlementRun.objects.get()
    (totals,) = SessionTotals.objects.values()
    entries = ledger.entries(session.property_id, session=session.ref, limit=500)
    shift.session.refresh_from_db()
    return {
        "totals": totals | {"id": None},
        "entries": [
            (each.entry.kind, each.entry.source, [(leg.account, leg.amount) for leg in each.lines])
            for each in ledger.details(entries)
        ],
        "events": list(
            OutboxEvent.objects.filter(subject_type="table_session")
            .order_by("version")
            .values_list("topic", "version", "payload", "key")
        ),
        "exceptions": list(run_.exceptions.values_list("code", "detail")),
        "session": (session.state, session.revision, session.closed_at),
        "run": (run_.state, run_.tries, run_.failure, run_.finished_at),
    }


def undisturbed(shift) -> dict[str, Any]:
    """Return what a run that nobody kills makes; it is rolled back."""
    with transaction.atomic():
        run(shift)
        made = outcome(shift)
        transaction.set_rollback(True)
    return made


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killer(step: str, moment: str) -> Callable[..., Any]:
    """Return a wrapper of the database that dies around the row which says *step* is done."""
    committed = False

    def wrapper(execute, sql, params, many, context):
        nonlocal committed
        if committed and moment == "after its commit":
            die()  # the next statement: the transaction of the step has ended
        is_step = sql.startswith(INSERT) and step in params
        if is_step and moment == "after its effect":
            die()
        done = execute(sql, params, many, context)
        if is_step and moment == "before its commit":
            die()
        committed = committed or is_step
        return done

    return wrapper


def killed_run(shift, step: str, moment: str) -> int:
    """Settle in a process of its own that kills itself; return the signal it died of."""
    connections.close_all()  # a child that inherits a connection would speak on its parent's
    child = os.fork()
    if not child:
        try:
            with connection.execute_wrapper(killer(step, moment)):
                run(shift)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status)


@pytest.mark.parametrize("moment", ["after its effect", "before its commit", "after its commit"])
def test_killed_in_every_step_it_still_ends_as_an_undisturbed_run(due, moment):
    shift = due()
    wanted = undisturbed(shift)

    done: list[str] = []
    for step, _ in STEPS:
        assert killed_run(shift, step, moment) == signal.SIGKILL
        kept = list(SettlementStep.objects.order_by("pk").values_list("step", flat=True))
        assert kept == ([*done, step] if moment == "after its commit" else done)
        done.append(step)

    run(shift)

    assert outcome(shift) == wanted
