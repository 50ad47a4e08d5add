"""Where the web server listens: HOST and PORT, free before anything is started."""

import http.client
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from casino.local.errors import BadEnvironmentError, PortTakenError

ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - named, not bound
"""Where a browser on this computer finds a server that listens everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAddress:
    """A host name or address and a TCP port."""

    host: str
    port: int

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> "WebAddress":
        """Read HOST and PORT, by default 127.0.0.1 and 8000.

        Raises:
            BadEnvironmentError: PORT is no port number.
        """
        port = environ.get("PORT") or "8000"
        if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
            raise BadEnvironmentError("PORT", f"is {port!r}; a number from 1 to 65535 is needed")
        return cls(host=environ.get("HOST") or "127.0.0.1", port=int(port))

    @property
    def local_host(self) -> str:
        return ANY_ADDRESS.get(self.host, self.host)

    @property
    def url(self) -> str:
        host = f"[{self.local_host}]" if ":" in self.local_host else self.local_host
        return f"http://{host}:{self.port}"

    def require_free(self) -> None:
        """Bind the address for a moment.

        Raises:
            BadEnvironmentError: HOST is no address of this computer.
            PortTakenError: another program listens there, or this user may not.
        """
        try:
            family, kind, protocol, _, where = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM
            )[0]
        except socket.gaierror as error:
            raise BadEnvironmentError("HOST", f"is {self.host!r}: {error.strerror}") from error
        with socket.socket(family, kind, protocol) as probe:
            # A port whose last connections linger is free; one with a listener is not.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(where)
            except OSError as error:
                reason = error.strerror or str(error)
                raise PortTakenError(self.host, self.port, reason) from error

    def is_healthy(self) -> bool:
        """Tell whether the web server answers and finds its database."""
        # Not urllib: it would ask the proxy that the environment names.
        connection = http.client.HTTPConnection(self.local_host, self.port, timeout=2)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
