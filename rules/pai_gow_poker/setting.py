"""Dividing seven cards into a front of two and a back of five.

Invariant: a `Setting` is a partition of seven different cards, each part in shown order, so equal
settings are equal values whatever the order in which their cards were given.

Source: pai-gow-poker.md 6.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Self

from rules.cards import DECK, Card
from rules.pai_gow_poker.ranking import HandRank, Ranking, front_worth

HAND_SIZE: Final = 7

Split = tuple[int, int, tuple[int, ...]]
SPLITS: Final[tuple[Split, ...]] = tuple(
    (first, second, tuple(n for n in range(HAND_SIZE) if n not in {first, second}))
    for first, second in combinations(range(HAND_SIZE), 2)
)
"""The 21 ways to divide seven places: two of the front, five of the back. Of cards in shown order
those with the higher front card, then the lower suit, come first."""

_PLACE: Final = tuple((-card.rank, card) for card in DECK)


def in_shown_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return *cards* from ace to two, suits c, d, h, s, the joker after the natural aces."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Seven cards as they are set: two in front (low), five behind (high)."""

    low: tuple[Card, ...]
    high: tuple[Card, ...]

    @classmethod
    def of(cls, *, low: Iterable[Card], high: Iterable[Card]) -> Self:
        """Make a setting of two and five cards, given in any order."""
        setting = cls(low=in_shown_order(low), high=in_shown_order(high))
        assert (len(setting.low), len(setting.high)) == (2, 5), setting
        return setting


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHand:
    """A setting with what its two hands are worth."""

    setting: Setting
    front: HandRank
    back: HandRank

    @property
    def is_legal(self) -> bool:
        """Whether the back ranks equal to or higher than the front (pai-gow-poker.md 6.1).

        The front counts as a poker hand with fewer cards: where it equals the first cards of the
        back, the back is the higher one.
        """
        return self.back.worth >= self.front.worth


def rank_setting(setting: Setting, *, ranking: Ranking) -> SetHand:
    """Return *setting* with the ranks of its front and back."""
    front = front_worth(*setting.low)
    back = ranking.back_worth(setting.high)
    return SetHand(setting=setting, front=HandRank(front, size=2), back=HandRank(back, size=5))


def list_settings(hand: Iterable[Card]) -> tuple[Setting, ...]:
    """Return the 21 settings of seven cards, those with the higher front card first."""
    cards = in_shown_order(hand)
    assert len(cards) == HAND_SIZE, cards
    return tuple(
        Setting(low=(cards[first], cards[second]), high=tuple(cards[n] for n in rest))
        for first, second, rest in SPLITS
    )


def list_legal_settings(hand: Iterable[Card], *, ranking: Ranking) -> tuple[SetHand, ...]:
    """Return the settings of seven cards that are not fouled, with their ranks.

    Source: pai-gow-poker.md 6.1 and 6.2.
    """
    ranked = (rank_setting(setting, ranking=ranking) for setting in list_settings(hand))
    return tuple(set_hand for set_hand in ranked if set_hand.is_legal)
