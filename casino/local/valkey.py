"""A private Valkey or Redis: no network port, a socket only its owner may open."""

import contextlib
import signal
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from casino.local.children import Child, Program
from casino.local.places import Places, make_private
from casino.local.waiting import wait_until_ready

NAME: Final = "valkey"


class ValkeyServer:
    """The broker, cache and live-update channel of one state folder."""

    name = NAME

    def __init__(
        self, *, places: Places, program: Path, environ: Mapping[str, str], durable: bool = True
    ) -> None:
        self.places, self.program, self.environ = places, program, environ
        self.durable = durable

    def start(self) -> Child:
        """Start the server and wait until it answers.

        Raises:
            ServerFailedError: it did not start; its log says why.
        """
        make_private(self.places.valkey_data, mode=0o700)
        child = Child(self._program())
        wait_until_ready(child, self._answers)
        return child

    def _program(self) -> Program:
        options = {
            "port": "0",
            "unixsocket": str(self.places.valkey_socket),
            "unixsocketperm": "700",
            "dir": str(self.places.valkey_data),
            "appendonly": "yes" if self.durable else "no",
            "save": "",
            # A broker that evicts loses tasks.
            "maxmemory-policy": "noeviction",
        }
        return Program(
            name=self.name,
            argv=(
                str(self.program),
                *(word for name, value in options.items() for word in (f"--{name}", value)),
            ),
            environ=self.environ,
            log=self.places.log(self.name),
            stop_signal=signal.SIGTERM,
        )

    def _answers(self) -> bool:
        # While it loads its file it answers with an error, so only PONG counts.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(self.places.valkey_socket))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        return False
