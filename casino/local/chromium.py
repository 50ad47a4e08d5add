"""Which Chromium drives the browser tests: the named one, else the first on PATH."""

import shutil
from collections.abc import Mapping
from typing import Final

from casino.local.errors import BadEnvironmentError

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def find_chromium(environ: Mapping[str, str]) -> str | None:
    """Return the path of the browser's program; None where there is none.

    Raises:
        BadEnvironmentError: CHROMIUM names no program.
    """
    named = environ.get("CHROMIUM")
    if not named:
        found = (shutil.which(name, path=environ.get("PATH")) for name in NAMES)
        return next(filter(None, found), None)
    program = shutil.which(named, path=environ.get("PATH"))
    if program is None:
        raise BadEnvironmentError("CHROMIUM", f"is {named}, which is no program")
    return program
