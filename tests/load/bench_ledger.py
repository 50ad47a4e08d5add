"""What the ledger costs beside its peers: ``python -m tests.load.bench_ledger``.

Prints the rows of ledger.md 4.7 as ratios within rounds, and below them the rates and the CPU
time of every run. Nothing is asserted: a clock is no test.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from casino.local.places import DATABASE
from tests.load.ledger.rounds import Heat, Machine, Round, Row, medians, run_rounds
from tests.load.ledger.servers import PEERS, running
from tests.load.ledger.table import MANY_LEGS, table
from tests.load.ledger.teams import SEALED, Filling, competing

_LINE: Final = "{:14} {:70} {:>8} {:>10} {:>9}  {}"
_RUN: Final = "{:17} {:36} {:>8} {:>10} {:>10} {:>10}"
QUICK: Final = ("raw", "hordak", "hordak-4", "cpu", "bare-cpu")

ENOUGH: Final = 5_000
"""Entries below which the first pages of the indexes weigh more than what is in them."""


def main() -> None:
    """Measure and print."""
    given = _arguments()
    rows = [row for row in table(given.legs) if row.name in given.rows]
    heats = {heat for row in rows for heat in row.heats}
    read = sorted({legs for heat in heats if (legs := heat.read_legs)})
    filling = Filling(entries=given.filled, accounts=tuple(read))
    with running() as servers, competing(servers) as teams:
        teams.prepare(ways={heat.way for heat in heats}, seed=given.seed, filling=filling)
        rounds = run_rounds(teams, rows, count=given.rounds, seconds=given.seconds, seed=given.seed)
    _print_rows(rows, rounds)
    if given.filled >= ENOUGH:
        _print_sizes(teams.bytes_an_entry)
    _print_heats(rounds)


def _arguments() -> argparse.Namespace:
    names = [row.name for row in table(MANY_LEGS)]
    usual = [name for name in names if not name.startswith("clients-")]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", nargs="+", choices=names, metavar="ROW", help=", ".join(names))
    parser.add_argument("--quick", action="store_true", help="the rows of one entry, in a minute")
    parser.add_argument("--rounds", type=int, help="5, or 3 in a hurry")
    parser.add_argument("--seconds", type=float, help="of each run: 2, or 1 in a hurry")
    parser.add_argument("--filled", type=int, help="entries there before: 5000, or 1000")
    parser.add_argument("--legs", type=int, default=MANY_LEGS, help="of the account that is read")
    parser.add_argument("--seed", default="1", help="of every choice")
    given = parser.parse_args()
    given.rows = given.rows or (QUICK if given.quick else usual)
    given.rounds = given.rounds or (3 if given.quick else 5)
    given.seconds = given.seconds or (1 if given.quick else 2)
    given.filled = given.filled or (1_000 if given.quick else ENOUGH)
    return given


def _print_rows(rows: Sequence[Row], rounds: Mapping[Machine, Sequence[Round]]) -> None:
    _say(_LINE.format("row", "what", "at least", "prototype", "ours", "spread"))
    for row in rows:
        middle, least, most = medians(row, rounds)
        spread = f"{least:.2f}-{most:.2f}"
        _say(_LINE.format(row.name, row.what, row.bound, row.prototype, f"{middle:.2f}", spread))


def _print_sizes(sizes: Mapping[str, float]) -> None:
    posted, hordak = sizes[DATABASE], sizes[PEERS]
    if not hordak:
        return
    for name, what, bound, prototype, ours in (
        ("bytes", "bytes an entry over hordak's", "<= 2.5", "2.1", posted),
        ("bytes-sealed", "... with its seal and its event", "", "", sizes[SEALED]),
    ):
        both = f"{ours:.0f} over {hordak:.0f}"
        _say(_LINE.format(name, what, bound, prototype, f"{ours / hordak:.2f}", both))


def _print_heats(rounds: Mapping[Machine, Sequence[Round]]) -> None:
    _say("")
    _say(_RUN.format("machine", "run", "clients", "a second", "server us", "client us"))
    for machine, done in rounds.items():
        for heat in done[0]:
            samples = [each[heat] for each in done]
            rate = median(each.rate for each in samples)
            server = median(each.server for each in samples) * 1e6
            client = median(each.client for each in samples) * 1e6
            figures = (f"{rate:.1f}", f"{server:.0f}", f"{client:.0f}")
            _say(_RUN.format(machine, _name(heat), heat.clients, *figures))


def _name(heat: Heat) -> str:
    return " ".join([heat.way, *(f"{name}={value}" for name, value in heat.options)])


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
