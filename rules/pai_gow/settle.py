"""Pai Gow under the house rules of one table: what its settling asks the tiles.

The invariant: a set's own two hands decide whether it is foul, and the policy of the table
what it comes to; who holds the bank is no question here.

Source:
    pai-gow.md 3.2 and 7.1.
"""

from dataclasses import dataclass

from rules.banked_round import Decision
from rules.pai_gow.house_ways import set_house_way
from rules.pai_gow.options import FoulPolicy, HouseRules, OutOfLimit
from rules.pai_gow.setting import RankedSet, fault_of, legal_sets, ranked_set
from rules.pai_gow.tiles import LAYOUT
from rules.rounds import Hand, Layout, SetInput
from rules.settlement import CommissionRule, Step


@dataclass(frozen=True, slots=True)
class TilesTable:
    """A table of tiles; see :class:`rules.banked_round.Table`."""

    rules: HouseRules

    @property
    def layout(self) -> Layout:
        """Return what a table of tiles looks like."""
        return LAYOUT

    @property
    def commission(self) -> CommissionRule:
        """Return the commission on a win."""
        return self.rules.commission()

    @property
    def fouls_lose(self) -> bool:
        """Tell whether a foul set loses; else it is reordered or set the house way."""
        return self.rules.foul_policy is FoulPolicy.LOSE

    @property
    def bank_may_push_all(self) -> bool:
        """Tell that no hand of the bank pushes every wager."""
        return False

    def check_accepted(self, wager: int) -> None:
        """Require that a *wager* outside the limits stands at this table."""
        if self.rules.accepted_out_of_limit is OutOfLimit.REJECT:
            self.rules.check_wager(wager)

    def divide(self, given: SetInput) -> RankedSet:
        """Return a set of a hand's own tiles with its ranks."""
        return ranked_set(given.low, given.high, single_rank=self.rules.gee_joon_single_rank)

    def legal_sets(self, hand: Hand) -> tuple[RankedSet, ...]:
        """Return every legal set of four tiles; of two equal hands either may lie low."""
        return legal_sets(
            hand,
            together=self.rules.gee_joon_together,
            single_rank=self.rules.gee_joon_single_rank,
        )

    def house_way(self, hand: Hand) -> Decision[RankedSet]:
        """Set four tiles as the dealer must."""
        return set_house_way(hand, self.rules)

    def fault_of(self, placed: RankedSet) -> Step | None:
        """Return why a set is foul, or None for a legal one."""
        return fault_of(placed, together=self.rules.gee_joon_together)

    def reordered(self, foul: RankedSet) -> RankedSet | None:
        """Return a set with its hands exchanged, if that is its only fault and the policy."""
        exchanged = foul.exchanged()
        if self.rules.foul_policy is FoulPolicy.REORDER and self.fault_of(exchanged) is None:
            return exchanged
        return None

    def push_of_all(self, bank: RankedSet) -> None:
        """Return that no hand of the bank pushes every wager."""
