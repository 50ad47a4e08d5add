"""The secrets of one state folder: made once, readable by their owner alone, never replaced.

With another SECRET_KEY everybody is signed out; with another PIN_PEPPER no PIN is right any more.
"""

import contextlib
import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import Final

from casino.local.errors import StateFolderError

NAMES: Final = ("SECRET_KEY", "PIN_PEPPER")
BYTES: Final = 48


def read_or_make(path: Path) -> dict[str, str]:
    """Return the secrets kept at *path*, made at the first call.

    Raises:
        StateFolderError: the file does not hold them; it is left as it is.
    """
    if not path.exists():
        _make(path)
    try:
        kept: dict[str, str] = json.loads(path.read_text())
        return {name: kept[name] for name in NAMES}
    except (ValueError, KeyError, TypeError) as error:
        raise StateFolderError(
            f"{path} is damaged; put the right one back, or remove it, which makes every PIN wrong"
        ) from error


def _make(path: Path) -> None:
    """Write new secrets; of two processes that do so at once, the first to finish decides."""
    made = {name: secrets.token_urlsafe(BYTES) for name in NAMES}
    descriptor, unfinished = tempfile.mkstemp(dir=path.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "w") as file:
            json.dump(made, file)
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        os.unlink(unfinished)
