"""A table of Pai Gow Poker as the checks of a round see it.

Invariant: what is named here and not built is refused by name, wherever a round names it.

Source: pai-gow-poker.md 2, 3, 14.
"""

from typing import Final

from rules.cards import PACK
from rules.rounds import Layout

LAYOUT: Final = Layout(
    pack=PACK,
    first_seat=1,
    # Eight positions, the bank being one; six players at most can be dealt seven of 53 cards.
    last_seat=7,
    low_size=2,
    high_size=5,
    unbuilt_side_bets=frozenset(
        {
            *(f"fortune_{number}" for number in range(1, 8)),
            "emperors_challenge",
            "pai_gow_insurance",
            "queens_dragon",
            "tiger_9",
            "dealer_bonus",
        }
    ),
)
