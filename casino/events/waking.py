"""A commit wakes the relay; when the broker is away nothing is lost, the sweep comes anyway."""

from __future__ import annotations

from django.db import transaction

from casino.celery import app

RELAY = "casino.events.tasks.relay"


def wake_relay_on_commit() -> None:
    """Ask for the relay once this transaction has committed, however many events it emits."""
    connection = transaction.get_connection()
    if not any(act is _wake for _savepoints, act, _robust in connection.run_on_commit):
        transaction.on_commit(_wake, robust=True)


def _wake() -> None:
    # By name: the task's module imports the services that call this.
    app.send_task(RELAY, ignore_result=True)
