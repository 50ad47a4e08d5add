"""Talking to whoever sits at the terminal, as long as there is one."""

import contextlib
import sys
from collections.abc import Callable

from casino.local.errors import LauncherError, RefusedError


def tell(text: str) -> None:
    """Write a line at once."""
    # A terminal that was closed must not keep the launcher from stopping what it started.
    with contextlib.suppress(OSError):
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def complain(text: str) -> None:
    """Write a line to standard error."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"baize: {text}\n")


def run_or_explain(run: Callable[[], None]) -> int:
    """Run and return the exit status: 0 done, 1 failed, 2 refused; both said in a sentence."""
    try:
        run()
    except LauncherError as error:
        complain(str(error))
        return error.exit_status
    except PermissionError as error:
        complain(f"may not use {error.filename}; it was made by another user of this computer")
        return RefusedError.exit_status
    return 0
