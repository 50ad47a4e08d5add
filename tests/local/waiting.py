"""Waiting in tests for what another process does: at once when it happened, never for ever."""

import threading
import time
from collections.abc import Callable


def wait_for(happened: Callable[[], bool], *, seconds: float = 20.0) -> bool:
    """Return whether it happened within *seconds*."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not (done := happened()) and time.monotonic() < deadline:
        pause.wait(0.005)
    return done
