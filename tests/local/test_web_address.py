import socket

import pytest

from casino.local.errors import BadEnvironmentError, PortTakenError
from casino.local.web_address import WebAddress


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"HOST": "", "PORT": ""}, "http://127.0.0.1:8000"),
        ({"HOST": "0.0.0.0", "PORT": "80"}, "http://127.0.0.1:80"),  # noqa: S104 - not bound
        ({"HOST": "::", "PORT": "65535"}, "http://[::1]:65535"),
        ({"HOST": "tables.example"}, "http://tables.example:8000"),
    ],
)
def test_address_for_a_browser_on_this_computer(environ: dict[str, str], url: str) -> None:
    assert WebAddress.read(environ).url == url


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "80.0", "８０００", " 8000"])
def test_port_that_is_none_is_refused(port: str) -> None:
    with pytest.raises(BadEnvironmentError, match=r"PORT is .*; a number from 1 to 65535"):
        WebAddress.read({"PORT": port})


def test_taken_port_is_refused_and_free_again_afterwards() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        web = WebAddress(host="127.0.0.1", port=other.getsockname()[1])
        with pytest.raises(PortTakenError, match="Address already in use"):
            web.require_free()
    web.require_free()
    web.require_free()


def test_host_that_is_not_ours_is_refused() -> None:
    with pytest.raises(PortTakenError, match="Cannot assign requested address"):
        WebAddress(host="192.0.2.1", port=8000).require_free()


def test_nobody_there_is_not_healthy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    assert not WebAddress(host="127.0.0.1", port=port).is_healthy()
