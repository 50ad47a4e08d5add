"""The PostgreSQL and the Valkey of one run, durable as `./baize up` starts them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from casino.local import addresses
from casino.local.addresses import Wanted
from casino.local.children import Child
from casino.local.places import OWNER_LOGIN, PROJECT, Places
from casino.local.postgres import NAME, SUPERUSER
from casino.local.programs import find_postgres
from casino.local.servers import wanted_servers

BARE, PEERS = "bench_bare", "bench_peers"
"""Databases beside the project's own, in the same server."""
TICKS = os.sysconf("SC_CLK_TCK")
SECRETS = {"SECRET_KEY": "only-for-measurements", "PIN_PEPPER": "only-for-measurements"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """Running servers, and the environment that leads a contestant there."""

    places: Places
    environ: dict[str, str]
    postmaster: int
    programs: Path

    def connect(self, database: str) -> psycopg.Connection[Any]:
        """Open a connection of the superuser that commits each statement."""
        return psycopg.connect(
            host=str(self.places.postgres_sockets), port=5432, user=SUPERUSER, dbname=database,
            autocommit=True,
        )  # fmt: skip

    def url(self, database: str) -> str:
        """Return the owner's address of a database."""
        return f"postgresql://{OWNER_LOGIN}@/{database}?host={self.places.postgres_sockets}"

    def wait_for_disk(self, *, wanted: bool) -> None:
        """Let commits wait for the disk, or not; every session obeys from its next command on."""
        with self.connect("postgres") as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_commit = {'on' if wanted else 'off'}")
            connection.execute("SELECT pg_reload_conf()")

    def cpu(self) -> float:
        """Return the CPU seconds that all processes of PostgreSQL have used, ended ones too."""
        user, system, ended_user, ended_system = _times(self.postmaster)
        total = user + system + ended_user + ended_system
        for child in _children(self.postmaster):
            total += sum(_times(child)[:2])
        return total / TICKS


@contextmanager
def running() -> Iterator[Servers]:
    """Run both servers in a folder of their own, with the project's schema; remove all at the end.

    Raises:
        LauncherError: a program is missing or did not start.
    """
    folder = Path(tempfile.mkdtemp(prefix="baize-bench-")).resolve()
    if os.geteuid() == 0:
        folder.chmod(0o711)  # PostgreSQL runs as another account and must pass
    wanted = Wanted(postgres=True, valkey=True)
    places = Places.of(folder)
    children: list[Child] = []
    try:
        places.make()
        servers = wanted_servers(wanted, places=places, environ=dict(os.environ), durable=True)
        children.extend(server.start() for server in servers)
        yield _prepared(places, children)
    finally:
        while children:
            children.pop().stop()
        places.remove()


def _prepared(places: Places, children: list[Child]) -> Servers:
    environ = addresses.apply(
        {**os.environ, **SECRETS}, places=places, wanted=Wanted(postgres=True, valkey=True)
    )
    programs = find_postgres(os.environ, for_other_user=places.postgres_user is not None)
    (postmaster,) = (child.pid for child in children if child.name == NAME)
    servers = Servers(
        places=places, environ=environ, postmaster=postmaster, programs=programs.folder
    )
    with servers.connect("postgres") as connection:
        for database in (BARE, PEERS):
            connection.execute(f"CREATE DATABASE {database} OWNER {OWNER_LOGIN}")
        # Its work would count as that of whoever runs when it comes; rounds begin with a sweep.
        connection.execute("ALTER SYSTEM SET autovacuum = off")
        connection.execute("SELECT pg_reload_conf()")
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    settings = {"DJANGO_SETTINGS_MODULE": "tests.load.ledger.settings"}
    subprocess.run(command, cwd=PROJECT, env={**environ, **settings}, check=True)
    return servers


def _times(pid: int) -> tuple[int, int, int, int]:
    """Return a process's own user and system time and that of its ended children, in ticks."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0, 0, 0  # it ended meanwhile, and is its parent's now
    return int(fields[11]), int(fields[12]), int(fields[13]), int(fields[14])


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
