"""A wire to PostgreSQL that can be cut: before a statement arrives, or before its answer does."""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final

READY: Final = b"Z\x00\x00\x00\x05I"
"""The end of PostgreSQL's answer to a statement after which no transaction is open."""


class Wire:
    """A socket in a folder of its own behind which the server stands."""

    def __init__(self, host: str, port: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="baize-wire-"))
        self._server = (host, port or "5432")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / f".s.PGSQL.{self._server[1]}"))
        self._listener.listen()
        self._statement = b""
        self._loses_answer = False
        self.cuts = 0
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self) -> Wire:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A plain close does not wake the thread that waits in accept or in recv.
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in (self._listener, *self._open):
            each.close()
        shutil.rmtree(self.folder)

    def lose(self, statement: bytes) -> None:
        """Cut the wire once, before the next statement that holds these bytes arrives."""
        self._statement, self._loses_answer = statement, False

    def lose_answer(self, statement: bytes) -> None:
        """Cut the wire once, when the server has answered the next one that holds these bytes."""
        self._statement, self._loses_answer = statement, True

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is shut down
            while True:
                client, _ = self._listener.accept()
                server = self._connect()
                self._open += [client, server]
                ends = _Ends(client, server)
                for pump in (self._ask, self._answer):
                    self._threads.append(threading.Thread(target=pump, args=[ends]))
                    self._threads[-1].start()

    def _connect(self) -> socket.socket:
        host, port = self._server
        if not host.startswith("/"):
            return socket.create_connection((host, int(port)))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _ask(self, ends: _Ends) -> None:
        with suppress(OSError):
            while asked := ends.client.recv(1 << 20):
                if self._statement and self._statement in asked:
                    self._statement = b""
                    if not self._loses_answer:
                        self._cut(ends)
                        return
                    ends.is_deaf = True
                ends.server.sendall(asked)
        ends.hang_up()

    def _answer(self, ends: _Ends) -> None:
        unheard = b""
        with suppress(OSError):
            while answer := ends.server.recv(1 << 20):
                if not ends.is_deaf:
                    ends.client.sendall(answer)
                    continue
                unheard += answer
                if unheard.endswith(READY):
                    self._cut(ends)
        ends.hang_up()

    def _cut(self, ends: _Ends) -> None:
        self.cuts += 1
        ends.hang_up()


class _Ends:
    """Both ends of one connection."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.client, self.server = client, server
        self.is_deaf = False
        """The client gets no answer any more."""

    def hang_up(self) -> None:
        for each in (self.client, self.server):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
