"""``pa_621a``: the dealer's set of Pennsylvania's regulation. It never splits a pair.

Source:
    pai-gow.md 8.5.
"""

from typing import Final

from rules.pai_gow.house_ways.frame import (
    TilesDecision,
    Weighed,
    best_low,
    kept_pair,
    play_two_pairs,
    said,
)
from rules.pai_gow.ranking import strength
from rules.pai_gow.setting import RankedSet

_LEAST: Final = 7
"""A high hand worth less decides nothing."""


def pennsylvania(weighed: Weighed) -> TilesDecision:
    """Return how four tiles are set."""
    if decision := play_two_pairs(weighed):
        return decision
    if kept := kept_pair(weighed):
        return weighed.play(
            kept, said("A pair is never split: {high} is the high hand, {low} low.", kept)
        )
    most = max(one.high_rank.scale for one in weighed.sets)
    if most >= _LEAST:
        played = best_low(one for one in weighed.sets if one.high_rank.scale == most)
        return weighed.play(
            played,
            said("The best hand that can be made goes high: {high}, {low} low.", played),
        )
    played = next(one for one in weighed.sets if _joins_best_and_least(one, weighed))
    return weighed.play(
        played,
        said(
            "No hand of seven can be made: the highest and the lowest tile go together, "
            "{low} low, {high} high.",
            played,
        ),
    )


def _joins_best_and_least(one: RankedSet, weighed: Weighed) -> bool:
    strengths = sorted(strength(tile, weighed.single_rank) for tile in weighed.tiles)
    ends = [strengths[0], strengths[-1]]
    return any(
        sorted(strength(tile, weighed.single_rank) for tile in hand) == ends
        for hand in (one.low, one.high)
    )
