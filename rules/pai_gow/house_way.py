"""How the dealer sets four tiles, and why.

The invariant: the house way is a function of four tiles and the table's options, whatever
their order, and what it answers is legal. The sentences that it gives are made by the rules
that decide, so the explanation cannot differ from the play.

Only ``traditional`` is built.

Source:
    pai-gow.md 8.1 and 8.2.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final

from rules.banked_round import Decision
from rules.pai_gow.options import GeeJoonTogether, HouseRules, HouseWayName
from rules.pai_gow.ranking import PAIRS, GeeJoonSingleRank, HandClass, strength
from rules.pai_gow.setting import RankedSet, legal_sets
from rules.pai_gow.tiles import DAY, FACE, TEEN, in_table_order
from rules.rounds import Hand
from rules.settlement import Step

TilesDecision = Decision[RankedSet]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    """The sets that are still to choose from, and what has been said about the others.

    *sets* are in the order of the final tie, so the first of several that rank alike is it.
    """

    tiles: Hand
    sets: tuple[RankedSet, ...]
    single_rank: GeeJoonSingleRank
    steps: tuple[Step, ...] = ()

    def play(self, played: RankedSet, why: Step) -> TilesDecision:
        return Decision(played=played, steps=(*self.steps, why))


def set_house_way(hand: Hand, rules: HouseRules) -> TilesDecision:
    """Return how the dealer sets four tiles under the table's house way."""
    assert rules.house_way is HouseWayName.TRADITIONAL, "the options refuse the other ways"
    return _traditional(in_table_order(hand), rules.gee_joon_together, rules.gee_joon_single_rank)


@cache  # at most 8,130 different hands with each pair of options, a few hundred bytes each
def _traditional(
    tiles: Hand, together: GeeJoonTogether, single_rank: GeeJoonSingleRank
) -> TilesDecision:
    sets = legal_sets(tiles, together=together, single_rank=single_rank)
    weighed = _weigh_pairs(_Weighed(tiles=tiles, sets=sets, single_rank=single_rank))
    if isinstance(weighed, Decision):
        return weighed
    return _play_covering(weighed) or _play_named(weighed) or _play_best_low(weighed)


def _best_low(sets: Sequence[RankedSet]) -> RankedSet:
    return max(sets, key=lambda one: one.low_first)


def _best_high(sets: Sequence[RankedSet]) -> RankedSet:
    return max(sets, key=lambda one: one.high_first)


def _said(template: str, one: RankedSet) -> Step:
    """Return *template* with the set's two hands as ``{low}`` and ``{high}`` in words."""
    return Step(template, {"low": one.low_rank.words, "high": one.high_rank.words})


# Step 1: pairs.


@dataclass(frozen=True, slots=True)
class _Split:
    """When a pair is split: for a set of at least these points, or beside these spots."""

    at_least: tuple[tuple[int, int], ...] = ()
    beside: tuple[tuple[int, int], ...] = ()
    """Printed spots of the two other tiles, the greater first."""

    def applies(self, best: RankedSet, others: Sequence[str]) -> bool:
        low, high = best.points
        return any(low >= least and high >= most for least, most in self.at_least) or (
            _spots(others) in self.beside
        )

    def words(self) -> str:
        values = [f"{low}/{high} or better" for low, high in self.at_least]
        spots = [f"beside {one}-{other}" for one, other in self.beside]
        return ", ".join((*values, *spots))


def _spots(tiles: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted((FACE[tile].spots for tile in tiles), reverse=True))


_TEENS_AND_DAYS: Final = _Split(at_least=((6, 8),), beside=((11, 9),))
_SEVENS: Final = _Split(at_least=((7, 9),))
_EIGHTS: Final = _Split(at_least=((7, 9), (8, 8)))

# By the names of the pairs; fours, fives, sixes, tens and elevens are never split.
_SPLITS: Final = {
    "Gee Joon": _Split(beside=((6, 4), (6, 5), (6, 6))),
    "Teen": _TEENS_AND_DAYS,
    "Day": _TEENS_AND_DAYS,
    "Tit": _SEVENS,
    "Chop Chit": _SEVENS,
    "Yun": _EIGHTS,
    "Chop Bot": _EIGHTS,
    "Chop Gow": _Split(at_least=((9, 9),)),
}


