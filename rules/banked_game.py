"""A banked game as the registry lists it: each question is one call to its table.

The invariant: every hand that reaches a game was read by its pack first, so no rule meets a
tile or card that does not exist, or exists less often.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from rules import errors
from rules.banked_options import BankedRules
from rules.banked_round import DividedHand, DividedT, Table, settle_round
from rules.options import OptionSchema
from rules.registry import HandValue, Setting
from rules.rounds import Hand, Layout, RoundInput, SetInput, read_round
from rules.settlement import Settlement

RulesT = TypeVar("RulesT", bound=BankedRules)


class BankedGame(Generic[RulesT, DividedT]):
    """What both banked games answer alike; see :class:`rules.registry.Game`."""

    def __init__(
        self,
        *,
        name: str,
        options: OptionSchema[RulesT],
        layout: Layout,
        table: Callable[[RulesT], Table[DividedT]],
        value: Callable[[Hand, RulesT], HandValue],
    ) -> None:
        """Take what a game brings: *table* puts it under house rules, *value* ranks one part."""
        self.name, self.options, self.layout = name, options, layout
        self._table, self._value = table, value

    def describe(self) -> dict[str, object]:
        """Return what a table of this game can be, as built."""
        options = self.options.describe()
        return {
            "options": options,
            "seats": {"first": self.layout.first_seat, "last": self.layout.last_seat},
            "hand_size": self.layout.hand_size,
            "house_ways": options["house_way"]["values"],
            "side_bets": sorted(self.layout.side_bets),
        }

    def check_hand(self, tokens: Sequence[str]) -> Hand:
        """Return a dealt hand as answers write it.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
        """
        with errors.at("hand"):
            return self.layout.pack.read_hand(tokens, sizes=(self.layout.hand_size,))

    def check_set(self, *, options: RulesT, hand: Sequence[str], given: SetInput) -> SetInput:
        """Return a legal set of *hand* as answers write it.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
            HandSizeError, UnknownTokenError, ForeignSetError, IllegalSetError: pointing into
                ``/set``.
        """
        dealt = self.check_hand(hand)
        table = self._table(options)
        with errors.at("set"):
            placed = table.divide(self.layout.read_set(given, hand=dealt))
            fault = table.fault_of(placed)
            if fault is not None:
                raise errors.IllegalSetError(f"the set is foul: {fault}")
        return _tokens_of(placed)

    def check_wager(self, *, options: RulesT, wager: int) -> None:
        """Require that *wager* (minor units) is within the limits of the table.

        Raises:
            WagerNotPositiveError, WagerBelowMinimumError, WagerAboveMaximumError,
            WagerIncrementError: pointing to ``/wager``.
        """
        options.check_wager(wager)

    def value(self, *, options: RulesT, cards: Sequence[str]) -> HandValue:
        """Rank a low or a high hand.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/cards``.
        """
        with errors.at("cards"):
            hand = self.layout.pack.read_hand(
                cards, sizes={self.layout.low_size, self.layout.high_size}
            )
        return self._value(hand, options)

    def legal_sets(self, *, options: RulesT, hand: Sequence[str]) -> tuple[SetInput, ...]:
        """Return every legal set of *hand*, in a fixed order of the game.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
        """
        return tuple(map(_tokens_of, self._table(options).legal_sets(self.check_hand(hand))))

    def house_way(self, *, options: RulesT, hand: Sequence[str]) -> Setting:
        """Set *hand* as the dealer must, and say why.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError: pointing into ``/hand``.
        """
        decided = self._table(options).house_way(self.check_hand(hand))
        return Setting(low=decided.played.low, high=decided.played.high, steps=decided.steps)

    def settle(self, *, options: RulesT, round: RoundInput | Mapping[str, object]) -> Settlement:
        """Settle a round against the house's bank.

        Raises:
            RulesError: the round cannot be settled; points into ``/round``.
        """
        with errors.at("round"):
            given = round if isinstance(round, RoundInput) else read_round(round)
            return settle_round(given, table=self._table(options))


def _tokens_of(divided: DividedHand[Any]) -> SetInput:
    return SetInput(low=divided.low, high=divided.high)
