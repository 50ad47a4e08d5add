"""What a hand and a round cost in the rules: ``python -m tests.load.bench_rules``.

Prints CPU time in microseconds and as a ratio to a plain loop measured in the same run, since
only the ratio can be compared between machines. Nothing is asserted: a clock is no test.

Source:
    performance.md 6, L5 to L7, through the public functions, reading and checking included.
"""

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

from rules.registry import game

ROUNDS = 400
REPEATS = 7
SEATS = 6
LOOP = 1_000
"""Additions of the plain loop that every row is held against."""

Deal = list[list[str]]
"""Shuffled hands: the bank's, then each seat's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One game with its default options, and deals that are the same in every run."""

    game: Any
    options: Any
    deals: tuple[Deal, ...]

    def round(self, deal: Deal, *, seats: int) -> dict[str, object]:
        """Return a round in JSON form; each seat has set its own hand legally."""
        bank, *hands = deal
        return {
            "bank": {"holder": "house", "hand": bank, "set": "house_way"},
            "seats": [
                {"seat": number, "wager": 1_000, "hand": hand, "set": self.set_of(hand)}
                for number, hand in enumerate(hands[:seats], 1)
            ],
        }

    def set_of(self, hand: list[str]) -> dict[str, list[str]]:
        """Return the legal set of a hand that its tokens choose."""
        legal = self.game.legal_sets(options=self.options, hand=hand)
        chosen = legal[sum(map(ord, "".join(hand))) % len(legal)]
        return {"low": list(chosen.low), "high": list(chosen.high)}

    def settle(self, given: dict[str, object]) -> object:
        """Settle one round."""
        return self.game.settle(options=self.options, round=given)

    def house_way(self, hand: list[str]) -> object:
        """Set one hand as the dealer does."""
        return self.game.house_way(options=self.options, hand=hand)


def bench_of(name: str) -> Bench:
    """Return the bench of the game called *name*."""
    played = game(name)
    copies = played.layout.pack.copies
    pack = [token for token, count in copies.items() for _ in range(count)]
    chance, size = random.Random(name), played.layout.hand_size
    deals = []
    for _ in range(ROUNDS):
        chance.shuffle(pack)
        deals.append([pack[n * size : (n + 1) * size] for n in range(SEATS + 1)])
    return Bench(game=played, options=played.options.resolve({}), deals=tuple(deals))


def microseconds(act: Callable[[Any], object], given: Sequence[Any]) -> float:
    """Return the CPU time of one *act*, the median over repeats of the mean over *given*."""
    times = []
    for _ in range(REPEATS):
        before = process_time()
        for one in given:
            act(one)
        times.append((process_time() - before) / len(given) * 1e6)
    return median(times)


def plain_loop(_: object) -> int:
    """Add up the first numbers, as plainly as Python can."""
    total = 0
    for number in range(LOOP):
        total += number
    return total


def rows(name: str) -> dict[str, float]:
    """Return what a game costs by row, in microseconds."""
    bench = bench_of(name)
    whole = [bench.round(deal, seats=SEATS) for deal in bench.deals]
    single = [bench.round(deal, seats=1) for deal in bench.deals]
    round_cost = microseconds(bench.settle, whole)
    single_cost = microseconds(bench.settle, single)
    return {
        "L5 one more seat, its own set": (round_cost - single_cost) / (SEATS - 1),
        f"L6 round, bank and {SEATS} seats": round_cost,
        "L6 the same with its answer": microseconds(
            lambda given: bench.settle(given).as_dict(), whole
        ),
        "L7 house way of one hand": microseconds(
            bench.house_way, [deal[0] for deal in bench.deals]
        ),
        "L7 one player against the bank": single_cost,
    }


def main() -> None:
    """Print the rows of every game beside the plain loop."""
    loop = microseconds(plain_loop, range(ROUNDS))
    sys.stdout.write(f"{'plain loop of ' + str(LOOP) + ' additions':45}{loop:9.1f} us   1.00\n")
    for name in ("pai_gow", "pai_gow_poker"):
        for row, cost in rows(name).items():
            sys.stdout.write(f"{name + ': ' + row:45}{cost:9.1f} us {cost / loop:6.2f}\n")


if __name__ == "__main__":
    main()
