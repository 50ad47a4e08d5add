"""Pai Gow Poker as the registry lists it.

Invariant: what is said of one hand is what settling says of it, since both ask one table.
"""

from typing import Final

from rules.banked_game import BankedGame
from rules.cards import read_cards
from rules.pai_gow_poker.layout import LAYOUT
from rules.pai_gow_poker.options import SCHEMA, HouseRules
from rules.pai_gow_poker.settle import CardsSet, CardsTable
from rules.registry import Game, HandValue
from rules.rounds import Hand


class PaiGowPoker(BankedGame[HouseRules, CardsSet]):
    """The banked game with 52 cards and a joker; see :class:`rules.registry.Game`."""

    def __init__(self) -> None:
        super().__init__(
            name="pai_gow_poker", options=SCHEMA, layout=LAYOUT, table=CardsTable, value=_value
        )


def _value(hand: Hand, rules: HouseRules) -> HandValue:
    ranked = rules.ranking().rank(read_cards(hand))
    return HandValue(category=ranked.hand_class.name.lower(), key=ranked.key, text=ranked.words)


GAME: Final[Game[HouseRules]] = PaiGowPoker()
