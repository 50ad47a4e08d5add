"""The same shift while the site is killed piece by piece: nothing lost, nothing double.

What was killed and when is printed; the seed makes the same moments again.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from signal import SIGKILL
from statistics import median
from typing import Any

import psycopg
import pytest

from casino.local.web_address import WebAddress
from tests.local.waiting import wait_for
from tests.shift.evidence import Evidence, gather
from tests.shift.proof import prove, unexplained
from tests.shift.script import DEALERS, ROUNDS, SEATS, SEED, Shift
from tests.shift.site import SITE, Site, running_site

pytestmark = pytest.mark.long

DELAY_SECONDS = 0.3
"""A kill falls at a random moment within so many seconds after the act that it is planned for."""
KILLS = {"web": 4, "worker": 2, "postgres": 3, "valkey": 1}
"""How often each is killed at random; the launcher gives up at the sixth end in a minute."""
COMPARED_WITH = range(86, 96)
WITHOUT_VALKEY = range(98, 108)
"""Rounds of the card reader alone."""
UNDISTURBED = range(COMPARED_WITH.start - 2, WITHOUT_VALKEY.stop)
RATIO = 5
EXPLAINED = "|".join(
    (
        # PostgreSQL was away: whoever asked was told to ask again.
        r"(psycopg|django\.db\.utils)\.(errors\.\w+|OperationalError)\b",
        r"psycopg_pool\.PoolTimeout\b",
        r"Service Unavailable: /",
        r"request_finished 503$",
        # Valkey was away: worker and beat wait for it.
        r"(redis|kombu)\.exceptions\.\w+\b",
        r"consumer: Cannot connect to redis\+socket:",
        r"celery\.beat\.SchedulingError: Couldn't apply scheduled task",
        # Whoever was connected to either when it was killed.
        r"(ConnectionRefusedError|ConnectionResetError|BrokenPipeError|FileNotFoundError)\b",
    )
)
"""How the errors begin that a kill explains; a fault (`Internal Server Error`) is none."""

Plan = dict[str, list[tuple[str, float]]]
"""Moment of the shift → what is killed, and how many seconds later."""


def plan_of(seed: int) -> Plan:
    """Return the kills of a seed: of each kind one while patrons buy in, the others at play."""
    random = Random(seed)
    buy_ins = [f"buy-in {seat} at {code}" for code in DEALERS for seat in SEATS]
    rounds = [f"round {number}" for number in range(1, ROUNDS + 1) if number not in UNDISTURBED]
    plan: Plan = {}
    for name, times in KILLS.items():
        for moment in (random.choice(buy_ins), *random.sample(rounds, times - 1)):
            plan.setdefault(moment, []).append((name, random.uniform(0, DELAY_SECONDS)))
    return plan


class Trouble:
    """Kills parts of the site at the moments that a seed decides, and others where it hurts."""

    def __init__(self, site: Site, seed: int) -> None:
        self.site = site
        self.plan = plan_of(seed)
        self.acts: dict[str, Callable[[str], None]] = {
            f"round {COMPARED_WITH.start}": self._wait_until_whole,
            f"round {WITHOUT_VALKEY.start}": self._keep_valkey_down,
            f"round {WITHOUT_VALKEY.stop}": self._valkey_was_down,
            "closing T1": self._hold_settlements,
            "settling T1": self._kill_worker_in_settlement,
            "closing T2": self._hold_settlements,
            "settling T2": self._kill_postgres_in_settlement,
        }
        self._threads = ThreadPoolExecutor(max_workers=len(KILLS))
        self._kills: list[Future[int]] = []
        self._holding: psycopg.Connection[Any] | None = None

    def before(self, moment: str) -> None:
        """Kill what is planned for the moment, while the shift goes on."""
        for name, delay in self.plan.get(moment, ()):
            self._kills.append(self._threads.submit(self._kill_after, delay, name, moment))
        if moment in self.acts:
            self.acts[moment](moment)

    def end(self) -> None:
        """Wait until everything that was planned has happened and everything is back."""
        self._wait_until_whole("the end")
        self._threads.shutdown()

    def _kill_after(self, seconds: float, name: str, moment: str) -> int:
        threading.Event().wait(seconds)
        return self.site.kill(name, after=f"{seconds:.3f} s into {moment}")

    def _wait_until_whole(self, _moment: str) -> None:
        for kill in self._kills:
            kill.result()
        for name in SITE:
            self.site.await_child(name)
        assert wait_for(WebAddress(host="127.0.0.1", port=self.site.port).is_healthy, seconds=60)

    # --- Valkey away for longer than a restart takes

    def _keep_valkey_down(self, moment: str) -> None:
        while not self.site.waits_to_restart("valkey", seconds=4):
            self.site.kill("valkey", after=f"before {moment}, to keep it down")
            self.site.await_end("valkey")

    def _valkey_was_down(self, _moment: str) -> None:
        assert self.site.process_of("valkey") is None, "it came back among the ten rounds"

    # --- kills in the midst of a settlement, made to wait at its second step

    def _hold_settlements(self, moment: str) -> None:
        self._wait_until_whole(moment)
        self._holding = self.site.books()
        self._holding.execute("LOCK TABLE tables_sessiontotals IN SHARE MODE")

    def _kill_worker_in_settlement(self, moment: str) -> None:
        self._wait_for_settlement()
        self.site.kill("worker", after=f"{moment}, at its second step")
        self._let_settlements_go()

    def _kill_postgres_in_settlement(self, moment: str) -> None:
        self._wait_for_settlement()
        self.site.kill("postgres", after=f"{moment}, at its second step")
        self._let_settlements_go()

    def _wait_for_settlement(self) -> None:
        held = (
            "SELECT count(*) FROM pg_locks"
            " WHERE relation = 'tables_sessiontotals'::regclass AND NOT granted"
        )
        with self.site.books() as books:
            assert wait_for(lambda: books.execute(held).fetchone() != (0,), seconds=60)

    def _let_settlements_go(self) -> None:
        assert self._holding is not None
        self._holding.close()


@pytest.fixture(scope="module")
def survived() -> Evidence:
    """Play the same shift on a site that is killed piece by piece."""
    with running_site() as site:
        trouble = Trouble(site, SEED)
        shift = Shift(site=site, surroundings=trouble)
        shift.play()
        trouble.end()
        return gather(shift)


@pytest.fixture(autouse=True)
def told(survived: Evidence) -> None:
    """Show with a failure what was killed when, so that it can be repeated."""
    print(f"seed {SEED}:", *survived.killed, sep="\n")  # noqa: T201  shown with a failure


def test_it_ends_as_the_undisturbed_shift(survived: Evidence, undisturbed: Evidence) -> None:
    assert survived.essence() == undisturbed.essence()


def test_it_ends_with_every_figure_equal(survived: Evidence) -> None:
    prove(survived)


def test_every_part_was_killed_more_than_once(survived: Evidence) -> None:
    in_settlements = ["worker", "postgres"]
    killed = Counter(each.name for each in survived.killed)
    assert killed.pop("valkey") > KILLS["valkey"]
    assert killed == Counter(KILLS) + Counter(in_settlements) - Counter(["valkey"])


def test_nothing_ended_that_was_not_killed(survived: Evidence) -> None:
    assert survived.ended == Counter((each.name, -SIGKILL) for each in survived.killed)


def test_rounds_settle_without_delay_while_valkey_is_away(survived: Evidence) -> None:
    before = median(survived.answers[number].seconds for number in COMPARED_WITH)
    without = median(survived.answers[number].seconds for number in WITHOUT_VALKEY)
    assert {survived.answers[number].tries for number in WITHOUT_VALKEY} == {1}
    assert without < RATIO * before


def test_a_kill_explains_every_error_in_the_logs(survived: Evidence) -> None:
    found = {name: unexplained(log, explained=EXPLAINED) for name, log in survived.logs.items()}
    assert found == {"web": [], "worker": [], "beat": []}
