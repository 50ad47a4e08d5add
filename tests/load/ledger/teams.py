"""The contestants as the driver sees them: told to run for a while, they answer with a sample."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from casino.local.places import DATABASE, OWNER_LOGIN, PROJECT
from tests.load.ledger.servers import BARE, PEERS, Servers

LOAD: Final = Path(__file__).resolve().parents[1]
PEERS_VENV: Final = Path(os.environ.get("BENCH_PEERS_VENV") or PROJECT / "var" / "bench-peers")
REQUIREMENTS: Final = LOAD / "requirements-peers.txt"
PEER_NAMES: Final = ("hordak", "django_ledger")
OUR_TABLES: Final = r"^(ledger_|events_outbox$)"
HORDAK_TABLES: Final = r"^hordak_"
SIZE: Final = """
SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
WHERE relkind = 'r' AND relname ~ %s
"""
SEALED: Final = "sealed"
SLICE: Final = 1_000
"""Entries between two sweeps of the tables while the books are filled."""
LEAD_SECONDS: Final = 0.05
"""How long before the start the clients are told, so that they start together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What one run of one contestant came to."""

    rate: float
    """Entries a second, all clients together."""
    server: float
    """CPU seconds of PostgreSQL for an entry."""
    client: float
    """CPU seconds of the clients for an entry."""

    @property
    def cpu(self) -> float:
        """CPU seconds for an entry."""
        return self.server + self.client


class Team(Protocol):
    """One or more clients that can be told to run."""

    def run(
        self, way: str, *, clients: int, seconds: float, options: Mapping[str, Any]
    ) -> Sample: ...


class Processes:
    """Clients that are processes, each with a connection that stays."""

    def __init__(
        self, *, python: Path, module: str, environ: Mapping[str, str], servers: Servers
    ) -> None:
        self.python, self.module, self.environ, self.servers = python, module, environ, servers
        self.clients: list[subprocess.Popen[str]] = []

    def run(self, way: str, *, clients: int, seconds: float, options: Mapping[str, Any]) -> Sample:
        """Run *way* with so many clients at once."""
        self.grow(clients)
        seed = options["seed"]
        running = self.clients[:clients]
        for number, client in enumerate(running):
            # Each chooses by a seed of its own.
            own = {**options, "seed": f"{seed}-{number}"}
            self._tell(client, {"do": "run", "way": way, "options": own})
        for client in running:
            self._answer(client)
        before, start = self.servers.cpu(), time.monotonic() + LEAD_SECONDS
        for client in running:
            self._tell(client, {"start": start, "seconds": seconds})
        answers = [self._answer(client) for client in running]
        server = self.servers.cpu() - before
        done = sum(answer["done"] for answer in answers)
        return Sample(
            rate=sum(answer["done"] / answer["span"] for answer in answers),
            server=server / done,
            client=sum(answer["cpu"] for answer in answers) / done,
        )

    def ask(self, task: str, *, client: int = 0, **given: Any) -> Any:
        """Have one client do a task and return its answer."""
        self.grow(client + 1)
        self._tell(self.clients[client], {"do": task, **given})
        return self._answer(self.clients[client])

    def reconnect(self) -> None:
        """Have all clients open their connections anew."""
        for client in range(len(self.clients)):
            self.ask("reconnect", client=client)

    def grow(self, clients: int) -> None:
        """Start clients until there are so many."""
        while len(self.clients) < clients:
            self.clients.append(
                subprocess.Popen(
                    [self.python, "-m", self.module, str(len(self.clients))],
                    cwd=PROJECT,
                    env=self.environ,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )

    def stop(self) -> None:
        """Hang up and wait."""
        for client in self.clients:
            client.communicate()

    def _tell(self, client: subprocess.Popen[str], given: Mapping[str, Any]) -> None:
        assert client.stdin is not None
        client.stdin.write(json.dumps(given) + "\n")
        client.stdin.flush()

    def _answer(self, client: subprocess.Popen[str]) -> Any:
        assert client.stdout is not None
        line = client.stdout.readline()
        if not line:
            raise SystemExit(f"{self.module} ended; what it said stands above")
        return json.loads(line)


class Pgbench:
    """The limit: seven round trips of plain SQL, driven by PostgreSQL's own program in C."""

    SCRIPT: Final = LOAD / "ledger" / "raw.pgbench"
    RATE: Final = re.compile(r"tps = ([0-9.]+) \(without initial connection time\)")

    def __init__(self, servers: Servers) -> None:
        self.servers = servers

    def run(self, way: str, *, clients: int, seconds: float, options: Mapping[str, Any]) -> Sample:
        """Run the script; *way* is the name of its file."""
        duration = max(1, round(seconds))
        command = [
            str(self.servers.programs / "pgbench"), "--no-vacuum", f"--client={clients}",
            f"--jobs={clients}", f"--time={duration}", f"--file={LOAD / 'ledger' / way}",
            f"--random-seed={sum(map(ord, options['seed']))}", f"--username={OWNER_LOGIN}",
            f"--host={self.servers.places.postgres_sockets}", BARE,
        ]  # fmt: skip
        before, before_children = self.servers.cpu(), os.times()
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        server, children = self.servers.cpu() - before, os.times()
        found = self.RATE.search(said)
        assert found, said
        rate = float(found[1])
        used = (children.children_user - before_children.children_user) + (
            children.children_system - before_children.children_system
        )
        done = rate * duration
        return Sample(rate=rate, server=server / done, client=used / done)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What the books hold before anything is measured."""

    entries: int
    """Of four legs, in the service's books and in hordak's; a fiftieth of it in django-ledger's."""
    accounts: tuple[int, ...] = ()
    """Legs of accounts that are read, each of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Teams:
    """Everybody who competes, in one PostgreSQL."""

    servers: Servers
    ours: Processes
    peers: Processes
    raw: Pgbench
    bytes_an_entry: dict[str, float] = field(default_factory=dict)
    """By database: what an entry of four legs takes, indexes included, when it is posted; under
    `SEALED` what it takes here when it is sealed and told."""

    def of(self, way: str) -> Team:
        """Return who runs *way*."""
        if way.endswith(".pgbench"):
            return self.raw
        return self.peers if way.startswith(PEER_NAMES) else self.ours

    def prepare(self, *, ways: Collection[str], seed: str, filling: Filling) -> None:
        """Have the books opened and filled; a peer that no way belongs to is left out."""
        hordak, ledger = (any(way.startswith(peer) for way in ways) for peer in PEER_NAMES)
        self._both(
            lambda: self.ours.ask("prepare"),
            lambda: self.peers.ask("prepare", hordak=hordak, ledger=ledger),
        )
        before = self._sizes()
        count = filling.entries
        for number in range(count // SLICE):
            ours = partial(self.ours.ask, "fill", seed=f"{seed}-{number}", count=SLICE)
            peers = partial(self.peers.ask, "fill", seed=f"{seed}-{number}")
            self._both(ours, partial(peers, hordak=SLICE * hordak, ledger=SLICE // 50 * ledger))
            self.sweep()
        for database, size in self._sizes().items():
            self.bytes_an_entry[database] = (size - before[database]) / count
        self.ours.ask("seal_all")
        self.bytes_an_entry[SEALED] = (self._sizes()[DATABASE] - before[DATABASE]) / count
        if filling.accounts:
            sizes = filling.accounts
            self._both(
                lambda: self.ours.ask("fill_accounts", seed=seed, sizes=sizes),
                lambda: hordak and self.peers.ask("fill_accounts", seed=seed, sizes=sizes),
            )
        self.sweep()
        # Plans that were made while the tables were empty stay bad ones (ledger.md 4.4).
        self.ours.reconnect()
        self.peers.reconnect()

    def _both(self, *acts: Callable[[], object]) -> None:
        with ThreadPoolExecutor() as threads:
            for done in [threads.submit(act) for act in acts]:
                done.result()

    def sweep(self) -> None:
        """Do what PostgreSQL would do by itself in the middle of somebody's run."""
        for database in (DATABASE, BARE, PEERS):
            with self.servers.connect(database) as connection:
                connection.execute("VACUUM ANALYZE")
                connection.execute("CHECKPOINT")

    def _sizes(self) -> dict[str, int]:
        sizes = {}
        for database, tables in {DATABASE: OUR_TABLES, PEERS: HORDAK_TABLES}.items():
            with self.servers.connect(database) as connection:
                (sizes[database],) = connection.execute(SIZE, [tables]).fetchone() or (0,)
        return sizes


