"""The house rules of a Pai Gow Poker table.

Invariant: a `HouseRules` that came out of `SCHEMA` names only what this version plays.

Where the specification's own word for an option or value is not the one that all games share,
it is an alias: `min_bet`, `max_bet`, `player_banking` and its `off`.

Source: pai-gow-poker.md 2; architecture.md 4.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from rules.options import Choice, Money, OptionSchema, Rate
from rules.pai_gow_poker.house_way import FOXWOODS, HouseWay
from rules.pai_gow_poker.ranking import JokerFlush, Ranking, WheelRank, ranking_of
from rules.settlement import NO_COMMISSION, CommissionRule, Rounding


class HouseWayName(StrEnum):
    """The house ways of the specification."""

    FOXWOODS = "foxwoods"
    TRUMP_PLAZA = "trump_plaza"
    CLARIDGE = "claridge"
    BALLYS_AC = "ballys_ac"
    MGM_GRAND = "mgm_grand"
    CASINO_REAL_CA = "casino_real_ca"


class Variant(StrEnum):
    """What pays the house: a commission, or a hand of the dealer that pushes every wager."""

    COMMISSION = "commission"
    EZ_QUEEN_PUSH = "ez_queen_push"
    TIGER9_PUSH = "tiger9_push"
    ACE_HIGH_PUSH = "ace_high_push"
    COLLECTION = "collection"


class FoulPolicy(StrEnum):
    """What becomes of a player's fouled hand when the hands are opened."""

    LOSE = "lose"
    HOUSE_WAY_RESET = "house_way_reset"


class BankMode(StrEnum):
    """Who may hold the bank."""

    HOUSE_ONLY = "house_only"
    ALTERNATE = "alternate"
    CIRCLE = "circle"
    TWO_CONSECUTIVE = "two_consecutive"


_WAYS: Final = {HouseWayName.FOXWOODS: FOXWOODS}


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The checked options of one table; amounts in minor units."""

    wheel_rank: WheelRank
    joker_flush: JokerFlush
    house_way: HouseWayName
    variant: Variant
    foul_policy: FoulPolicy
    bank_mode: BankMode
    commission_rate: Fraction
    commission_unit: int
    commission_rounding: Rounding
    wager_min: int
    wager_max: int
    wager_increment: int

    def ranking(self) -> Ranking:
        """Return the order of hands at this table."""
        return ranking_of(wheel_rank=self.wheel_rank, joker_flush=self.joker_flush)

    def way(self) -> HouseWay:
        """Return the way in which the dealer sets seven cards."""
        return _WAYS[self.house_way]

    def commission(self) -> CommissionRule:
        """Return the commission on a win."""
        if self.variant is not Variant.COMMISSION:
            return NO_COMMISSION
        return CommissionRule(
            rate=self.commission_rate,
            unit=self.commission_unit,
            rounding=self.commission_rounding,
        )


SCHEMA: Final = OptionSchema(
    HouseRules,
    Choice(
        name="wheel_rank",
        choices=WheelRank,
        default=WheelRank.SECOND,
        meaning="Where A-2-3-4-5 stands: directly below the highest straight, or lowest.",
    ),
    Choice(
        name="joker_flush",
        choices=JokerFlush,
        default=JokerFlush.HIGHEST_MISSING,
        meaning="The joker in a flush: the highest card of the suit not held, or always an ace.",
    ),
    Choice(
        name="house_way",
        choices=HouseWayName,
        default=HouseWayName.FOXWOODS,
        unbuilt=frozenset(HouseWayName) - _WAYS.keys(),
        meaning="The fixed way in which the dealer sets seven cards.",
    ),
    Choice(
        name="variant",
        choices=Variant,
        default=Variant.COMMISSION,
        unbuilt=frozenset(Variant) - {Variant.COMMISSION, Variant.TIGER9_PUSH},
        meaning="Whether the house takes commission, or a hand of the dealer pushes instead.",
    ),
    Choice(
        name="foul_policy",
        choices=FoulPolicy,
        default=FoulPolicy.LOSE,
        meaning="What becomes of a player's fouled hand when the hands are opened.",
    ),
    Choice(
        name="bank_mode",
        aliases=("player_banking",),
        choices=BankMode,
        default=BankMode.HOUSE_ONLY,
        value_aliases={"off": BankMode.HOUSE_ONLY, False: BankMode.HOUSE_ONLY},
        unbuilt=frozenset(BankMode) - {BankMode.HOUSE_ONLY},
        meaning="Who may hold the bank.",
    ),
    Rate(
        name="commission_rate",
        default=Fraction(5, 100),
        meaning="The share of a win that is commission.",
    ),
    Money(
        name="commission_unit",
        default=1,
        only=(1, 5, 25, 50, 100),
        value_aliases={"0.01": 1, "0.05": 5, "0.25": 25, "0.50": 50, "1": 100, "1.00": 100},
        meaning="The amount to a multiple of which commission is rounded, in minor units.",
    ),
    Choice(
        name="commission_rounding",
        choices=Rounding,
        default=Rounding.HALF_UP,
        meaning="Which way commission is rounded, once for each winning wager.",
    ),
    Money(
        name="wager_min",
        aliases=("min_bet",),
        default=200,
        meaning="The smallest wager, in minor units.",
    ),
    Money(
        name="wager_max",
        aliases=("max_bet",),
        default=10_000,
        meaning="The largest wager, in minor units.",
    ),
    Money(
        name="wager_increment",
        default=100,
        meaning="A wager is a multiple of this, in minor units: the smallest chip.",
    ),
    limits=("wager_min", "wager_max"),
    unbuilt=(
        "chip_denominations",
        "positions",
        "count_direction",
        "start_method",
        "cobank_allowed",
        "co_banking",
        "bank_cover_mode",
        "bank_settlement",
        "dragon_hand",
        "collection_schedule",
        "collection_fee_table",
    ),
)
