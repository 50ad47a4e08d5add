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
from casino.local.servers import wanted_servers


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
            for server in wanted_servers(
                self.wanted, places=self.places, environ=self.environ, durable=False
            ):
                self.children.append(server.start())
        except BaseException:
            self.stop()
            raise
        return addresses.apply(self.environ, places=self.places, wanted=self.wanted)

    def stop(self) -> None:
        """Stop the servers, the last first, and remove their folders."""
        while self.children:
            self.children.pop().stop()
        self.places.remove()
