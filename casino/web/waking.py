"""A commit wakes tasks; the request that committed neither waits for the broker nor fails with it.

What a lost wake-up meant is found by the task's own sweep, so nothing depends on this arriving.
"""

from __future__ import annotations

import logging
from functools import cache, partial
from typing import Any

from django.db import transaction
from kombu import Connection
from kombu.exceptions import OperationalError
from kombu.pools import producers
from typing_extensions import override

from casino.celery import app
from casino.web.patience import PATIENCE_SECONDS

logger = logging.getLogger(__name__)


def wake_on_commit(task: str, **arguments: Any) -> None:
    """Ask for *task*, by its name, once this transaction has committed.

    Asked twice in one transaction, with the same arguments, it is woken once.
    """
    wake = _Wake(_wake, task, **arguments)
    waiting = transaction.get_connection().run_on_commit
    if not any(act == wake for _savepoints, act, _robust in waiting):
        transaction.on_commit(wake, robust=True)


def forget_connections() -> None:
    """Let the next wake-up ask the settings anew where the broker is."""
    if _connection.cache_info().currsize:
        producers[_connection()].force_close_all()
        del producers[_connection()]
        _connection.cache_clear()


class _Wake(partial[None]):
    """A call that equals another of the same task with the same arguments."""

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Wake) and (self.args, self.keywords) == (
            other.args,
            other.keywords,
        )

    __hash__ = None  # type: ignore[assignment]  # arguments need not be hashable


def _wake(task: str, **arguments: Any) -> None:
    try:
        with producers[_connection()].acquire(block=True, timeout=PATIENCE_SECONDS) as producer:
            app.send_task(task, kwargs=arguments, producer=producer, ignore_result=True)
    except OperationalError as error:
        logger.warning("the broker does not answer; %s waits for its sweep: %s", task, error)


@cache
def _connection() -> Connection:
    # A worker may wait for its broker; this connection only sends, so it need not.
    return app.connection_for_write(
        transport_options={
            "max_retries": 0,
            "socket_timeout": PATIENCE_SECONDS,
            "socket_connect_timeout": PATIENCE_SECONDS,
        }
    )
