"""The options that every game with a bank has, each declared once.

The invariant: what both games have has one name, one type and one meaning at every table; a
game brings only its defaults and its own words.

Source:
    pai-gow.md 7 and 13; pai-gow-poker.md 2 and 8; architecture.md 4.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from rules.options import Choice, Money, Rate
from rules.rounds import check_wager
from rules.settlement import CommissionRule, Rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class BankedRules:
    """The checked options that every banked game has; amounts in minor units."""

    commission_rate: Fraction
    commission_unit: int
    commission_rounding: Rounding
    wager_min: int | None
    wager_max: int | None
    wager_increment: int | None

    def commission_where_taken(self) -> CommissionRule:
        """Return the commission on a win, at a table that takes one."""
        return CommissionRule(
            rate=self.commission_rate,
            unit=self.commission_unit,
            rounding=self.commission_rounding,
        )

    def check_wager(self, wager: int) -> None:
        """Require that *wager* (minor units) may be placed.

        Raises:
            WagerNotPositiveError, WagerBelowMinimumError, WagerAboveMaximumError,
            WagerIncrementError: pointing to ``/wager``.
        """
        check_wager(
            wager,
            minimum=self.wager_min,
            maximum=self.wager_max,
            increment=self.wager_increment,
            pointer="/wager",
        )


LIMITS: Final = ("wager_min", "wager_max")
"""The first must not exceed the second."""

UNBUILT: Final = (
    "cobank_allowed",
    "bank_cover_mode",
    "collection_schedule",
    "collection_fee_table",
)
"""What both specifications have and this version has not."""


def house_way_option(
    choices: type[StrEnum], *, default: StrEnum, built: Collection[StrEnum], hand: str
) -> Choice:
    """Declare the house way, one of the *built* ones of the specification's *choices*."""
    return Choice(
        name="house_way",
        choices=choices,
        default=default,
        unbuilt=frozenset(choices) - frozenset(built),
        meaning=f"The fixed way in which the dealer sets {hand}.",
    )


def foul_policy_option(choices: type[StrEnum], *, default: StrEnum) -> Choice:
    """Declare what a foul set comes to."""
    return Choice(
        name="foul_policy",
        choices=choices,
        default=default,
        meaning="What becomes of a player's foul set when the hands are opened.",
    )


def bank_mode_option(
    choices: type[StrEnum],
    *,
    default: StrEnum,
    house_only: StrEnum,
    aliases: tuple[str, ...] = (),
    value_aliases: Mapping[object, StrEnum] | None = None,
) -> Choice:
    """Declare who may bank; of the *choices* only *house_only* is built."""
    return Choice(
        name="bank_mode",
        aliases=aliases,
        choices=choices,
        default=default,
        value_aliases=value_aliases or {},
        unbuilt=frozenset(choices) - {house_only},
        meaning="Who may hold the bank.",
    )


def commission_options(
    *, unit_aliases: Mapping[str, int] | None = None
) -> tuple[Rate, Money, Choice]:
    """Declare rate, unit and rounding of commission; *unit_aliases* are a game's own decimals."""
    return (
        Rate(
            name="commission_rate",
            default=Fraction(5, 100),
            meaning="The share of a win that is commission.",
        ),
        Money(
            name="commission_unit",
            default=1,
            only=(1, 5, 25, 50, 100),
            value_aliases={"0.01": 1, "0.05": 5, "0.25": 25, "0.50": 50, "1.00": 100}
            | dict(unit_aliases or {}),
            meaning="The amount to a multiple of which commission is rounded, in minor units.",
        ),
        Choice(
            name="commission_rounding",
            choices=Rounding,
            default=Rounding.HALF_UP,
            meaning="Which way commission is rounded, once for each winning wager.",
        ),
    )


def wager_limit_options(
    *,
    least: int | None = None,
    most: int | None = None,
    increment: int | None = None,
    least_aliases: tuple[str, ...] = (),
    most_aliases: tuple[str, ...] = (),
) -> tuple[Money, Money, Money]:
    """Declare the limits of a wager with a game's defaults; where it has none, null is no limit."""
    return (
        Money(
            name="wager_min",
            aliases=least_aliases,
            default=least,
            meaning="The smallest wager, in minor units.",
        ),
        Money(
            name="wager_max",
            aliases=most_aliases,
            default=most,
            meaning="The largest wager, in minor units.",
        ),
        Money(
            name="wager_increment",
            default=increment,
            meaning="A wager is a multiple of this, in minor units.",
        ),
    )
