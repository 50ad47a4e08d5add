"""Each house way against itself, over all 736,281,000 deals of two hands.

A deal is an ordered pair of hands without a common tile. Such pairs are counted by inclusion
and exclusion over the tiles that two hands could share: for each set of at most three tiles
the hands that hold it are compared with one another, disjoint or not, with alternating signs;
two hands that share four tiles are one hand, which loses to itself.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import accumulate, combinations

import pytest

from rules.pai_gow import GAME
from rules.pai_gow.house_ways import set_house_way
from rules.pai_gow.options import HouseRules
from tests.rules.specification import rows
from tests.strategies import TILES

TABLE = {
    row[0]: tuple(int(cell.replace(",", "")) for cell in row[1:4])
    for row in rows("rules/pai-gow.md", section="9", first_cell=r"\w+, (required|free|either)")
}
HANDS = tuple(combinations(range(len(TILES)), 4))
DEALS = math.comb(32, 4) * math.comb(28, 4)

Sets = Counter[tuple[int, int]]
"""How often a set occurs, by the places of its low and high key among all keys."""


def sets_played(rules: HouseRules) -> tuple[list[tuple[int, int]], int]:
    """Return the set of each hand by the places of its keys, and how many keys there are."""
    played = [
        set_house_way(tuple(TILES[tile] for tile in hand), rules).played.low_first for hand in HANDS
    ]
    place = {
        key: index for index, key in enumerate(sorted({key for keys in played for key in keys}))
    }
    return [(place[low], place[high]) for low, high in played], len(place)


def count_few(sets: Sets) -> tuple[int, int]:
    """Return how many ordered pairs of *sets* the first wins and loses."""
    wins = losses = 0
    for (low, high), often in sets.items():
        for (bank_low, bank_high), bank_often in sets.items():
            if low > bank_low and high > bank_high:
                wins += often * bank_often
            elif low <= bank_low and high <= bank_high:
                losses += often * bank_often
    return wins, losses


def count_many(sets: Sets, keys: int) -> tuple[int, int]:
    """Return what :func:`count_few` does, by the sums of a table over all pairs of keys."""
    at_most = [[0] * (keys + 1)]
    for low in range(keys):
        row = accumulate((sets[low, high] for high in range(keys)), initial=0)
        at_most.append([above + here for above, here in zip(at_most[-1], row, strict=True)])
    total = sets.total()
    wins = losses = 0
    for (low, high), often in sets.items():
        no_better = at_most[low + 1][high + 1]
        wins += often * (total - at_most[low + 1][keys] - at_most[keys][high + 1] + no_better)
        losses += often * no_better
    return wins, losses


def shared_parts(played: list[tuple[int, int]]) -> Iterator[tuple[int, tuple[str, ...], Sets]]:
    """Yield, for each set of at most three tiles, its size, its faces and the sets that hold it."""
    for size in range(4):
        holding: dict[tuple[int, ...], Sets] = defaultdict(Counter)
        for hand, keys in zip(HANDS, played, strict=True):
            for part in combinations(hand, size):
                holding[part][keys] += 1
        for part, sets in holding.items():
            yield size, tuple(TILES[tile] for tile in part), sets


def totals(rules: HouseRules) -> tuple[int, int, int]:
    played, keys = sets_played(rules)
    wins, losses = 0, len(HANDS)
    counted: dict[tuple[str, ...], tuple[int, int]] = {}
    for size, faces, sets in shared_parts(played):
        if faces not in counted:
            counted[faces] = count_few(sets) if len(sets) < 60 else count_many(sets, keys)
        won, lost = counted[faces]
        wins += (-1) ** size * won
        losses += (-1) ** size * lost
    return wins, losses, DEALS - wins - losses


def test_the_table_has_a_row_of_each_house_way():
    assert len(TABLE) == 7


@pytest.mark.parametrize("row", TABLE)
def test_all_deals_end_as_the_specification_counts(row):
    way, together = row.split(", ")
    for each in ("required", "free") if together == "either" else (together,):
        rules = GAME.options.resolve({"house_way": way, "gee_joon_together": each})
        assert totals(rules) == TABLE[row]
