"""The real worker, woken by the real broker: a settlement needs nobody who waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings
from django.db import connection

from casino.celery import app
from tables.settlement.models import RunState, SettlementRun
from tables.settlement.services.sweeping import wake_waiting

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE_SECONDS = 120
WORKER = (
    "-A casino worker -c 1 --pool solo --loglevel INFO --without-gossip --without-mingle"
    " --without-heartbeat"
)


class Worker:
    """A Celery worker in a process of its own, on the database and the broker of this run."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "celery", *WORKER.split()],
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "casino.settings.development",
                "DATABASE_URL": _in_test_database(os.environ["DATABASE_URL"]),
                "SECRET_KEY": settings.SECRET_KEY,
                "PIN_PEPPER": "only-for-tests",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []
        # Reading blocks until the worker speaks; one that never does is ended, which ends it.
        self._guard = threading.Timer(PATIENCE_SECONDS, self.process.kill)
        self._guard.start()

    def wait_until_it_says(self, *words: str) -> None:
        """Read on until a line has all the *words*."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if all(word in line for word in words):
                return
        raise AssertionError(f"the worker never said {words}:\n{''.join(self.said)}")

    def stop(self) -> None:
        """End the worker, after the task that it is in."""
        self._guard.cancel()
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE_SECONDS)


def _in_test_database(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))


@pytest.fixture
def start_worker() -> Iterator[Callable[[], Worker]]:
    """Return a function that starts a worker to whom nothing was said before."""
    started: list[Worker] = []

    def start() -> Worker:
        app.control.purge()
        started.append(Worker())
        started[-1].wait_until_it_says("ready.")
        return started[-1]

    yield start
    for worker in started:
        worker.stop()


def test_a_worker_settles_what_it_is_woken_for(due, start_worker):
    worker = start_worker()

    woken = due("T1").session
    worker.wait_until_it_says("settle_table_session", "succeeded")

    assert SettlementRun.objects.get(session=woken).state == RunState.DONE
    woken.refresh_from_db()
    assert woken.state == "closed_provisional"


def test_a_worker_settles_what_the_sweep_finds(due, start_worker):
    lost = due("T1")
    worker = start_worker()  # its wake-up is gone
    assert SettlementRun.objects.get().state == RunState.RUNNING

    assert wake_waiting(at=lost.clock + timedelta(minutes=1)) == 1
    worker.wait_until_it_says("settle_table_session", "succeeded")

    assert SettlementRun.objects.get().state == RunState.DONE
