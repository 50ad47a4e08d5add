"""A commit wakes tasks; the request that committed neither waits for the broker nor fails with it.

What a lost wake-up meant is found by the task's own sweep, so nothing depends on this arriving.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from functools import cache, partial
from typing import Any, Final

import redis
from django.db import transaction
from kombu import Connection
from kombu.exceptions import OperationalError
from kombu.pools import producers
from typing_extensions import override

from casino.celery import app
from casino.web.patience import PATIENCE_SECONDS, impatient_redis

logger = logging.getLogger(__name__)

FLAG_SECONDS: Final = 1
"""After so long a message that never reached its task is sent again."""
BURST_SECONDS: Final = 0.02
"""How long a process that has asked for a task takes it for asked; the sweep finds the last."""

_asked: dict[str, float] = {}


def wake_on_commit(task: str, **arguments: Any) -> None:
    """Ask for *task*, by its name, once this transaction has committed.

    Asked twice in one transaction, with the same arguments, it is woken once.
    """
    wake = _Wake(_wake, task, **arguments)
    if not any(act == wake for _savepoints, act, _robust in _waiting()):
        transaction.on_commit(wake, robust=True)


def gather_on_commit(task: str) -> None:
    """Ask for *task*, which takes no arguments, once this transaction has committed.

    Whoever asks before it begins shares one message: a message costs more than an entry of the
    books does. The task calls `begun` before it reads, so what is asked for after that is sent.
    In a burst of commits a process asks fifty times a second at most; of what comes after the
    last time the task's sweep knows.
    """
    ask = _Wake(_gather, task)
    if not any(act == ask for _savepoints, act, _robust in _waiting()):
        transaction.on_commit(ask, robust=True)


def begun(task: str) -> None:
    """Let the next one who asks for *task* send for it; called by the task before it reads."""
    _asked.pop(task, None)
    try:
        _flags().delete(_flag(task))
    except redis.RedisError as error:
        logger.warning("Redis does not answer; %s is asked for within a second: %s", task, error)


def forget_connections() -> None:
    """Let the next wake-up ask the settings anew where broker and Redis are."""
    _asked.clear()
    if _flags.cache_info().currsize:
        _flags().close()
        _flags.cache_clear()
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


def _waiting() -> Sequence[tuple[Any, Any, bool]]:
    waiting: Sequence[tuple[Any, Any, bool]] = transaction.get_connection().run_on_commit
    return waiting


def _gather(task: str) -> None:
    now = time.monotonic()
    if now < _asked.get(task, 0.0) + BURST_SECONDS:
        return
    _asked[task] = now
    try:
        is_first = _flags().set(_flag(task), 1, nx=True, ex=FLAG_SECONDS)
    except redis.RedisError as error:
        logger.warning("Redis does not answer; %s waits for its sweep: %s", task, error)
        return
    if is_first:
        _wake(task)


def _flag(task: str) -> str:
    return f"asked:{task}"


@cache
def _flags() -> redis.Redis:
    return impatient_redis()


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
