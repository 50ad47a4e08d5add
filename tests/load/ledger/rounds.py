"""Rounds in which all contestants run one after another, so that a noisy minute hits them all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from os import cpu_count
from statistics import median
from typing import Any, Final

from tests.load.ledger.teams import Sample, Teams

SPIN: Final = "while True: pass"
NEIGHBOURS_PER_CORE: Final = 2


class Machine(StrEnum):
    """What is done to the machine while a round runs."""

    QUIET = "quiet"
    NO_WAIT = "no wait for disk"
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class Heat:
    """One contestant's run: which way, with how many clients at once, and its options."""

    way: str
    clients: int = 1
    options: tuple[tuple[str, Any], ...] = field(default=(), kw_only=True)

    def with_(self, **options: Any) -> Heat:
        """Return the heat with more options."""
        return Heat(self.way, self.clients, options=(*self.options, *options.items()))

    @property
    def read_legs(self) -> int:
        """Legs of the account that it reads, 0 if it reads none."""
        options = dict(self.options)
        return int(options["legs"]) if not self.way.endswith("long") and "legs" in options else 0

    def by(self, clients: int) -> Heat:
        """Return the heat with another number of clients."""
        return Heat(self.way, clients, options=self.options)


Round = Mapping[Heat, Sample]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of table 4.7: a ratio of heats of the same round."""

    name: str
    what: str
    bound: str
    """`0.6` is at least, `<= 0.5` at most."""
    prototype: str
    heats: tuple[Heat, ...]
    ratio: Callable[[Round], float]
    machine: Machine = Machine.QUIET


def faster(
    name: str, what: str, heat: Heat, than: Heat, *, bound: str, prototype: str,
    machine: Machine = Machine.QUIET,
) -> Row:  # fmt: skip
    """Return the row that compares two rates."""
    return Row(
        name=name,
        what=what,
        bound=bound,
        prototype=prototype,
        heats=(heat, than),
        ratio=lambda done: done[heat].rate / done[than].rate,
        machine=machine,
    )


def run_rounds(
    teams: Teams, rows: Sequence[Row], *, count: int, seconds: float, seed: str
) -> dict[Machine, list[Round]]:
    """Run every heat that the rows need, *count* times, and return the rounds by machine."""
    done: dict[Machine, list[Round]] = {}
    for machine in Machine:
        heats = list(dict.fromkeys(
            heat for row in rows if row.machine is machine for heat in row.heats
        ))  # fmt: skip
        if not heats:
            continue
        with _state(machine, teams):
            for number in range(count):
                # Forwards and backwards in turn: whoever follows a heavy neighbour differs.
                teams.sweep()
                order = heats if number % 2 == 0 else heats[::-1]
                done.setdefault(machine, []).append(
                    _round(teams, order, seconds=seconds, seed=f"{seed}-{machine}-{number}")
                )
    return done


def medians(row: Row, rounds: Mapping[Machine, Sequence[Round]]) -> tuple[float, float, float]:
    """Return the median of the rounds' own ratios, the least and the greatest."""
    ratios = [row.ratio(each) for each in rounds[row.machine]]
    return median(ratios), min(ratios), max(ratios)


def _round(teams: Teams, heats: Iterable[Heat], *, seconds: float, seed: str) -> Round:
    return {
        heat: teams.of(heat.way).run(
            heat.way,
            clients=heat.clients,
            seconds=seconds,
            options={**dict(heat.options), "seed": seed},
        )
        for heat in heats
    }


@contextmanager
def _state(machine: Machine, teams: Teams) -> Iterator[None]:
    spinning = NEIGHBOURS_PER_CORE * (cpu_count() or 1) if machine is Machine.BUSY else 0
    teams.servers.wait_for_disk(wanted=machine is not Machine.NO_WAIT)
    neighbours = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(spinning)]
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
        teams.servers.wait_for_disk(wanted=True)
