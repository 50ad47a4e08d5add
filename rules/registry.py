"""The games of the house, by name.

The invariant: a game is one package and one line of the table below. A package is imported
when its game is first asked for, so a tool that settles tiles never loads the cards.

A game's package exposes ``GAME``, an object with the methods of :class:`Game`; nothing is
inherited or registered. Callers that hold a name use :func:`game`:

    table_game = game("pai_gow")
    rules = table_game.options.resolve(profile, complete=True)
    settlement = table_game.settle(options=rules, round=given)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol, TypeVar

from rules import errors
from rules.options import OptionSchema
from rules.rounds import Hand, Layout, RoundInput, SetInput
from rules.settlement import Settlement, Step

HouseRules = TypeVar("HouseRules")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValue:
    """What a hand is worth: a better one has a greater key, an equal key is a copy."""

    category: str
    """The class of the ranking: ``pair``, ``wong``, ``full_house`` …"""
    key: tuple[int, ...]
    text: Step

    def as_dict(self) -> dict[str, object]:
        """Return the value as the command line writes it."""
        return {"class": self.category, "key": list(self.key), "text": str(self.text)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A hand as the house way divides it, and the reasons in the order they were weighed."""

    low: Hand
    high: Hand
    steps: tuple[Step, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the setting as the command line writes it."""
        return {
            "low": list(self.low),
            "high": list(self.high),
            "steps": [str(step) for step in self.steps],
        }


class Game(Protocol[HouseRules]):
    """What a banked game answers; ``HouseRules`` is its own dataclass of checked options.

    *options* are always house rules that the game's ``options.resolve`` made. Tokens may be
    given in any accepted spelling; answers use one. Refusals are :class:`errors.RulesError`,
    whose pointers are those of a request to the command line: ``/round/seats/0/wager``.
    """

    @property
    def name(self) -> str:
        """Return the name under which the registry lists the game."""

    @property
    def options(self) -> OptionSchema[HouseRules]:
        """Return the game's options."""

    @property
    def layout(self) -> Layout:
        """Return the game's tiles or cards, its seats and the sizes of its hands."""

    def describe(self) -> dict[str, object]:
        """Return ``options``, ``seats``, ``hand_size``, ``house_ways``, ``side_bets`` as built."""

    def check_hand(self, tokens: Sequence[str]) -> Hand:
        """Return one dealt hand as answers write it, or refuse it, pointing into ``/hand``."""

    def check_set(self, *, options: HouseRules, hand: Sequence[str], given: SetInput) -> SetInput:
        """Return a legal set as answers write it, or refuse it, pointing into ``/set``.

        For seats that set before the reveal; a live table's foul set goes to :meth:`settle`.
        """

    def check_wager(self, *, options: HouseRules, wager: int) -> None:
        """Require that *wager* (minor units) may be placed, or refuse it at ``/wager``."""

    def value(self, *, options: HouseRules, cards: Sequence[str]) -> HandValue:
        """Rank one low or high hand."""

    def legal_sets(self, *, options: HouseRules, hand: Sequence[str]) -> tuple[SetInput, ...]:
        """Return every way in which a player may set *hand*."""

    def house_way(self, *, options: HouseRules, hand: Sequence[str]) -> Setting:
        """Set *hand* as the dealer must, and say why."""

    def settle(
        self, *, options: HouseRules, round: RoundInput | Mapping[str, object]
    ) -> Settlement:
        """Settle a round, its hands open; *round* may be the JSON form of rules-cli.md."""


GAMES: Final[Mapping[str, str]] = {
    "pai_gow": "rules.pai_gow",
    "pai_gow_poker": "rules.pai_gow_poker",
}
"""The games that are built, and the package of each."""

NOT_BUILT: Final = ("bao_huang", "ban_sugoroku", "paohuzi")
"""The games that are specified and come later."""


def game(name: str) -> Game[Any]:
    """Return the game called *name*.

    Raises:
        NotBuiltError: it is specified, and comes later.
        UnknownGameError: there is no such game.
    """
    if name in NOT_BUILT:
        raise errors.NotBuiltError(f"the game {name}", pointer="/game")
    if name not in GAMES:
        raise errors.UnknownGameError(name, known=GAMES)
    found: Game[Any] = import_module(GAMES[name]).GAME
    assert found.name == name
    return found