def _weigh_pairs(weighed: _Weighed) -> TilesDecision | _Weighed:
    kept = [one for one in weighed.sets if one.high_rank.hand_class is HandClass.PAIR]
    if not kept:
        return weighed
    for one in kept:
        if one.low_rank.hand_class is HandClass.PAIR:
            return weighed.play(
                one, _said("Two pairs: both are played, {low} low, {high} high.", one)
            )
    return _keep_or_split(kept[0], weighed)


def _keep_or_split(kept: RankedSet, weighed: _Weighed) -> TilesDecision | _Weighed:
    name = PAIRS[frozenset(kept.high)]
    apart = tuple(one for one in weighed.sets if one is not kept)
    if not apart:
        return weighed.play(
            kept, Step("The pair {pair} must be set together: it is the high hand.", {"pair": name})
        )
    split = _SPLITS.get(name)
    if split is None:
        return weighed.play(
            kept, Step("The pair {pair} is never split: it is the high hand.", {"pair": name})
        )
    best = _best_low(apart)
    if not split.applies(best, kept.low):
        return weighed.play(
            kept,
            Step(
                "The pair {pair} is the high hand: it is split only for {when}.",
                {"pair": name, "when": split.words()},
            ),
        )
    values: dict[str, str | int | Step] = {
        "pair": name,
        "low": best.low_rank.words,
        "high": best.high_rank.words,
    }
    if kept.covers(best):
        return weighed.play(
            kept,
            Step(
                "The pair {pair} could be split for {low} and {high}, but kept together "
                "neither hand is worse: it is the high hand.",
                values,
            ),
        )
    why = Step("The pair {pair} is split: that makes {low} and {high}.", values)
    return _Weighed(
        tiles=weighed.tiles,
        sets=apart,
        single_rank=weighed.single_rank,
        steps=(*weighed.steps, why),
    )


# Step 2: a set that no other beats in either hand.


def _play_covering(weighed: _Weighed) -> TilesDecision | None:
    for one in weighed.sets:
        if all(one.covers(other) for other in weighed.sets):
            return weighed.play(
                one,
                _said("{low} low, {high} high: no other set is better in either hand.", one),
            )
    return None


# Step 3: wong, gong and high nine.


class _Kind(Enum):
    """What the high hand of a named set is, in the order of preference."""

    HIGH_NINE = "high nine"
    GONG = "gong"
    WONG = "wong"


def _kind_of(one: RankedSet) -> _Kind | None:
    if one.high_rank.is_high_nine:
        return _Kind.HIGH_NINE
    return {HandClass.GONG: _Kind.GONG, HandClass.WONG: _Kind.WONG}.get(one.high_rank.hand_class)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Preference:
    """An exception to high nine before gong before wong, when several can be made."""

    available: frozenset[_Kind]
    tiles: tuple[frozenset[str], ...]
    """The four tiles include one of each group."""
    play: _Kind
    because: str

    def applies(self, kinds: frozenset[_Kind], tiles: Hand) -> bool:
        return self.available <= kinds and all(group & set(tiles) for group in self.tiles)


_PREFERENCES: Final = (
    _Preference(
        available=frozenset({_Kind.WONG}),
        tiles=(frozenset({"65"}),),
        play=_Kind.WONG,
        because="With an eleven the wong is played",
    ),
    _Preference(
        available=frozenset({_Kind.WONG, _Kind.HIGH_NINE}),
        tiles=(frozenset({"22"}),),
        play=_Kind.WONG,
        because="With a low four the wong is played before the high nine",
    ),
    _Preference(
        available=frozenset({_Kind.GONG, _Kind.HIGH_NINE}),
        tiles=(frozenset({"31", "22"}),),
        play=_Kind.GONG,
        because="With a four the gong is played before the high nine",
    ),
    _Preference(
        available=frozenset({_Kind.GONG, _Kind.HIGH_NINE}),
        tiles=(frozenset({"41", "32"}), frozenset({"62", "53"})),
        play=_Kind.GONG,
        because="With a five and a low eight the gong is played before the high nine",
    ),
)


def _play_named(weighed: _Weighed) -> TilesDecision | None:
    named = [(kind, one) for one in weighed.sets if (kind := _kind_of(one)) is not None]
    if {TEEN, DAY} <= set(weighed.tiles):
        # The better of the two belongs in the better hand (step T of the source).
        named = [(kind, one) for kind, one in named if TEEN in one.high] or named
    if not named:
        return None
    preferred, because = _preferred(frozenset(kind for kind, _ in named), weighed.tiles)
    played = _best_low([one for kind, one in named if kind is preferred])
    return weighed.play(
        played,
        Step(
            "{reason}: {high} high, and of those sets the best low hand, {low}.",
            {
                "reason": Step(because),
                "high": played.high_rank.words,
                "low": played.low_rank.words,
            },
        ),
    )


