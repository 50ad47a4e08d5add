"""Pai Gow Poker as the registry lists it: each question is one call into the package.

Invariant: every hand that reaches the rules was read by the pack first, so no rule meets a card
that does not exist or exists twice.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from rules import errors
from rules.cards import PACK, Card, parse_card
from rules.options import OptionSchema
from rules.pai_gow_poker.house_way import HOUSE_WAYS, set_house_way
from rules.pai_gow_poker.layout import LAYOUT
from rules.pai_gow_poker.options import SCHEMA, HouseRules
from rules.pai_gow_poker.setting import Setting as CardSetting
from rules.pai_gow_poker.setting import list_legal_settings, rank_setting
from rules.pai_gow_poker.settle import settle
from rules.registry import Game, HandValue, Setting
from rules.rounds import Hand, Layout, RoundInput, SetInput, check_wager, read_round
from rules.settlement import Settlement


class PaiGowPoker:
    """The banked game with 52 cards and a joker; see :class:`rules.registry.Game`."""

    name = "pai_gow_poker"
    options: OptionSchema[HouseRules] = SCHEMA
    layout: Layout = LAYOUT

    def describe(self) -> dict[str, object]:
        """Return what a table of this game can be, as built."""
        return {
            "options": SCHEMA.describe(),
            "seats": {"first": LAYOUT.first_seat, "last": LAYOUT.last_seat},
            "hand_size": LAYOUT.hand_size,
            "house_ways": list(HOUSE_WAYS),
            "side_bets": sorted(LAYOUT.side_bets),
        }

    def check_hand(self, tokens: Sequence[str]) -> Hand:
        """Return seven cards as answers write them.

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
        dealt = self.check_hand(hand)
        with errors.at("set"):
            own = LAYOUT.read_set(given, hand=dealt)
            setting = CardSetting.of(low=_cards(own.low), high=_cards(own.high))
            ranked = rank_setting(setting, ranking=options.ranking())
            if not ranked.is_legal:
                raise errors.IllegalSetError(
                    f"{ranked.front.words} in front is higher than {ranked.back.words} behind"
                )
        return _tokens_of(setting)

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
        """Rank two or five cards.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/cards``.
        """
        with errors.at("cards"):
            hand = PACK.read_hand(cards, sizes=(LAYOUT.low_size, LAYOUT.high_size))
        ranked = options.ranking().rank(_cards(hand))
        return HandValue(category=ranked.hand_class.name.lower(), key=ranked.key, text=ranked.words)

    def legal_sets(self, *, options: HouseRules, hand: Sequence[str]) -> tuple[SetInput, ...]:
        """Return every legal set of seven cards, those with the higher front card first.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
        """
        cards = _cards(self.check_hand(hand))
        found = list_legal_settings(cards, ranking=options.ranking())
        return tuple(_tokens_of(one.setting) for one in found)

    def house_way(self, *, options: HouseRules, hand: Sequence[str]) -> Setting:
        """Set seven cards as the dealer must, and say why.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
        """
        cards = _cards(self.check_hand(hand))
        decided = set_house_way(cards, way=options.way(), ranking=options.ranking())
        tokens = _tokens_of(decided.set_hand.setting)
        return Setting(low=tokens.low, high=tokens.high, steps=decided.steps)

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


def _cards(tokens: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(parse_card, tokens))


def _tokens_of(setting: CardSetting) -> SetInput:
    return SetInput(low=tuple(map(str, setting.low)), high=tuple(map(str, setting.high)))


GAME: Final[Game[HouseRules]] = PaiGowPoker()
