"""Waiting in tests for what another process does: at once when it happened, never for ever."""

import threading
import time
from collections.abc import Callable


def wait_for(
    happened: Callable[[], bool], *, seconds: float = 20.0, look_every: float = 0.005
) -> bool:
    """Return whether it happened within *seconds*; it is looked at again after *look_every*."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not (done := happened()) and time.monotonic() < deadline:
        pause.wait(look_every)
    return done
