"""The site as `./baize up` runs it, on a state folder of its own: started, killed piece by piece.

Nothing here reaches into the product: what runs is read from the launcher's record of children.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from casino.local.children import identity
from casino.local.places import PROJECT, Places
from tests.local.waiting import wait_for

SITE = {"postgres", "valkey", "web", "worker", "beat"}
READY = "Ctrl-C stops it."
RESTART_SECONDS = 60.0
LINES_EXPLAINED = 60
OF_THE_TEST_RUN = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "REDIS_URL",
    "DJANGO_SETTINGS_MODULE",
    "HOST",
    "PORT",
    "DB_POOL",
)
"""Variables by which a test run names its own servers; this site has others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """A process that was killed, so that a failure can be repeated."""

    name: str
    pid: int
    after: str
    """What the shift was doing."""

    def __str__(self) -> str:
        return f"killed {self.name} (process {self.pid}) {self.after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The end of a child, as the launcher told of it."""

    name: str
    status: int
    """Below zero: the signal that ended it."""
    seconds: int
    """How long its restart was put off."""


class Site:
    """One running site and its address."""

    def __init__(self, places: Places, port: int) -> None:
        self.places, self.port = places, port
        self.url = f"http://127.0.0.1:{port}"
        self.environ = {
            **{name: value for name, value in os.environ.items() if name not in OF_THE_TEST_RUN},
            "BAIZE_STATE_DIR": str(places.state),
            "PORT": str(port),
        }
        self.printed: list[str] = []
        self.killed: list[Killed] = []
        self._ready = threading.Event()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "casino.local.up"],
            cwd=PROJECT,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def wait_until_ready(self) -> None:
        """Return when the launcher says so; fail with its words if it ends before."""
        self._ready.wait()
        assert self.process.poll() is None, "".join(self.printed)

    def stop(self) -> None:
        """Stop the launcher as Ctrl-C does; it must end well."""
        self.process.send_signal(signal.SIGINT)
        self._reader.join()
        assert self.process.wait() == 0, "".join(self.printed)

    def enrolment(self, table: str) -> str:
        """Return the address that the launcher printed for the tablet of *table*."""
        found = re.search(rf"^ +{table}  (http\S+)$", "".join(self.printed), re.MULTILINE)
        assert found, f"no address for {table} was printed"
        return found[1]

    def log(self, name: str) -> str:
        """Return what a child has written so far."""
        return self.places.log(name).read_text(errors="replace")

    def explain(self) -> None:
        """Print what the launcher said and what was logged last, before the folder is gone."""
        print("".join(self.printed))  # noqa: T201  shown with the failure
        for name in sorted(SITE):
            log = self.log(name) if self.places.log(name).exists() else ""
            lines = [line for line in log.splitlines() if '"level": "info"' not in line]
            print(f"--- {name}.log", *lines[-LINES_EXPLAINED:], sep="\n")  # noqa: T201  likewise

    def manage(self, *arguments: str) -> str:
        """Run `./baize manage` as another terminal would; fail with its words on a failure."""
        done = subprocess.run(
            [sys.executable, "-m", "casino.local.manage", *arguments],
            cwd=PROJECT,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def books(self) -> psycopg.Connection[Any]:
        """Return a connection of the owner, to look and to lock."""
        return psycopg.connect(self.places.database_owner_url)

    # --- what runs, and its end

    def process_of(self, name: str) -> int | None:
        """Return the process of a child; None while it does not run."""
        try:
            row = json.loads(self.places.children.read_text())[name]
        except (FileNotFoundError, KeyError):
            return None
        alive = row["identity"] is not None and identity(row["pid"]) == row["identity"]
        return int(row["pid"]) if alive else None

    def await_child(self, name: str) -> int:
        """Return the process of a child as soon as it runs."""
        assert wait_for(lambda: self.process_of(name) is not None, seconds=RESTART_SECONDS), (
            f"{name} did not come back:\n{''.join(self.printed)}"
        )
        pid = self.process_of(name)
        return self.await_child(name) if pid is None else pid

    def kill(self, name: str, *, after: str) -> int:
        """Send SIGKILL to a child, waiting for it to run first, and return its process."""
        pid = self.await_child(name)
        os.kill(pid, signal.SIGKILL)
        self.killed.append(Killed(name=name, pid=pid, after=after))
        print(self.killed[-1])  # noqa: T201  shown with a failure, to repeat it
        return pid

    def await_end(self, name: str) -> None:
        """Return when the launcher has noticed that a child ended."""
        ends = sum(each.name == name for each in self.killed)
        assert wait_for(lambda: len(self._delays(name)) >= ends, seconds=RESTART_SECONDS)

    def waits_to_restart(self, name: str, *, seconds: int) -> bool:
        """Tell whether a child is down and its last restart was put off for so long or longer."""
        delays = self._delays(name)
        return bool(delays) and delays[-1] >= seconds and self.process_of(name) is None

    def ends(self) -> list[End]:
        """Return every end of a child that the launcher has noticed, in order."""
        said = r"^(\w+) ended \(status (-?\d+)\); starting it again in (\d+) s\.$"
        return [
            End(name=name, status=int(status), seconds=int(seconds))
            for name, status, seconds in re.findall(said, "".join(self.printed), re.MULTILINE)
        ]

    def _delays(self, name: str) -> list[int]:
        return [each.seconds for each in self.ends() if each.name == name]

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.printed.append(line)
                if line.strip() == READY:
                    self._ready.set()
        self._ready.set()  # it ended; whoever waits for it finds out why


@contextmanager
def running_site() -> Iterator[Site]:
    """Run a site with the demonstration loaded; nothing of it is left afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="baize-shift-")).resolve()
    folder.chmod(0o711)  # PostgreSQL's account must pass when root runs the tests
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    site = Site(Places.of(folder / "state"), port)
    try:
        site.wait_until_ready()
        yield site
        site.stop()
    except BaseException:
        site.explain()
        raise
    finally:
        site.process.terminate()
        site.process.wait()
        shutil.rmtree(folder)
