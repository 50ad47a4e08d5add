"""The house rules of a Pai Gow table.

The invariant: a :class:`HouseRules` that came out of :data:`SCHEMA` names only what this
version plays, except for a default that nothing asked for.

Source:
    pai-gow.md 13.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from rules.options import Choice, Money, OptionSchema, Rate
from rules.pai_gow.ranking import GeeJoonSingleRank
from rules.settlement import NO_COMMISSION, CommissionRule, Rounding


class GeeJoonTogether(StrEnum):
    """Whether ``42`` and ``21`` may be set apart."""

    REQUIRED = "required"
    FREE = "free"


class FoulPolicy(StrEnum):
    """What becomes of a player's foul set when the hands are opened."""

    REORDER = "reorder"
    HOUSE_WAY = "house_way"
    LOSE = "lose"


class HouseWayName(StrEnum):
    """The house ways of the specification."""

    TRADITIONAL = "traditional"
    FOXWOODS_1997 = "foxwoods_1997"
    NZ_1998 = "nz_1998"
    PA_621A = "pa_621a"


class BankMode(StrEnum):
    """Who may hold the bank."""

    HOUSE_ONLY = "house_only"
    ROTATING = "rotating"
    CARD_ROOM = "card_room"


class CommissionMode(StrEnum):
    """How the house earns."""

    ON_WIN = "on_win"
    PREPAID = "prepaid"
    NONE = "none"
    COLLECTION = "collection"


class OutOfLimit(StrEnum):
    """What becomes of a wager outside the limits that the dealer has accepted."""

    STANDS = "stands"
    REJECT = "reject"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The checked options of one table; amounts in minor units."""

    gee_joon_together: GeeJoonTogether
    gee_joon_single_rank: GeeJoonSingleRank
    foul_policy: FoulPolicy
    house_way: HouseWayName
    bank_mode: BankMode
    commission_mode: CommissionMode
    commission_rate: Fraction
    commission_unit: int
    commission_rounding: Rounding
    wager_min: int | None
    wager_max: int | None
    wager_increment: int | None
    accepted_out_of_limit: OutOfLimit

    def commission(self) -> CommissionRule:
        """Return the commission on a win."""
        if self.commission_mode is CommissionMode.NONE:
            return NO_COMMISSION
        return CommissionRule(
            rate=self.commission_rate,
            unit=self.commission_unit,
            rounding=self.commission_rounding,
        )


SCHEMA: Final = OptionSchema(
    HouseRules,
    Choice(
        name="gee_joon_together",
        choices=GeeJoonTogether,
        default=GeeJoonTogether.REQUIRED,
        meaning="Whether 42 and 21, held together, must be set as one hand.",
    ),
    Choice(
        name="gee_joon_single_rank",
        choices=GeeJoonSingleRank,
        default=GeeJoonSingleRank.SPLIT,
        meaning="Where 42 and 21 stand among single tiles: around the fives, or both below them.",
    ),
    Choice(
        name="foul_policy",
        choices=FoulPolicy,
        default=FoulPolicy.REORDER,
        meaning="What becomes of a player's foul set when the hands are opened.",
    ),
    Choice(
        name="house_way",
        choices=HouseWayName,
        default=HouseWayName.TRADITIONAL,
        unbuilt=frozenset(HouseWayName) - {HouseWayName.TRADITIONAL},
        meaning="The fixed way in which the dealer sets four tiles.",
    ),
    Choice(
        name="bank_mode",
        choices=BankMode,
        default=BankMode.ROTATING,
        unbuilt=frozenset(BankMode) - {BankMode.HOUSE_ONLY},
        meaning="Who may hold the bank.",
    ),
    Choice(
        name="commission_mode",
        choices=CommissionMode,
        default=CommissionMode.ON_WIN,
        unbuilt=frozenset({CommissionMode.PREPAID, CommissionMode.COLLECTION}),
        meaning="Whether the house takes commission on a player's win.",
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
        value_aliases={"0.01": 1, "0.05": 5, "0.25": 25, "0.50": 50, "1.00": 100},
        meaning="The amount to a multiple of which commission is rounded, in minor units.",
    ),
    Choice(
        name="commission_rounding",
        choices=Rounding,
        default=Rounding.HALF_UP,
        meaning="Which way commission is rounded, once for each winning wager.",
    ),
    Money(name="wager_min", meaning="The smallest wager, in minor units; none where absent."),
    Money(name="wager_max", meaning="The largest wager, in minor units; none where absent."),
    Money(
        name="wager_increment",
        meaning="A wager is a multiple of this, in minor units; any where absent.",
    ),
    Choice(
        name="accepted_out_of_limit",
        choices=OutOfLimit,
        default=OutOfLimit.STANDS,
        meaning="Whether a wager outside the limits that was accepted is settled or refused.",
    ),
    limits=("wager_min", "wager_max"),
    unbuilt=(
        "bank_max_consecutive",
        "cobank_allowed",
        "house_plays_against_player_bank",
        "bank_shortfall",
        "bank_cover_mode",
        "dice_count",
        "dice_adjustment",
        "pay_order",
        "collection_schedule",
        "collection_fee_table",
        "fee_refund_on_no_action",
        "side_bet",
    ),
)
