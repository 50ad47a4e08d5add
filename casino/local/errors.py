"""Why the launcher stops: every cause is a sentence for whoever sits at the terminal.

LauncherError
├── RefusedError                 nothing was changed; exit status 2
│   ├── AlreadyRunningError
│   ├── BadEnvironmentError
│   ├── NotRunningError
│   ├── OtherMajorError
│   ├── PortTakenError
│   ├── ProgramNotFoundError
│   └── StateFolderError
└── FailedError                  something was started and did not work; exit status 1
    ├── GaveUpError
    ├── PreparationError
    └── ServerFailedError
"""

from pathlib import Path


class LauncherError(Exception):
    """The launcher cannot go on."""

    exit_status = 1


class RefusedError(LauncherError):
    """The launcher will not begin; nothing was changed."""

    exit_status = 2


class AlreadyRunningError(RefusedError):
    """Another launcher holds the state folder."""

    def __init__(self, state: Path) -> None:
        super().__init__(
            f"Baize is already running on {state}; stop it first or set BAIZE_STATE_DIR"
        )
        self.state = state


class BadEnvironmentError(RefusedError):
    """A variable of the environment has a value that cannot be meant."""

    def __init__(self, variable: str, reason: str) -> None:
        super().__init__(f"{variable} {reason}")
        self.variable = variable


class NotRunningError(RefusedError):
    """A command needs the servers of `./baize up`, and they do not run."""

    def __init__(self, state: Path) -> None:
        super().__init__(
            f"./baize up is not running on {state}; start it in another terminal, "
            "or set DATABASE_URL and REDIS_URL"
        )
        self.state = state


class OtherMajorError(RefusedError):
    """The stored cluster was made by another major version of PostgreSQL."""

    def __init__(self, data: Path, *, stored: str, found: int) -> None:
        super().__init__(
            f"{data} was made by PostgreSQL {stored}, and the programs found are of {found}; "
            f"set BAIZE_PG_BIN to the programs of {stored}, or BAIZE_STATE_DIR to a new folder"
        )
        self.stored, self.found = stored, found


class PortTakenError(RefusedError):
    """The web server cannot listen where it should."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"cannot listen on {host}:{port} ({reason}); set PORT to a free port")
        self.host, self.port = host, port


class ProgramNotFoundError(RefusedError):
    """No usable program for a server on this computer."""


class StateFolderError(RefusedError):
    """The state folder cannot be used as it is."""


class FailedError(LauncherError):
    """Something was started and did not work."""


class GaveUpError(FailedError):
    """A process ended too often to be started once more."""

    def __init__(self, name: str, *, log: Path) -> None:
        super().__init__(f"{name} ends again and again; its last words are in {log}")
        self.name = name


class PreparationError(FailedError):
    """The database could not be migrated or the demonstration not be loaded."""

    def __init__(self, command: str, *, status: int, printed: str) -> None:
        super().__init__(f"manage.py {command} failed with status {status}:\n{printed}")
        self.command, self.status = command, status


class ServerFailedError(FailedError):
    """A server stopped while it started, or did not answer in time."""
