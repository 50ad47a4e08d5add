"""``traditional``: the general-purpose house way of the United States.

Source:
    pai-gow.md 8.2.
"""

from collections.abc import Callable, Sequence
from typing import Final

from rules.pai_gow.house_ways.frame import (
    FIVES,
    FOURS,
    LOW_EIGHTS,
    Kind,
    Preference,
    Split,
    TilesDecision,
    Weighed,
    best_high,
    best_low,
    play_best_low,
    play_covering,
    play_high_before_poor_low,
    play_named,
    said,
    weigh_pairs,
    with_points,
)
from rules.pai_gow.ranking import strength
from rules.pai_gow.setting import RankedSet
from rules.pai_gow.tiles import DAY, TEEN

_TEENS_AND_DAYS: Final = Split(at_least=((6, 8),), beside=((11, 9),))
_SEVENS: Final = Split(at_least=((7, 9),))
_EIGHTS: Final = Split(at_least=((7, 9), (8, 8)))

# By the names of the pairs; fours, fives, sixes, tens and elevens are never split.
_SPLITS: Final = {
    "Gee Joon": Split(beside=((6, 4), (6, 5), (6, 6))),
    "Teen": _TEENS_AND_DAYS,
    "Day": _TEENS_AND_DAYS,
    "Tit": _SEVENS,
    "Chop Chit": _SEVENS,
    "Yun": _EIGHTS,
    "Chop Bot": _EIGHTS,
    "Chop Gow": Split(at_least=((9, 9),)),
}

_PREFERENCES: Final = (
    Preference(
        available=frozenset({Kind.WONG}),
        tiles=(frozenset({"65"}),),
        play=Kind.WONG,
        because="With an eleven the wong is played",
    ),
    Preference(
        available=frozenset({Kind.WONG, Kind.HIGH_NINE}),
        tiles=(frozenset({"22"}),),
        play=Kind.WONG,
        because="With a low four the wong is played before the high nine",
    ),
    Preference(
        available=frozenset({Kind.GONG, Kind.HIGH_NINE}),
        tiles=(FOURS,),
        play=Kind.GONG,
        because="With a four the gong is played before the high nine",
    ),
    Preference(
        available=frozenset({Kind.GONG, Kind.HIGH_NINE}),
        tiles=(FIVES, LOW_EIGHTS),
        play=Kind.GONG,
        because="With a five and a low eight the gong is played before the high nine",
    ),
)


def traditional(weighed: Weighed) -> TilesDecision:
    """Return how four tiles are set."""
    left = weigh_pairs(weighed, _SPLITS)
    if not isinstance(left, Weighed):
        return left
    return play_covering(left) or play_named(left, _PREFERENCES) or _play_low(left)


def _play_low(weighed: Weighed) -> TilesDecision:
    best = best_low(weighed.sets)
    for refinement in _REFINEMENTS:
        decision = refinement(best, weighed)
        if decision is not None:
            return decision
    return play_high_before_poor_low(weighed) or play_best_low(weighed)


def _parts_two_best_tiles(one: RankedSet, weighed: Weighed) -> bool:
    """Tell whether the two highest-ranking of the four tiles lie in different hands."""
    low, high = (
        sorted((strength(tile, weighed.single_rank) for tile in hand), reverse=True)
        for hand in (one.low, one.high)
    )
    best, second, *_ = sorted((*low, *high), reverse=True)
    return {low[0], high[0]} == {best, second}


def _two_eight_nines(best: RankedSet, weighed: Weighed) -> TilesDecision | None:
    same = with_points((8, 9), weighed)
    if best.points != (8, 9) or len(same) < 2:
        return None
    played = best_high(same)
    return weighed.play(
        played,
        said(
            "8/9 can be made in two ways: the one with the best high hand, {high}, {low} low.",
            played,
        ),
    )


def _seven_nine_before_eights(best: RankedSet, weighed: Weighed) -> TilesDecision | None:
    others = with_points((7, 9), weighed)
    if best.points != (8, 8) or not others:
        return None
    played = best_high(others)
    if not _parts_two_best_tiles(played, weighed):
        return None
    return weighed.play(
        played,
        said(
            "7/9 is played before 8/8, since it puts one of the two highest tiles in each "
            "hand: {low} low, {high} high.",
            played,
        ),
    )


def _teen_high_with_seven_eight(best: RankedSet, weighed: Weighed) -> TilesDecision | None:
    same = with_points((7, 8), weighed)
    with_teen = [one for one in same if TEEN in one.high]
    if best.points != (7, 8) or len(same) < 2 or not with_teen or DAY not in weighed.tiles:
        return None
    played = best_high(with_teen)
    return weighed.play(
        played, said("7/8 can be made in two ways: Teen goes high, {high}, {low} low.", played)
    )


def _parted_tiles_with_same_points(best: RankedSet, weighed: Weighed) -> TilesDecision | None:
    same = with_points(best.points, weighed)
    if best.points not in ((6, 7), (6, 8), (6, 9), (7, 9)) or len(same) < 2:
        return None
    played = best_high(same)
    if not _parts_two_best_tiles(played, weighed):
        return None
    return weighed.play(
        played,
        said(
            "Of the ways with these points the one that puts one of the two highest tiles in "
            "each hand: {low} low, {high} high.",
            played,
        ),
    )


# The first that fits decides.
_REFINEMENTS: Final[Sequence[Callable[[RankedSet, Weighed], TilesDecision | None]]] = (
    _two_eight_nines,
    _seven_nine_before_eights,
    _teen_high_with_seven_eight,
    _parted_tiles_with_same_points,
)
