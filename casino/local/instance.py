"""One launcher for one state folder: the system holds the lock and drops it with its holder."""

import contextlib
import fcntl
from collections.abc import Iterator

from casino.local.errors import AlreadyRunningError
from casino.local.places import Places


@contextlib.contextmanager
def only_instance(places: Places) -> Iterator[None]:
    """Hold the state folder.

    Raises:
        AlreadyRunningError: another launcher holds it.
    """
    with places.lock.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunningError(places.state) from None
        yield
