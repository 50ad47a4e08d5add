"""``foxwoods_1997``: the training booklet of Foxwoods, February 1997.

Its exceptions are pictures; they stand here as combinations of tiles and the points that are
printed beside them.

Source:
    pai-gow.md 8.3.
"""

from dataclasses import dataclass
from typing import Final

from rules.pai_gow.house_ways.frame import (
    FIVES,
    FOURS,
    LOW_EIGHTS,
    NINES,
    SEVENS,
    Kind,
    Preference,
    Split,
    TilesDecision,
    Weighed,
    best_high,
    play_best_low,
    play_covering,
    play_high_before_poor_low,
    play_named,
    said,
    weigh_pairs,
    with_points,
)
from rules.pai_gow.tiles import DAY, GEE_JOON, TEEN

_TEENS_AND_DAYS: Final = Split(at_least=((6, 8),), beside=((11, 9),))
_SEVENS: Final = Split(among=(2, 10, 11, 12))
_EIGHTS: Final = Split(among=(2, 10, 11, 12), beside=((11, 9),))

# By the names of the pairs; fours, fives, sixes, tens and elevens are never split.
_SPLITS: Final = {
    "Gee Joon": Split(beside=((6, 4), (6, 5), (6, 6))),
    "Teen": _TEENS_AND_DAYS,
    "Day": _TEENS_AND_DAYS,
    "Tit": _SEVENS,
    "Chop Chit": _SEVENS,
    "Yun": _EIGHTS,
    "Chop Bot": _EIGHTS,
    "Chop Gow": Split(among=(2, 10, 12)),
}

_PREFERENCES: Final = (
    Preference(
        available=frozenset({Kind.WONG}),
        tiles=(frozenset({"65"}),),
        play=Kind.WONG,
        because="With an eleven the wong is played",
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


@dataclass(frozen=True, slots=True)
class _Exception:
    """Four tiles that are set for these points, low and high."""

    tiles: tuple[frozenset[str], ...]
    """One of each group."""
    points: tuple[int, int]


def _one(*tokens: str) -> frozenset[str]:
    return frozenset(tokens)


_TENS_AND_HIGH_SIX: Final = (_one("55"), _one("33"), _one("64"))
_EXCEPTIONS: Final = (
    _Exception((_one("44"), LOW_EIGHTS, _one("31"), SEVENS), (2, 5)),
    _Exception((*_TENS_AND_HIGH_SIX, SEVENS), (6, 7)),
    _Exception((*_TENS_AND_HIGH_SIX, LOW_EIGHTS), (6, 8)),
    _Exception((*_TENS_AND_HIGH_SIX, NINES), (6, 9)),
    _Exception((_one("55"), _one("65"), _one("44"), SEVENS), (7, 9)),
    _Exception((_one("31"), _one("22"), GEE_JOON, FIVES), (7, 9)),
    _Exception((_one(TEEN, DAY), GEE_JOON, FIVES, _one("33", "51")), (7, 9)),
    _Exception((_one("33"), _one("51"), GEE_JOON, _one("65")), (7, 9)),
)


def foxwoods(weighed: Weighed) -> TilesDecision:
    """Return how four tiles are set."""
    left = weigh_pairs(weighed, _SPLITS)
    if not isinstance(left, Weighed):
        return left
    return (
        play_covering(left)
        or play_named(left, _PREFERENCES)
        or _eight_nines(left)
        or _teen_high_with_seven_eight(left)
        or _by_exception(left)
        or play_high_before_poor_low(left)
        or play_best_low(left)
    )


def _eight_nines(weighed: Weighed) -> TilesDecision | None:
    good = [one for one in weighed.sets if one.points[0] >= 8 and one.points[1] >= 9]
    if len(good) < 2:
        return None
    played = best_high(good)
    return weighed.play(
        played,
        said(
            "8/9 or better can be made in several ways: the one with the best high hand, "
            "{high}, {low} low.",
            played,
        ),
    )


def _teen_high_with_seven_eight(weighed: Weighed) -> TilesDecision | None:
    same = with_points((7, 8), weighed)
    with_teen = [one for one in same if TEEN in one.high]
    if len(same) < 2 or not with_teen or DAY not in weighed.tiles:
        return None
    played = best_high(with_teen)
    return weighed.play(
        played, said("7/8 can be made in two ways: Teen goes high, {high}, {low} low.", played)
    )


def _by_exception(weighed: Weighed) -> TilesDecision | None:
    for exception in _EXCEPTIONS:
        if not weighed.has_each(exception.tiles):
            continue
        same = with_points(exception.points, weighed)
        if same:
            played = best_high(same)
            return weighed.play(
                played,
                said("These four tiles are an exception: {low} low, {high} high.", played),
            )
    return None
