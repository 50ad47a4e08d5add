"""Folders and programs for tests that start real servers."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from casino.local.children import Child, Program
from casino.local.places import Places
from casino.local.postgres import DURABLE, THROW_AWAY, PostgresServer
from casino.local.programs import find_postgres, find_valkey
from casino.local.valkey import ValkeyServer


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every account may pass, as PostgreSQL's needs when root runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="baize-local-")).resolve()
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def places(open_folder: Path) -> Places:
    return Places.of(open_folder / "state")


class Started:
    """Starts servers of state folders and stops what still runs at the end of the test."""

    def __init__(self) -> None:
        self.children: list[Child] = []

    def postgres(self, places: Places, *, programs: str = "", durable: bool = False) -> Child:
        server = postgres_server(places, programs=programs, durable=durable)
        return self._keep(server.start())

    def valkey(self, places: Places, *, named: str = "") -> Child:
        places.make()
        program = find_valkey({**os.environ, "BAIZE_REDIS_SERVER": named})
        return self._keep(ValkeyServer(places=places, program=program, environ=os.environ).start())

    def program(self, program: Program) -> Child:
        return self._keep(Child(program))

    def _keep(self, child: Child) -> Child:
        self.children.append(child)
        return child


@pytest.fixture
def started() -> Iterator[Started]:
    started = Started()
    yield started
    for child in started.children:
        child.stop()


def postgres_server(places: Places, *, programs: str = "", durable: bool = False) -> PostgresServer:
    """The server of a state folder; a durable one is slower to make and survives a kill."""
    places.make()
    found = find_postgres(
        {**os.environ, "BAIZE_PG_BIN": programs}, for_other_user=places.postgres_user is not None
    )
    settings = DURABLE if durable else THROW_AWAY
    return PostgresServer(places=places, programs=found, environ=os.environ, settings=settings)


def shell_program(folder: Path, script: str, *, name: str = "shell") -> Program:
    """A program of the test's own; it says `ready` in its log when it may be signalled."""
    return Program(
        name=name,
        argv=("/bin/sh", "-c", script),
        environ={"PATH": os.defpath},
        log=folder / f"{name}.log",
    )
