"""Pai Gow as the registry lists it: each question is one call into the package.

The invariant: every hand that reaches the rules was read by the pack first, so no rule meets
a tile that does not exist.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from rules import errors
from rules.options import OptionSchema
from rules.pai_gow.house_way import set_house_way
from rules.pai_gow.options import SCHEMA, HouseRules, HouseWayName
from rules.pai_gow.ranking import rank
from rules.pai_gow.setting import legal_sets, require_legal
from rules.pai_gow.settle import settle
from rules.pai_gow.tiles import LAYOUT, PACK
from rules.registry import Game, HandValue, Setting
from rules.rounds import Hand, Layout, RoundInput, SetInput, check_wager, read_round
from rules.settlement import Settlement


class PaiGow:
    """The banked game with 32 Chinese tiles; see :class:`rules.registry.Game`."""

    name = "pai_gow"
    options: OptionSchema[HouseRules] = SCHEMA
    layout: Layout = LAYOUT

    def describe(self) -> dict[str, object]:
        """Return what a table of this game can be, as built."""
        return {
            "options": SCHEMA.describe(),
            "seats": {"first": LAYOUT.first_seat, "last": LAYOUT.last_seat},
            "hand_size": LAYOUT.hand_size,
            "house_ways": [HouseWayName.TRADITIONAL.value],
            "side_bets": sorted(LAYOUT.side_bets),
        }

    def check_hand(self, tokens: Sequence[str]) -> Hand:
        """Return four tiles as answers write them.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
        """
        with errors.at("hand"):
            return PACK.read_hand(tokens, sizes=(LAYOUT.hand_size,))

    def check_set(self, *, options: HouseRules, hand: Sequence[str], given: SetInput) -> SetInput:
        """Return a legal set of *hand* as answers write it.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
            HandSizeError, UnknownTokenError, ForeignSetError, IllegalSetError: pointing into
                ``/set``.
        """
        tiles = self.check_hand(hand)
        with errors.at("set"):
            own = LAYOUT.read_set(given, hand=tiles)
            require_legal(own, rules=options)
        return own

    def check_wager(self, *, options: HouseRules, wager: int) -> None:
        """Require that *wager* (minor units) is within the limits of the table.

        Raises:
            WagerNotPositiveError, WagerBelowMinimumError, WagerAboveMaximumError,
            WagerIncrementError: pointing to ``/wager``.
        """
        with errors.at("wager"):
            check_wager(
                wager,
                minimum=options.wager_min,
                maximum=options.wager_max,
                increment=options.wager_increment,
            )

    def value(self, *, options: HouseRules, cards: Sequence[str]) -> HandValue:
        """Rank two tiles.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/cards``.
        """
        with errors.at("cards"):
            first, second = PACK.read_hand(cards, sizes=(LAYOUT.low_size,))
        ranked = rank(first, second, single_rank=options.gee_joon_single_rank)
        return HandValue(category=ranked.hand_class, key=ranked.key, text=ranked.text)

    def legal_sets(self, *, options: HouseRules, hand: Sequence[str]) -> tuple[SetInput, ...]:
        """Return every legal set of four tiles; of two equal hands either may lie low.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
        """
        found = legal_sets(
            self.check_hand(hand),
            together=options.gee_joon_together,
            single_rank=options.gee_joon_single_rank,
        )
        return tuple(SetInput(low=one.low, high=one.high) for one in found)

    def house_way(self, *, options: HouseRules, hand: Sequence[str]) -> Setting:
        """Set four tiles as the dealer must, and say why.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
        """
        decided = set_house_way(self.check_hand(hand), options)
        return Setting(low=decided.played.low, high=decided.played.high, steps=decided.steps)

    def settle(
        self, *, options: HouseRules, round: RoundInput | Mapping[str, object]
    ) -> Settlement:
        """Settle a round against the house's bank.

        Raises:
            RulesError: the round cannot be settled; points into ``/round``.
        """
        with errors.at("round"):
            given = round if isinstance(round, RoundInput) else read_round(round)
            return settle(given, options)


GAME: Final[Game[HouseRules]] = PaiGow()