def _preferred(kinds: frozenset[_Kind], tiles: Hand) -> tuple[_Kind, str]:
    if len(kinds) == 1:
        (only,) = kinds
        return only, f"A {only.value} can be made"
    for preference in _PREFERENCES:
        if preference.applies(kinds, tiles):
            return preference.play, preference.because
    first = next(kind for kind in _Kind if kind in kinds)
    return first, f"The {first.value} is played before any other named hand"


# Step 4: the best low hand, unless a refinement fits.


def _play_best_low(weighed: _Weighed) -> TilesDecision:
    best = _best_low(weighed.sets)
    for refinement in _REFINEMENTS:
        decision = refinement(best, weighed)
        if decision is not None:
            return decision
    return weighed.play(best, _said("The best low hand is played: {low}, with {high} high.", best))


def _with_points(points: tuple[int, int], weighed: _Weighed) -> list[RankedSet]:
    return [one for one in weighed.sets if one.points == points]


def _parts_two_best_tiles(one: RankedSet, weighed: _Weighed) -> bool:
    """Tell whether the two highest-ranking of the four tiles lie in different hands."""
    low, high = (
        sorted((strength(tile, weighed.single_rank) for tile in hand), reverse=True)
        for hand in (one.low, one.high)
    )
    best, second, *_ = sorted((*low, *high), reverse=True)
    return {low[0], high[0]} == {best, second}


def _two_eight_nines(best: RankedSet, weighed: _Weighed) -> TilesDecision | None:
    same = _with_points((8, 9), weighed)
    if best.points != (8, 9) or len(same) < 2:
        return None
    played = _best_high(same)
    return weighed.play(
        played,
        _said(
            "8/9 can be made in two ways: the one with the best high hand, {high}, {low} low.",
            played,
        ),
    )


def _seven_nine_before_eights(best: RankedSet, weighed: _Weighed) -> TilesDecision | None:
    others = _with_points((7, 9), weighed)
    if best.points != (8, 8) or not others:
        return None
    played = _best_high(others)
    if not _parts_two_best_tiles(played, weighed):
        return None
    return weighed.play(
        played,
        _said(
            "7/9 is played before 8/8, since it puts one of the two highest tiles in each "
            "hand: {low} low, {high} high.",
            played,
        ),
    )


def _teen_high_with_seven_eight(best: RankedSet, weighed: _Weighed) -> TilesDecision | None:
    same = _with_points((7, 8), weighed)
    with_teen = [one for one in same if TEEN in one.high]
    if best.points != (7, 8) or len(same) < 2 or not with_teen or DAY not in weighed.tiles:
        return None
    played = _best_high(with_teen)
    return weighed.play(
        played, _said("7/8 can be made in two ways: Teen goes high, {high}, {low} low.", played)
    )


def _parted_tiles_with_same_points(best: RankedSet, weighed: _Weighed) -> TilesDecision | None:
    same = _with_points(best.points, weighed)
    if best.points not in ((6, 7), (6, 8), (6, 9), (7, 9)) or len(same) < 2:
        return None
    played = _best_high(same)
    if not _parts_two_best_tiles(played, weighed):
        return None
    return weighed.play(
        played,
        _said(
            "Of the ways with these points the one that puts one of the two highest tiles in "
            "each hand: {low} low, {high} high.",
            played,
        ),
    )


_HIGH_THREE: Final = (0, 3, strength("33"))


def _high_hand_before_poor_low(best: RankedSet, weighed: _Weighed) -> TilesDecision | None:
    played = _best_high(weighed.sets)
    if best.low_rank.key >= _HIGH_THREE or played.high_rank.scale < 7:
        return None
    return weighed.play(
        played,
        _said("No low hand reaches a high three: the best high hand, {high}, {low} low.", played),
    )


# The first that fits decides.
_REFINEMENTS: Final[Sequence[Callable[[RankedSet, _Weighed], TilesDecision | None]]] = (
    _two_eight_nines,
    _seven_nine_before_eights,
    _teen_high_with_seven_eight,
    _parted_tiles_with_same_points,
    _high_hand_before_poor_low,
)
