"""Keeping processes alive: what ends is started again, slower each time, and not for ever."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from casino.local.children import Child, ChildRecord
from casino.local.errors import GaveUpError, ServerFailedError

DELAYS_SECONDS: Final = (0.0, 1.0, 2.0, 4.0, 8.0)
"""How long each further restart within the window waits; after the last the launcher gives up."""
WINDOW_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Something that must run: its name and how it is started."""

    name: str
    start: Callable[[], Child]
    log: Path


class Restarts:
    """How often one service ended lately, and so how long its restart waits."""

    def __init__(self) -> None:
        self._ends: list[float] = []

    def next_delay(self, *, now: float) -> float | None:
        """Return the seconds to wait before the restart, None when it ended too often.

        Args:
            now: seconds of a monotonic clock.
        """
        self._ends = [end for end in self._ends if now - end < WINDOW_SECONDS]
        self._ends.append(now)
        ends = len(self._ends)
        return DELAYS_SECONDS[ends - 1] if ends <= len(DELAYS_SECONDS) else None


@dataclass(kw_only=True)
class _Watched:
    service: Service
    child: Child | None
    """None while its restart waits."""
    restart_at: float = 0.0
    restarts: Restarts = field(default_factory=Restarts)


class Supervisor:
    """Starts services, writes down their processes, restarts those that end."""

    def __init__(self, *, record: ChildRecord, tell: Callable[[str], None]) -> None:
        self._record, self._tell = record, tell
        self._watched: dict[str, _Watched] = {}

    def start(self, service: Service) -> Child:
        """Start a service for the first time; its failure is the caller's to judge."""
        child = service.start()
        self._record.add(child)
        self._watched[service.name] = _Watched(service=service, child=child)
        return child

    def check(self, *, now: float) -> None:
        """Look at every service once and start again what ended, when its time has come.

        Args:
            now: seconds of a monotonic clock.

        Raises:
            GaveUpError: one of them ended too often.
        """
        for watched in self._watched.values():
            self._notice_end(watched, now=now)
            if watched.child is None and watched.restart_at <= now:
                self._restart(watched, now=now)

    def stop(self, *names: str) -> None:
        """Stop these services at once, waiting for all of them; unknown names are not running."""
        leaving = [self._watched.pop(name).child for name in names if name in self._watched]
        children = [child for child in leaving if child is not None]
        for child in children:
            child.ask_to_stop()
        for child in children:
            child.stop()

    def _notice_end(self, watched: _Watched, *, now: float) -> None:
        child = watched.child
        if child is None or (status := child.status()) is None:
            return
        child.kill_group()
        watched.child = None
        self._plan_restart(watched, f"{child.name} ended (status {status})", now=now)

    def _restart(self, watched: _Watched, *, now: float) -> None:
        try:
            watched.child = watched.service.start()
        except ServerFailedError as error:
            self._plan_restart(watched, str(error), now=now)
        else:
            self._record.add(watched.child)
            self._tell(f"{watched.service.name} runs again.")

    def _plan_restart(self, watched: _Watched, reason: str, *, now: float) -> None:
        delay = watched.restarts.next_delay(now=now)
        if delay is None:
            raise GaveUpError(watched.service.name, log=watched.service.log)
        watched.restart_at = now + delay
        self._tell(f"{reason}; starting it again in {delay:.0f} s.")
