from pathlib import Path

import pytest

from casino.local.children import Child, ChildRecord
from casino.local.errors import GaveUpError, ServerFailedError
from casino.local.supervise import Restarts, Service, Supervisor
from tests.local.conftest import Started, shell_program


class Watched:
    """A supervisor of one service, whose script and clock the test moves."""

    def __init__(self, folder: Path, started: Started, *, script: str) -> None:
        self.told: list[str] = []
        self.children: list[Child] = []
        self.fails = False
        self.supervisor = Supervisor(
            record=ChildRecord(folder / "children.json"), tell=self.told.append
        )
        self._program = shell_program(folder, script, name="web")
        self._started = started
        self.supervisor.start(Service(name="web", start=self._start, log=self._program.log))

    def _start(self) -> Child:
        if self.fails:
            raise ServerFailedError("web did not answer within 30 s")
        self.children.append(self._started.program(self._program))
        return self.children[-1]

    def end(self) -> None:
        self.children[-1].process.kill()
        self.children[-1].process.wait()


@pytest.fixture
def watched(tmp_path: Path, started: Started) -> Watched:
    return Watched(tmp_path, started, script="exec sleep 1000")


def test_restarts_wait_longer_each_time_and_then_end() -> None:
    restarts = Restarts()
    delays = [restarts.next_delay(now=now) for now in (0, 1, 2, 3, 4, 5)]
    assert delays == [0.0, 1.0, 2.0, 4.0, 8.0, None]


def test_ends_of_more_than_a_minute_ago_are_forgotten() -> None:
    restarts = Restarts()
    assert [restarts.next_delay(now=now) for now in (0, 59, 60, 200)] == [0.0, 1.0, 1.0, 0.0]


def test_what_runs_is_left_alone(watched: Watched) -> None:
    watched.supervisor.check(now=0)
    assert len(watched.children) == 1
    assert watched.told == []


def test_what_ended_runs_again_at_once(watched: Watched) -> None:
    watched.end()
    watched.supervisor.check(now=0)
    assert len(watched.children) == 2
    assert watched.children[1].status() is None
    assert watched.told == [
        "web ended (status -9); starting it again in 0 s.",
        "web runs again.",
    ]


def test_second_restart_waits(watched: Watched) -> None:
    watched.end()
    watched.supervisor.check(now=0)
    watched.end()
    watched.supervisor.check(now=1)
    watched.supervisor.check(now=1.9)
    assert len(watched.children) == 2
    watched.supervisor.check(now=2)
    assert len(watched.children) == 3


def test_sixth_end_within_a_minute_is_the_last(watched: Watched) -> None:
    for now in (0, 9, 18, 27, 36):
        watched.end()
        watched.supervisor.check(now=now)
        watched.supervisor.check(now=now + 8)
    assert len(watched.children) == 6
    watched.end()
    with pytest.raises(GaveUpError, match="web ends again and again"):
        watched.supervisor.check(now=45)
    assert len(watched.children) == 6


def test_failed_restart_is_tried_again(watched: Watched) -> None:
    watched.end()
    watched.fails = True
    watched.supervisor.check(now=0)
    assert watched.told[-1] == "web did not answer within 30 s; starting it again in 1 s."
    watched.fails = False
    watched.supervisor.check(now=1)
    assert watched.told[-1] == "web runs again."


def test_stop_takes_only_what_it_names(watched: Watched) -> None:
    watched.supervisor.stop("postgres", "valkey")
    assert watched.children[0].status() is None
    watched.supervisor.stop("web")
    assert watched.children[0].status() == -15
    watched.supervisor.check(now=0)
    assert len(watched.children) == 1
