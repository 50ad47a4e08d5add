"""Pai Gow Poker under the house rules of one table: what its settling asks the cards.

Invariant: a setting's own two hands decide whether it is fouled, and the policy of the table
what it comes to; who holds the bank is no question here.

Source: pai-gow-poker.md 2, 6.3, 13.2.
"""

from collections.abc import Iterator
from typing import Final

from rules.banked_round import Decision, DividedHand
from rules.cards import Rank, read_cards, write_cards
from rules.pai_gow_poker.house_way import set_house_way
from rules.pai_gow_poker.layout import LAYOUT
from rules.pai_gow_poker.options import FoulPolicy, HouseRules, Variant
from rules.pai_gow_poker.ranking import HandClass, HandRank
from rules.pai_gow_poker.setting import SetHand, in_shown_order, list_legal_settings
from rules.rounds import Hand, Layout, SetInput
from rules.settlement import CommissionRule, Step

CardsSet = DividedHand[HandRank]


class CardsTable:
    """A table of cards; see :class:`rules.banked_round.Table`.

    Wagers are settled whatever their amount: limits are a question of placing them
    (pai-gow-poker.md 2).
    """

    __slots__ = ("_ranking", "_rules")

    def __init__(self, rules: HouseRules) -> None:
        self._rules, self._ranking = rules, rules.ranking()

    @property
    def layout(self) -> Layout:
        """Return what a table of cards looks like."""
        return LAYOUT

    @property
    def commission(self) -> CommissionRule:
        """Return the commission on a win."""
        return self._rules.commission()

    @property
    def fouls_lose(self) -> bool:
        """Tell whether a fouled hand loses; else it is reset the house way."""
        return self._rules.foul_policy is FoulPolicy.LOSE

    @property
    def bank_may_push_all(self) -> bool:
        """Tell whether this is a variant in which a hand of the bank pushes every wager."""
        return self._rules.variant is Variant.TIGER9_PUSH

    def check_accepted(self, wager: int) -> None:
        """Require nothing of a *wager* that the dealer has accepted."""

    def divide(self, given: SetInput) -> CardsSet:
        """Return a setting of a hand's own cards with its ranks."""
        front, back = in_shown_order(read_cards(given.low)), in_shown_order(read_cards(given.high))
        return DividedHand(
            low=write_cards(front),
            high=write_cards(back),
            low_rank=self._ranking.rank(front),
            high_rank=self._ranking.rank(back),
        )

    def legal_sets(self, hand: Hand) -> Iterator[CardsSet]:
        """Return every legal setting of seven cards, those with the higher front card first."""
        return map(_divided, list_legal_settings(read_cards(hand), ranking=self._ranking))

    def house_way(self, hand: Hand) -> Decision[CardsSet]:
        """Set seven cards as the dealer must."""
        decided = set_house_way(read_cards(hand), way=self._rules.way(), ranking=self._ranking)
        return Decision(played=_divided(decided.set_hand), steps=decided.steps)

    def fault_of(self, placed: CardsSet) -> Step | None:
        """Return why a setting is fouled, or None for a legal one."""
        front, back = placed.low_rank, placed.high_rank
        if back.worth >= front.worth:
            return None
        return Step(
            "{front} in front is higher than {back} behind",
            {"front": front.words, "back": back.words},
        )

    def reordered(self, foul: CardsSet) -> None:
        """Return that two cards and five cannot be exchanged."""

    def push_of_all(self, bank: CardsSet) -> Step | None:
        """Return why the bank's front pushes every wager, or None if it does not."""
        front = bank.low_rank
        is_nine_high = front.hand_class is HandClass.HIGH_CARD and front.key[1] == Rank.NINE
        return _NINE_HIGH if self.bank_may_push_all and is_nine_high else None


_NINE_HIGH: Final = Step("The bank's low hand is nine high: every main wager pushes.")


def _divided(set_hand: SetHand) -> CardsSet:
    return DividedHand(
        low=write_cards(set_hand.setting.low),
        high=write_cards(set_hand.setting.high),
        low_rank=set_hand.front,
        high_rank=set_hand.back,
    )
