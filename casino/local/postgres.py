"""A private PostgreSQL: no network port, a socket only its owner may open, two logins.

Whoever can open the socket is trusted, so the folder of the socket is the lock on the door.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, LiteralString

import psycopg
from psycopg import sql

from casino.local.children import Child, Program, identity, stop_foreign
from casino.local.errors import OtherMajorError, ServerFailedError, StateFolderError
from casino.local.places import APPLICATION_LOGIN, DATABASE, OWNER_LOGIN, Places, make_private
from casino.local.programs import PostgresPrograms
from casino.local.waiting import wait_until_ready

SUPERUSER: Final = "postgres"
NAME: Final = "postgres"
STOP_SIGNAL: Final = signal.SIGINT
"""PostgreSQL's fast shutdown: sessions are ended, nothing committed is lost."""
ORPHANS_SECONDS: Final = 5.0
"""How long the sessions of a killed server may still hold its shared memory."""

DURABLE: Final[tuple[str, ...]] = ()
THROW_AWAY: Final = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum=off",
    "wal_level=minimal",
    "max_wal_senders=0",
)


class PostgresServer:
    """The cluster of one state folder; made at the first start, kept afterwards."""

    name = NAME

    def __init__(
        self,
        *,
        places: Places,
        programs: PostgresPrograms,
        environ: Mapping[str, str],
        settings: tuple[str, ...] = DURABLE,
    ) -> None:
        self.places, self.programs, self.settings = places, programs, settings
        # PGDATA, PGPORT and the like are the caller's, for a server of the caller's.
        kept = {name: value for name, value in environ.items() if not name.startswith("PG")}
        self.environ = {**kept, "LC_ALL": "C"}

    def start(self) -> Child:
        """Start the server, making cluster, logins and database where they are missing.

        Raises:
            OtherMajorError: another major version of PostgreSQL made the cluster.
            StateFolderError: the cluster belongs to another account.
            ServerFailedError: it did not start; its log says why.
        """
        self._require_usable_data()
        if not self.places.postgres_data.exists():
            self._make_cluster()
        self._forget_reused_process()
        child = self._start_answering()
        try:
            with self._connection() as connection:
                make_logins_and_database(connection)
        except BaseException as error:
            child.stop()
            if isinstance(error, psycopg.Error):
                raise ServerFailedError(f"{self.name} refused its logins: {error}") from error
            raise
        return child

    def _start_answering(self) -> Child:
        """Start the server, trying again while sessions of a killed one hold its memory."""
        deadline = time.monotonic() + ORPHANS_SECONDS
        while True:
            child = Child(self._program())
            try:
                wait_until_ready(child, self._answers)
            except ServerFailedError:
                if time.monotonic() > deadline or not self._was_killed():
                    raise
                time.sleep(0.1)
            else:
                return child

    def _require_usable_data(self) -> None:
        data = self.places.postgres_data
        if not data.exists():
            return
        user = self.places.postgres_user
        if data.stat().st_uid != (user.uid if user else os.geteuid()):
            raise StateFolderError(
                f"{data} belongs to {data.owner()}; run ./baize as the user who made it, "
                "or set BAIZE_STATE_DIR to another folder"
            )
        stored = (data / "PG_VERSION").read_text().strip()
        if stored != str(self.programs.major):
            raise OtherMajorError(data, stored=stored, found=self.programs.major)

    def _make_cluster(self) -> None:
        """Make the cluster beside its place, so that one cut short is never taken for whole."""
        user = self.places.postgres_user
        unfinished = self.places.postgres_data.with_name("postgres.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        make_private(unfinished, mode=0o700, owner=user)
        initdb = Program(
            name="initdb",
            argv=(
                str(self.programs.folder / "initdb"),
                f"--pgdata={unfinished}",
                f"--username={SUPERUSER}",
                "--auth=trust",
                "--encoding=UTF8",
                *self.programs.locale_options,
                *(("--no-sync",) if self.settings == THROW_AWAY else ()),
            ),
            environ=self.environ,
            log=self.places.log("initdb"),
            stop_signal=STOP_SIGNAL,
            user=user,
        )
        if status := Child(initdb).process.wait():
            raise ServerFailedError(f"initdb failed with status {status}; see {initdb.log}")
        unfinished.rename(self.places.postgres_data)

    def _program(self) -> Program:
        settings = (
            "listen_addresses=",
            f"unix_socket_directories={self.places.postgres_sockets}",
            "unix_socket_permissions=0700",
            "max_connections=100",
            *self.settings,
        )
        return Program(
            name=self.name,
            argv=(
                str(self.programs.folder / "postgres"),
                "-D",
                str(self.places.postgres_data),
                *(word for setting in settings for word in ("-c", setting)),
            ),
            environ=self.environ,
            log=self.places.log(self.name),
            stop_signal=STOP_SIGNAL,
            user=self.places.postgres_user,
        )

    def _answers(self) -> bool:
        if not self.places.postgres_socket.exists():
            return False
        with contextlib.suppress(psycopg.OperationalError), self._connection():
            return True
        return False

    def _connection(self) -> psycopg.Connection:
        return psycopg.connect(
            host=str(self.places.postgres_sockets),
            port=5432,
            user=SUPERUSER,
            dbname="postgres",
            connect_timeout=5,
            autocommit=True,
        )

    def _was_killed(self) -> bool:
        """Tell whether an earlier server left its process number without a process to it."""
        pid = _pid_on_file(self.places)
        return pid is not None and identity(pid) is None

    def _forget_reused_process(self) -> None:
        """Remove a process number that now belongs to another program.

        PostgreSQL would take that program for a running server and refuse to start, as happens
        in containers, where the same few numbers are given out again after every start.
        """
        pid = _pid_on_file(self.places)
        if pid is not None and identity(pid) is not None and not _serves(pid, self.places):
            _pid_file(self.places).unlink()


def stop_left_over(places: Places, *, tell: Callable[[str], None]) -> None:
    """Stop a server on this cluster that no launcher watches."""
    pid = _pid_on_file(places)
    if pid is not None and _serves(pid, places):
        tell(f"Stopping {NAME}, left over from a run that was killed (process {pid}).")
        stop_foreign(pid, stop_signal=STOP_SIGNAL)


def make_logins_and_database(connection: psycopg.Connection) -> None:
    """Make the owner's and the application's login and the database, those that are missing.

    The owner may take the application's role, as the tests do; nothing is granted to the
    application here, that is for the migrations.
    Source: ledger.md 1.3, roles.
    """
    _create_missing_login(connection, OWNER_LOGIN, "CREATEROLE CREATEDB")
    _create_missing_login(connection, APPLICATION_LOGIN, "")
    # Before 16 the grant had no options: it could always be taken and was always inherited.
    options: LiteralString = (
        " WITH SET TRUE, INHERIT FALSE" if connection.info.server_version >= 160000 else ""
    )
    grant = sql.SQL("GRANT {} TO {}" + options)
    connection.execute(grant.format(sql.Identifier(APPLICATION_LOGIN), sql.Identifier(OWNER_LOGIN)))
    known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
    if known.fetchone() is None:
        create = sql.SQL("CREATE DATABASE {} OWNER {}")
        connection.execute(create.format(sql.Identifier(DATABASE), sql.Identifier(OWNER_LOGIN)))


def _create_missing_login(
    connection: psycopg.Connection, name: str, attributes: LiteralString
) -> None:
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
    if known.fetchone() is None:
        create = sql.SQL("CREATE ROLE {} LOGIN " + attributes)
        connection.execute(create.format(sql.Identifier(name)))


def _pid_file(places: Places) -> Path:
    return places.postgres_data / "postmaster.pid"


def _pid_on_file(places: Places) -> int | None:
    with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
        return int(_pid_file(places).read_text().split()[0])
    return None


def _serves(pid: int, places: Places) -> bool:
    return str(places.postgres_data) in _command_line(pid)


def _command_line(pid: int) -> str:
    shown = Path(f"/proc/{pid}/cmdline")
    if shown.exists():
        return shown.read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return subprocess.run(  # noqa: S603 - a number is the only argument
        ["ps", "-o", "args=", "-p", str(pid)],  # noqa: S607 - where ps lies differs
        capture_output=True,
        text=True,
        check=False,
    ).stdout
