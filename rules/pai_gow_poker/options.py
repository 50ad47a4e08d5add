"""The house rules of a Pai Gow Poker table.

Invariant: a `HouseRules` that came out of `SCHEMA` names only what this version plays.

Where the specification's own word for an option or value is not the one that all games share,
it is an alias: `min_bet`, `max_bet`, `player_banking` and its `off`.

Source: pai-gow-poker.md 2; architecture.md 4.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.banked_options import (
    LIMITS,
    UNBUILT,
    BankedRules,
    bank_mode_option,
    commission_options,
    foul_policy_option,
    house_way_option,
    wager_limit_options,
)
from rules.options import Choice, OptionSchema
from rules.pai_gow_poker.house_way import FOXWOODS, HouseWay
from rules.pai_gow_poker.ranking import JokerFlush, Ranking, WheelRank, ranking_of
from rules.settlement import NO_COMMISSION, CommissionRule


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
class HouseRules(BankedRules):
    """The checked options of one table."""

    wheel_rank: WheelRank
    joker_flush: JokerFlush
    house_way: HouseWayName
    variant: Variant
    foul_policy: FoulPolicy
    bank_mode: BankMode

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
        return self.commission_where_taken()


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
    house_way_option(
        HouseWayName, default=HouseWayName.FOXWOODS, built=_WAYS.keys(), hand="seven cards"
    ),
    Choice(
        name="variant",
        choices=Variant,
        default=Variant.COMMISSION,
        unbuilt=frozenset(Variant) - {Variant.COMMISSION, Variant.TIGER9_PUSH},
        meaning="Whether the house takes commission, or a hand of the dealer pushes instead.",
    ),
    foul_policy_option(FoulPolicy, default=FoulPolicy.LOSE),
    bank_mode_option(
        BankMode,
        default=BankMode.HOUSE_ONLY,
        house_only=BankMode.HOUSE_ONLY,
        aliases=("player_banking",),
        value_aliases={"off": BankMode.HOUSE_ONLY, False: BankMode.HOUSE_ONLY},
    ),
    *commission_options(unit_aliases={"1": 100}),
    *wager_limit_options(
        least=200,
        most=10_000,
        increment=100,
        least_aliases=("min_bet",),
        most_aliases=("max_bet",),
    ),
    limits=LIMITS,
    unbuilt=(
        *UNBUILT,
        "chip_denominations",
        "positions",
        "count_direction",
        "start_method",
        "co_banking",
        "bank_settlement",
        "dragon_hand",
    ),
)
