"""The house rules of a Pai Gow table.

The invariant: a :class:`HouseRules` that came out of :data:`SCHEMA` names only what this
version plays, except for a default that nothing asked for.

Source:
    pai-gow.md 13.
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
from rules.pai_gow.ranking import GeeJoonSingleRank
from rules.settlement import NO_COMMISSION, CommissionRule


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
class HouseRules(BankedRules):
    """The checked options of one table."""

    gee_joon_together: GeeJoonTogether
    gee_joon_single_rank: GeeJoonSingleRank
    foul_policy: FoulPolicy
    house_way: HouseWayName
    bank_mode: BankMode
    commission_mode: CommissionMode
    accepted_out_of_limit: OutOfLimit

    def commission(self) -> CommissionRule:
        """Return the commission on a win."""
        if self.commission_mode is CommissionMode.NONE:
            return NO_COMMISSION
        return self.commission_where_taken()


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
    foul_policy_option(FoulPolicy, default=FoulPolicy.REORDER),
    house_way_option(
        HouseWayName,
        default=HouseWayName.TRADITIONAL,
        built=set(HouseWayName),
        hand="four tiles",
    ),
    bank_mode_option(BankMode, default=BankMode.ROTATING, house_only=BankMode.HOUSE_ONLY),
    Choice(
        name="commission_mode",
        choices=CommissionMode,
        default=CommissionMode.ON_WIN,
        unbuilt=frozenset({CommissionMode.PREPAID, CommissionMode.COLLECTION}),
        meaning="Whether the house takes commission on a player's win.",
    ),
    *commission_options(),
    *wager_limit_options(),
    Choice(
        name="accepted_out_of_limit",
        choices=OutOfLimit,
        default=OutOfLimit.STANDS,
        meaning="Whether a wager outside the limits that was accepted is settled or refused.",
    ),
    limits=LIMITS,
    unbuilt=(
        *UNBUILT,
        "bank_max_consecutive",
        "house_plays_against_player_bank",
        "bank_shortfall",
        "dice_count",
        "dice_adjustment",
        "pay_order",
        "fee_refund_on_no_action",
        "side_bet",
    ),
)