@contextmanager
def competing(servers: Servers) -> Iterator[Teams]:
    """Yield all contestants, their books not yet open; end them afterwards."""
    environ = {**servers.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(PROJECT)}
    ours = Processes(
        python=Path(sys.executable),
        module="tests.load.ledger.ours",
        environ={**environ, "BENCH_BARE_URL": servers.url(BARE)},
        servers=servers,
    )
    peers = Processes(
        python=peers_python(),
        module="tests.load.peers.contestant",
        environ={
            **environ, "BENCH_PEERS_URL": servers.url(PEERS), "PYTHONWARNINGS": "ignore"
        },
        servers=servers,
    )  # fmt: skip
    with servers.connect(BARE) as connection:
        connection.execute(f"SET ROLE {OWNER_LOGIN}")
        connection.execute((LOAD / "ledger" / "bare.sql").read_text())
    try:
        yield Teams(servers=servers, ours=ours, peers=peers, raw=Pgbench(servers))
    finally:
        ours.stop()
        peers.stop()


def peers_python() -> Path:
    """Return the Python of the peers' environment, made at the first use as its file locks it."""
    python = PEERS_VENV / "bin" / "python"
    stamp = PEERS_VENV / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    if not stamp.exists() or stamp.read_text() != wanted:
        uv = Path(sys.executable).with_name("uv")
        subprocess.run([uv, "venv", "--quiet", "--clear", PEERS_VENV], check=True)
        subprocess.run(
            [uv, "pip", "install", "--quiet", "--python", python, "-r", REQUIREMENTS], check=True
        )
        stamp.write_text(wanted)
    return python
