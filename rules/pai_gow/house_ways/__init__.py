"""How the dealer sets four tiles, and why.

The invariant: the house way is a function of four tiles and the table's options, whatever
their order, and what it answers is legal. The sentences that it gives are made by the rules
that decide, so the explanation cannot differ from the play.

Source:
    pai-gow.md 8.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from rules.pai_gow.house_ways.foxwoods import foxwoods
from rules.pai_gow.house_ways.frame import TilesDecision, Weighed
from rules.pai_gow.house_ways.new_zealand import new_zealand
from rules.pai_gow.house_ways.pennsylvania import pennsylvania
from rules.pai_gow.house_ways.traditional import traditional
from rules.pai_gow.options import GeeJoonTogether, HouseRules, HouseWayName
from rules.pai_gow.ranking import GeeJoonSingleRank
from rules.pai_gow.setting import legal_sets
from rules.pai_gow.tiles import in_table_order
from rules.rounds import Hand

__all__ = ["TilesDecision", "set_house_way"]

_WAYS: Final[Mapping[HouseWayName, Callable[[Weighed], TilesDecision]]] = {
    HouseWayName.TRADITIONAL: traditional,
    HouseWayName.FOXWOODS_1997: foxwoods,
    HouseWayName.NZ_1998: new_zealand,
    HouseWayName.PA_621A: pennsylvania,
}


def set_house_way(hand: Hand, rules: HouseRules) -> TilesDecision:
    """Return how the dealer sets four tiles under the table's house way."""
    return _set(
        in_table_order(hand), rules.house_way, rules.gee_joon_together, rules.gee_joon_single_rank
    )


@cache  # at most 8,130 different hands with each way and options, a few hundred bytes each
def _set(
    tiles: Hand, way: HouseWayName, together: GeeJoonTogether, single_rank: GeeJoonSingleRank
) -> TilesDecision:
    sets = legal_sets(tiles, together=together, single_rank=single_rank)
    return _WAYS[way](Weighed(tiles=tiles, sets=sets, single_rank=single_rank))
