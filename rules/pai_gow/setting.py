"""Dividing four tiles into a low and a high hand.

The invariant: the high hand never ranks below the low hand in a legal set; :func:`legal_sets`
knows every one of them, so nothing that it leaves out can be played.

Source:
    pai-gow.md 3.
"""

from dataclasses import dataclass
from typing import Final

from rules.banked_round import DividedHand
from rules.pai_gow.options import GeeJoonTogether
from rules.pai_gow.ranking import GeeJoonSingleRank, HandRank, Key, rank
from rules.pai_gow.tiles import TABLE_ORDER, in_table_order
from rules.rounds import Hand
from rules.settlement import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSet(DividedHand[HandRank]):
    """Two hands of two tiles with their ranks, legal or not."""

    @property
    def points(self) -> tuple[int, int]:
        """Both hands on the scale of house ways: 7/9 is ``(7, 9)``."""
        return self.low_rank.scale, self.high_rank.scale

    @property
    def low_first(self) -> tuple[Key, Key]:
        """Compares by the low hand, then by the high hand."""
        return self.low_rank.key, self.high_rank.key

    @property
    def high_first(self) -> tuple[Key, Key]:
        """Compares by the high hand, then by the low hand."""
        return self.high_rank.key, self.low_rank.key

    def is_upside_down(self) -> bool:
        """Tell whether the better hand lies low."""
        return self.high_rank.key < self.low_rank.key

    def separates_gee_joon(self) -> bool:
        """Tell whether ``42`` and ``21`` lie in different hands."""
        return ("42" in self.low and "21" in self.high) or ("21" in self.low and "42" in self.high)

    def covers(self, other: "RankedSet") -> bool:
        """Tell whether neither hand is worse than *other*'s."""
        return self.low_rank.key >= other.low_rank.key and self.high_rank.key >= other.high_rank.key

    def exchanged(self) -> "RankedSet":
        """Return the set with its two hands in each other's place."""
        return RankedSet(
            low=self.high, high=self.low, low_rank=self.high_rank, high_rank=self.low_rank
        )


def ranked_set(low: Hand, high: Hand, *, single_rank: GeeJoonSingleRank) -> RankedSet:
    """Return the set of two hands (two tiles each) with their ranks."""
    return RankedSet(
        low=low,
        high=high,
        low_rank=rank(*low, single_rank=single_rank),
        high_rank=rank(*high, single_rank=single_rank),
    )


SEPARATED: Final = Step("42 and 21 must be set together")
UPSIDE_DOWN: Final = Step("the low hand ranks above the high hand")


def fault_of(placed: RankedSet, *, together: GeeJoonTogether) -> Step | None:
    """Return why a set of a seat's own tiles is foul, or None for a legal one."""
    if together is GeeJoonTogether.REQUIRED and placed.separates_gee_joon():
        return SEPARATED
    if placed.is_upside_down():
        return UPSIDE_DOWN
    return None


def legal_sets(
    hand: Hand, *, together: GeeJoonTogether, single_rank: GeeJoonSingleRank
) -> tuple[RankedSet, ...]:
    """Return every legal set of four tiles, each once, in the order of the final tie.

    Two hands of one rank may lie either way, so both ways are listed.
    """
    a, b, c, d = in_table_order(hand)
    halves = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    both_ways = {*halves, *((high, low) for low, high in halves)}
    ranked = (ranked_set(low, high, single_rank=single_rank) for low, high in both_ways)
    legal = (one for one in ranked if fault_of(one, together=together) is None)
    return tuple(sorted(legal, key=final_tie))


def final_tie(ranked: RankedSet) -> tuple[int, ...]:
    """Order sets by their high hands, then their low hands, in table order.

    Source:
        pai-gow.md 8.1, "final tie": of sets that rank alike the first in this order is played.
    """
    return tuple(TABLE_ORDER[tile] for tile in (*ranked.high, *ranked.low))
