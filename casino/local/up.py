"""`./baize up`: servers, migrations, demonstration, web, worker and beat, until a signal comes.

However it ends, nothing that it started goes on running.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Final

from casino.local.addresses import Wanted
from casino.local.children import Child, ChildRecord, Program
from casino.local.environment import site_environment
from casino.local.errors import PreparationError, ServerFailedError
from casino.local.instance import only_instance
from casino.local.places import PROJECT, Places, make_state_folder, state_folder
from casino.local.postgres import stop_left_over
from casino.local.servers import wanted_servers
from casino.local.supervise import Service, Supervisor
from casino.local.terminal import run_or_explain, tell
from casino.local.web_address import WebAddress

CHECK_SECONDS: Final = 0.3
READY_SECONDS: Final = 60.0
WEB_CONNECTIONS: Final = "8"
"""The pool of the web process; worker and beat keep none."""
WORKER: Final = (
    *("-m", "celery", "-A", "casino", "worker", "-c", "2"),
    # One worker has nobody to gossip with.
    *("--without-gossip", "--without-mingle"),
)
BEAT: Final = ("-m", "celery", "-A", "casino", "beat", "--pidfile=", "-s")
SITE: Final = ("web", "worker", "beat")
SERVERS: Final = ("postgres", "valkey")


class StopRequested(Exception):
    """A signal asked the launcher to end before all was ready."""


class Launcher:
    """One run on one state folder, which the caller holds the lock of."""

    def __init__(
        self,
        *,
        environ: Mapping[str, str],
        places: Places,
        web: WebAddress,
        wanted: Wanted,
        stopping: threading.Event,
    ) -> None:
        self.places, self.web, self.stopping = places, web, stopping
        self.servers = wanted_servers(wanted, places=places, environ=environ, durable=True)
        self.environ = site_environment(environ, places=places, wanted=wanted, web=web)
        self.web_connections = environ.get("DB_POOL") or WEB_CONNECTIONS
        self.record = ChildRecord(places.children)
        self.supervisor = Supervisor(record=self.record, tell=tell)

    def run(self) -> None:
        """Bring everything up, watch it until a signal comes, bring it down.

        Raises:
            LauncherError: something did not start or does not stay up.
        """
        self.record.stop_left_over(tell=tell)
        stop_left_over(self.places, tell=tell)
        try:
            self._start_servers()
            self._prepare("migrate", "--no-input")
            logins = self._prepare("demo")
            self._start_site()
            tell(f"\nBaize is ready: {self.web.url}")
            tell(f"{logins}\nCtrl-C stops it.")
            self._watch()
        except StopRequested:
            pass  # before all was ready; what runs is stopped as ever
        finally:
            tell("Stopping …")
            self._stop()

    def _start_servers(self) -> None:
        if self.servers:
            self.places.make()
        if self.places.base != self.places.state:
            tell(f"PostgreSQL does not run as root; its data lies in {self.places.base}.")
        for server in self.servers:
            tell(f"Starting {server.name} …")
            log = self.places.log(server.name)
            self.supervisor.start(Service(name=server.name, start=server.start, log=log))
            self._stop_if_asked()

    def _prepare(self, command: str, *options: str) -> str:
        """Run a command of manage.py to its end and return what it printed."""
        tell(f"Running manage.py {command} …")
        output, errors = self.places.log(command), self.places.log(f"{command}-errors")
        for log in (output, errors):
            log.unlink(missing_ok=True)
        program = self._python(command, "manage.py", command, *options)
        child = Child(replace(program, errors=errors))
        self.record.add(child)
        try:
            while child.status() is None:
                self._stop_if_asked(within=0.02)
        finally:
            child.stop()
        if status := child.status():
            raise PreparationError(command, status=status, printed=_text(errors))
        return _text(output)

    def _start_site(self) -> None:
        tell("Starting web, worker and beat …")
        web = self._start("web", *self._uvicorn(), environ={"DB_POOL": self.web_connections})
        self._start("worker", *WORKER)
        self._start("beat", *BEAT, str(self.places.state / "beat-schedule"))
        self._wait_until_healthy(web)

    def _uvicorn(self) -> tuple[str, ...]:
        return (
            *("-m", "uvicorn", "casino.asgi:application"),
            *("--host", self.web.host, "--port", str(self.web.port), "--lifespan", "off"),
            # Else Ctrl-C waits for every open stream of live updates.
            *("--timeout-graceful-shutdown", "3"),
            *("--log-level", "warning"),
        )

    def _start(self, name: str, *arguments: str, environ: Mapping[str, str] | None = None) -> Child:
        program = self._python(name, *arguments, environ=environ)
        return self.supervisor.start(
            Service(name=name, start=lambda: Child(program), log=program.log)
        )

    def _python(
        self, name: str, *arguments: str, environ: Mapping[str, str] | None = None
    ) -> Program:
        return Program(
            name=name,
            argv=(sys.executable, *arguments),
            environ={**self.environ, **(environ or {})},
            log=self.places.log(name),
            folder=PROJECT,
        )

    def _wait_until_healthy(self, web: Child) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while not self.web.is_healthy():
            if web.status() is not None or time.monotonic() > deadline:
                raise ServerFailedError(
                    f"the web server does not answer {self.web.url}/healthz; see {web.program.log}"
                )
            self._stop_if_asked(within=0.05)

    def _watch(self) -> None:
        while not self.stopping.wait(CHECK_SECONDS):
            self.supervisor.check(now=time.monotonic())

    def _stop_if_asked(self, *, within: float = 0.0) -> None:
        if self.stopping.wait(within):
            raise StopRequested

    def _stop(self) -> None:
        # The site first, so that it can finish what it does while its servers still answer.
        self.supervisor.stop(*SITE)
        for name in SERVERS:
            self.supervisor.stop(name)
        self.record.clear()


def _text(log: Path) -> str:
    return log.read_text(errors="replace").strip()


def listen_for_signals() -> threading.Event:
    """Return an event that Ctrl-C, SIGTERM and a closed terminal set."""
    stopping = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # `nohup ./baize up` asked for a launcher that outlives its terminal.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    return stopping


def up() -> None:
    """Run until stopped.

    Raises:
        LauncherError: it cannot begin, or cannot go on.
    """
    environ = dict(os.environ)
    stopping = listen_for_signals()
    wanted = Wanted.read(environ)
    web = WebAddress.read(environ)
    places = Places.of(state_folder(environ))
    make_state_folder(places.state)
    with only_instance(places):
        web.require_free()
        launcher = Launcher(
            environ=environ, places=places, web=web, wanted=wanted, stopping=stopping
        )
        launcher.run()


if __name__ == "__main__":
    sys.exit(run_or_explain(up))
