"""Pai Gow Poker, the game with 52 cards and a joker; it is not pai gow with tiles.

Invariant: a copy goes to the bank; nothing else is decided by who holds it. Source:
pai-gow-poker.md.
"""

from rules.pai_gow_poker.game import GAME, PaiGowPoker
from rules.pai_gow_poker.options import HouseRules

__all__ = ["GAME", "HouseRules", "PaiGowPoker"]
