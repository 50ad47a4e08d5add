"""Waiting for a server: it answers, it ends, or its time is over; nothing waits for ever."""

import time
from collections.abc import Callable
from typing import Final

from casino.local.children import Child
from casino.local.errors import ServerFailedError

START_SECONDS: Final = 60.0
"""Long enough for a recovery after a kill on a busy disk."""
POLL_SECONDS: Final = 0.01


def wait_until_ready(
    child: Child, is_ready: Callable[[], bool], *, seconds: float = START_SECONDS
) -> None:
    """Return when the server answers.

    Raises:
        ServerFailedError: it ended or did not answer in time; it no longer runs then.
    """
    try:
        _poll(child, is_ready, seconds=seconds)
    except BaseException:
        child.stop()
        raise


def _poll(child: Child, is_ready: Callable[[], bool], *, seconds: float) -> None:
    log = child.program.log
    deadline = time.monotonic() + seconds
    while not is_ready():
        if (status := child.status()) is not None:
            raise ServerFailedError(f"{child.name} ended at its start (status {status}); see {log}")
        if time.monotonic() > deadline:
            raise ServerFailedError(
                f"{child.name} did not answer within {seconds:.0f} s; see {log}"
            )
        time.sleep(POLL_SECONDS)
