"""Pai Gow, the game with 32 Chinese tiles (牌九); it is not pai gow poker.

The invariant: a copy, and 0 against 0, goes to the bank; nothing else is decided by who holds
it. Source: pai-gow.md.
"""

from rules.pai_gow.game import GAME, PaiGow
from rules.pai_gow.options import HouseRules

__all__ = ["GAME", "HouseRules", "PaiGow"]
