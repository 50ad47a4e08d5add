"""Servers for one test run: in a folder of their own, without fsync, gone afterwards."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from casino.local import addresses
from casino.local.addresses import Wanted
from casino.local.children import Child
from casino.local.places import Places
from casino.local.postgres import THROW_AWAY, PostgresServer
from casino.local.programs import find_postgres, find_valkey
from casino.local.valkey import ValkeyServer


@dataclass(kw_only=True)
class ThrowAwayServers:
    """A PostgreSQL and a Valkey that leave nothing behind."""

    wanted: Wanted
    environ: Mapping[str, str]
    places: Places = field(init=False)
    children: list[Child] = field(init=False, default_factory=list)

    def start(self) -> dict[str, str]:
        """Start what is wanted and return the environment that leads there.

        Raises:
            LauncherError: a program is missing or did not start; nothing is left running.
        """
        folder = Path(tempfile.mkdtemp(prefix="baize-test-")).resolve()
        if os.geteuid() == 0:
            folder.chmod(0o711)  # PostgreSQL runs as another account and must pass
        self.places = Places.of(folder)
        try:
            self.places.make()
            if self.wanted.valkey:
                program = find_valkey(self.environ)
                self._start(
                    ValkeyServer(
                        places=self.places, program=program, environ=self.environ, durable=False
                    )
                )
            if self.wanted.postgres:
                programs = find_postgres(
                    self.environ, for_other_user=self.places.postgres_user is not None
                )
                self._start(
                    PostgresServer(
                        places=self.places,
                        programs=programs,
                        environ=self.environ,
                        settings=THROW_AWAY,
                    )
                )
        except BaseException:
            self.stop()
            raise
        return addresses.apply(self.environ, places=self.places, wanted=self.wanted)

    def stop(self) -> None:
        """Stop the servers and remove their folders; a second call does nothing."""
        while self.children:
            self.children.pop().stop()
        self.places.remove()

    def _start(self, server: PostgresServer | ValkeyServer) -> None:
        self.children.append(server.start())
