"""`./baize manage …`: Django's command line on the servers that `./baize up` runs."""

import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from casino.local.addresses import Wanted
from casino.local.environment import site_environment
from casino.local.errors import NotRunningError
from casino.local.places import PROJECT, Places, make_state_folder, state_folder
from casino.local.terminal import run_or_explain
from casino.local.web_address import WebAddress

WITHOUT_SERVERS: Final = frozenset(
    {
        "check",
        "collectstatic",
        "compilemessages",
        "diffsettings",
        "findstatic",
        "help",
        "makemessages",
        "makemigrations",
        "spectacular",
        "version",
    }
)
"""Commands that read no database; all others are refused while none runs."""


def become_manage(arguments: Sequence[str]) -> None:
    """Replace this process with `manage.py` and these arguments.

    Raises:
        RefusedError: the servers do not run, or the environment is wrong.
    """
    environ = dict(os.environ)
    wanted = Wanted.read(environ)
    web = WebAddress.read(environ)
    places = Places.of(state_folder(environ))
    make_state_folder(places.state)
    if needs_servers(arguments):
        require_running(wanted, places=places)
    site = site_environment(environ, places=places, wanted=wanted, web=web)
    command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
    os.execve(sys.executable, command, site)  # noqa: S606 - our own interpreter


def needs_servers(arguments: Sequence[str]) -> bool:
    """Tell whether this command line reads a database."""
    asks_for_help = not {"-h", "--help", "--version"}.isdisjoint(arguments)
    return bool(arguments) and not asks_for_help and arguments[0] not in WITHOUT_SERVERS


def require_running(wanted: Wanted, *, places: Places) -> None:
    """Check that the launcher's own servers listen.

    Raises:
        NotRunningError: one of them does not.
    """
    needed = ((wanted.postgres, places.postgres_socket), (wanted.valkey, places.valkey_socket))
    if not all(_listens(path) for is_ours, path in needed if is_ours):
        raise NotRunningError(places.state)


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True


if __name__ == "__main__":
    sys.exit(run_or_explain(lambda: become_manage(sys.argv[1:])))
