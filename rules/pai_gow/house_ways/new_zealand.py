"""``nz_1998``: the appendix to the casino rules of New Zealand.

Source:
    pai-gow.md 8.4.
"""

from collections.abc import Callable, Sequence
from typing import Final

from rules.pai_gow.house_ways.frame import (
    HARMONY_THREE,
    Kind,
    Split,
    TilesDecision,
    Weighed,
    best_high,
    best_low,
    named_sets,
    said,
    weigh_pairs,
)
from rules.pai_gow.setting import RankedSet

_TEENS_AND_DAYS: Final = Split(
    beside=(
        (11, 9),
        *((9, other) for other in (8, 7, 6, 5, 4)),
        *((8, other) for other in (8, 7, 6, 5, 4)),
        *((7, other) for other in (7, 6, 5, 4)),
        *((6, other) for other in (6, 5, 4)),
    ),
    told="beside 11-9, beside two of 4 to 9 spots of which one has 6 or more",
)
_SEVENS: Final = Split(among=(2, 10, 11, 12))
_EIGHTS: Final = Split(among=(2, 10, 11, 12), beside=((11, 9),))

# By the names of the pairs; fours, fives, sixes, tens and elevens are never split.
_SPLITS: Final = {
    "Gee Joon": Split(beside=((6, 6), (6, 5), (6, 4))),
    "Teen": _TEENS_AND_DAYS,
    "Day": _TEENS_AND_DAYS,
    "Tit": _SEVENS,
    "Chop Chit": _SEVENS,
    "Yun": _EIGHTS,
    "Chop Bot": _EIGHTS,
    "Chop Gow": Split(among=(2, 10, 12)),
}


def new_zealand(weighed: Weighed) -> TilesDecision:
    """Return how four tiles are set."""
    left = weigh_pairs(weighed, _SPLITS)
    if not isinstance(left, Weighed):
        return left
    return _play_named(left) or _play_points(left)


def _play_named(weighed: Weighed) -> TilesDecision | None:
    best = {kind: best_low(sets) for kind, sets in named_sets(weighed).items()}
    for kind in (Kind.HIGH_NINE, Kind.GONG, Kind.WONG):
        if kind in best and best[kind].low_rank.key >= HARMONY_THREE:
            return weighed.play(
                best[kind],
                said("{high} high leaves a low hand of at least a three: {low}.", best[kind]),
            )
    for kind in (Kind.WONG, Kind.GONG, Kind.HIGH_NINE):
        if kind in best:
            return weighed.play(
                best[kind],
                said(
                    "No named hand leaves a low hand of a three: the best of them is played, "
                    "{high} high, {low} low.",
                    best[kind],
                ),
            )
    return None


def _low_first(one: RankedSet) -> tuple[int, int]:
    return one.points


def _high_first(one: RankedSet) -> tuple[int, int]:
    low, high = one.points
    return high, low


def _play_points(weighed: Weighed) -> TilesDecision:
    worth_having = [one for one in weighed.sets if one.low_rank.key >= HARMONY_THREE]
    if worth_having:
        return _play_most(
            "The most points low, then high: {low} low, {high} high.",
            worth_having,
            weighed,
            by=_low_first,
        )
    if any(one.high_rank.scale >= 8 for one in weighed.sets):
        return _play_most(
            "No low hand reaches a three and a high hand of eight can be made: the most points "
            "high, {high}, {low} low.",
            weighed.sets,
            weighed,
            by=_high_first,
        )
    return _play_most(
        "No low hand reaches a three and no high hand an eight: the most points low, {low}, "
        "{high} high.",
        weighed.sets,
        weighed,
        by=_low_first,
    )


def _play_most(
    template: str,
    sets: Sequence[RankedSet],
    weighed: Weighed,
    *,
    by: Callable[[RankedSet], tuple[int, int]],
) -> TilesDecision:
    most = max(sets, key=by).points
    same = [one for one in sets if one.points == most]
    # Above seven the low hand is good as it is, and the top tile helps more in the high one.
    played = best_low(same) if most[0] <= 7 else best_high(same)
    return weighed.play(played, said(template, played))
