"""A write that PostgreSQL broke off is tried again, but never from inside somebody's transaction.

The natural key makes that safe: if the lost try did commit, the next one finds its entry.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from django.db import OperationalError, connection

ATTEMPTS: Final = 3
SERIALIZATION_FAILURE, DEADLOCK_DETECTED = "40001", "40P01"

Done = TypeVar("Done")


def pause(attempt: int) -> None:
    """Wait up to 20 ms, 40 ms …, each poster another time, so that they do not meet again."""
    time.sleep(random.uniform(0, 0.02 * 2**attempt))  # noqa: S311  it only spreads the waiting


def with_retries(act: Callable[[], Done], *, wait: Callable[[int], None] = pause) -> Done:
    """Do *act*; again after a deadlock, a failed serialization or a lost connection.

    Inside an outer transaction the error rises at once: what came before is lost with it, so only
    its owner can begin again.
    """
    for attempt in range(ATTEMPTS - 1):
        try:
            return act()
        except OperationalError as error:
            if connection.in_atomic_block or not _can_heal(error):
                raise
        wait(attempt)
    return act()


def _can_heal(error: OperationalError) -> bool:
    if connection.connection is not None and connection.connection.closed:
        connection.close()  # Django opens another for the next query
        return True
    sqlstate = getattr(error.__cause__, "sqlstate", None)
    return sqlstate in {SERIALIZATION_FAILURE, DEADLOCK_DETECTED}
