"""Pai Gow as the registry lists it.

The invariant: what is said of one hand is what settling says of it, since both ask one table.
"""

from typing import Final

from rules.banked_game import BankedGame
from rules.pai_gow.options import SCHEMA, HouseRules
from rules.pai_gow.ranking import rank
from rules.pai_gow.setting import RankedSet
from rules.pai_gow.settle import TilesTable
from rules.pai_gow.tiles import LAYOUT
from rules.registry import Game, HandValue
from rules.rounds import Hand


class PaiGow(BankedGame[HouseRules, RankedSet]):
    """The banked game with 32 Chinese tiles; see :class:`rules.registry.Game`."""

    def __init__(self) -> None:
        super().__init__(
            name="pai_gow", options=SCHEMA, layout=LAYOUT, table=TilesTable, value=_value
        )


def _value(tiles: Hand, rules: HouseRules) -> HandValue:
    first, second = tiles
    ranked = rank(first, second, single_rank=rules.gee_joon_single_rank)
    return HandValue(category=ranked.hand_class, key=ranked.key, text=ranked.words)


GAME: Final[Game[HouseRules]] = PaiGow()
