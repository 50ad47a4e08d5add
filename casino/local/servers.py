"""The servers of one state folder, in the order in which they start: Valkey, then PostgreSQL."""

from collections.abc import Mapping
from typing import Protocol

from casino.local.addresses import Wanted
from casino.local.children import Child
from casino.local.places import Places
from casino.local.postgres import DURABLE, THROW_AWAY, PostgresServer
from casino.local.programs import find_postgres, find_valkey
from casino.local.valkey import ValkeyServer


class Server(Protocol):
    """Something that `start` brings up to the point where it answers."""

    name: str

    def start(self) -> Child: ...


def wanted_servers(
    wanted: Wanted, *, places: Places, environ: Mapping[str, str], durable: bool
) -> tuple[Server, ...]:
    """Return the servers that the launcher runs itself; nothing is started yet.

    Raises:
        RefusedError: a program is missing or unusable.
    """
    servers: list[Server] = []
    if wanted.valkey:
        program = find_valkey(environ)
        servers.append(
            ValkeyServer(places=places, program=program, environ=environ, durable=durable)
        )
    if wanted.postgres:
        programs = find_postgres(environ, for_other_user=places.postgres_user is not None)
        settings = DURABLE if durable else THROW_AWAY
        servers.append(
            PostgresServer(places=places, programs=programs, environ=environ, settings=settings)
        )
    return tuple(servers)
