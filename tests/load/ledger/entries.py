"""The entry that every contestant posts: four postings, three balances, chosen by a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

ACCOUNTS = 300
"""Accounts that are spread over; their numbers are 0 to 299."""
HOT, HOT_SHARDED = ACCOUNTS, ACCOUNTS + 1
"""Two house accounts: of one balance row, and of sixteen where a contestant can share a load."""
DAYS = 100
"""Gaming days over which the legs of the accounts that are read are spread."""

Lines = list[tuple[int, int]]
"""(account's number, amount in minor units: debit above zero), adding up to nothing."""


def entries(seed: str, *, hot: int | None = None) -> Iterator[Lines]:
    """Yield entries without end, the same for the same seed; *hot* is a part of each if given."""
    chance = random.Random(seed)
    while True:
        first, second, third = chance.sample(range(ACCOUNTS), 3)
        if hot is not None:
            second = hot
        one, other = chance.randint(1, 50_000), chance.randint(1, 50_000)
        yield [(first, one), (second, -one), (first, other), (third, -other)]


def long_entry(seed: str, *, legs: int) -> Lines:
    """Return one entry of *legs* postings, spread over the accounts."""
    chance = random.Random(seed)
    amounts = [chance.randint(1, 50_000) for _ in range(legs // 2)]
    return [(chance.randrange(ACCOUNTS), sign * amount) for amount in amounts for sign in (1, -1)]
