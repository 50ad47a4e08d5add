"""`./baize up` from the outside: it comes up, keeps up, and goes down, however it is treated."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from casino.local.children import identity
from casino.local.places import PROJECT, Places
from tests.local.waiting import wait_for

EVERYTHING = {"postgres", "valkey", "web", "worker", "beat"}
OWN_SERVERS = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")


class Launcher:
    """One `up` in a process of its own."""

    def __init__(self, places: Places, port: int) -> None:
        self.places, self.port = places, port
        self.process = subprocess.Popen(
            [sys.executable, "-m", "casino.local.up"],
            cwd=PROJECT,
            env={**site_environ(places), "PORT": str(port)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def read_until(self, line: str) -> str:
        """Return what it printed up to and with this line; fail if it ends before."""
        assert self.process.stdout is not None
        printed = ""
        for one in self.process.stdout:
            printed += one
            if one.strip() == line:
                return printed
        raise AssertionError(f"never printed {line!r}:\n{printed}")

    def children(self) -> dict[str, int]:
        """Return the process of every child that runs."""
        rows = json.loads(self.places.children.read_text())
        return {name: row["pid"] for name, row in rows.items() if identity(row["pid"]) is not None}

    def healthz(self) -> dict[str, str]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=10) as answer:
            found: dict[str, str] = json.load(answer)
            return found


class House:
    """A state folder and a port on which launchers are started one after the other."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.launchers: list[Launcher] = []
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]

    def up(self) -> tuple[Launcher, str]:
        """Start a launcher and return it with what it printed until it was ready."""
        launcher = Launcher(self.places, self.port)
        self.launchers.append(launcher)
        return launcher, launcher.read_until("Ctrl-C stops it.")


@pytest.fixture
def house(places: Places) -> Iterator[House]:
    house = House(places)
    yield house
    for launcher in house.launchers:
        launcher.process.terminate()
        with launcher.process:
            pass


def manage(places: Places, command: str) -> str:
    """Run `./baize manage` in another folder, as another terminal would, and return its output."""
    done = subprocess.run(
        [sys.executable, "-m", "casino.local.manage", command],
        cwd=Path("/"),
        env={**site_environ(places), "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def site_environ(places: Places) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in OWN_SERVERS}
    return {
        **inherited,
        "BAIZE_STATE_DIR": str(places.state),
        "DJANGO_SETTINGS_MODULE": "tests.local.small_site.settings",
    }


def is_gone(pids: dict[str, int]) -> bool:
    return all(identity(pid) is None for pid in pids.values())


def test_up_comes_ready_keeps_up_and_stops(house: House) -> None:
    launcher, printed = house.up()
    assert printed.endswith(
        f"\nBaize is ready: http://127.0.0.1:{house.port}\n"
        "demo loaded as baize_app\nCtrl-C stops it.\n"
    )
    assert launcher.healthz() == {"works_as": "baize_app"}
    assert manage(house.places, "demo") == "demo loaded as baize_app\n"
    first = launcher.children()
    assert first.keys() == EVERYTHING

    for name in ("valkey", "postgres", "worker", "beat", "web"):
        os.kill(first[name], signal.SIGKILL)
        launcher.read_until(f"{name} runs again.")
    second = launcher.children()
    assert second.keys() == EVERYTHING
    assert not set(first.values()) & set(second.values())
    assert wait_for(lambda: _listens(house.port))
    assert launcher.healthz() == {"works_as": "baize_app"}

    launcher.process.send_signal(signal.SIGINT)
    launcher.read_until("Stopping …")
    assert launcher.process.wait() == 0
    assert is_gone(first)
    assert is_gone(second)
    assert not house.places.children.exists()


def test_next_up_goes_on_where_a_killed_one_left_off(house: House) -> None:
    killed, _ = house.up()
    with psycopg.connect(house.places.database_owner_url) as owner:
        owner.execute("CREATE TABLE kept (chips bigint)")
        owner.execute("INSERT INTO kept VALUES (812)")
    secrets = house.places.secrets.read_text()
    left_over = killed.children()
    killed.process.kill()
    killed.process.wait()

    launcher, _ = house.up()
    assert is_gone(left_over)
    assert launcher.children().keys() == EVERYTHING
    with psycopg.connect(house.places.database_owner_url) as owner:
        assert owner.execute("SELECT chips FROM kept").fetchall() == [(812,)]
    assert house.places.secrets.read_text() == secrets

    launcher.process.send_signal(signal.SIGTERM)
    assert launcher.process.wait() == 0


def test_stop_before_it_is_ready_leaves_nothing(house: House) -> None:
    launcher = Launcher(house.places, house.port)
    house.launchers.append(launcher)
    launcher.read_until("Running manage.py migrate …")
    running = launcher.children()
    assert {"postgres", "valkey"} <= running.keys()
    launcher.process.send_signal(signal.SIGHUP)
    assert launcher.process.wait() == 0
    assert is_gone(running)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
