"""What the house ways have in common: pairs, the named hands, and how a choice is told.

The invariant: what a way narrows down only ever leaves legal sets, in the order of the final
tie, so the first of several that rank alike is the one that is played.

Source:
    pai-gow.md 8.1.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from rules.banked_round import Decision
from rules.pai_gow.ranking import PAIRS, GeeJoonSingleRank, HandClass, strength
from rules.pai_gow.setting import RankedSet
from rules.pai_gow.tiles import DAY, FACE, GEE_JOON, TEEN
from rules.rounds import Hand
from rules.settlement import Step

TilesDecision = Decision[RankedSet]

HIGH_THREE: Final = (0, 3, strength("33"))
"""The key of 3 points with ``33`` on top; a lower low hand is hardly one."""
HARMONY_THREE: Final = (0, 3, strength("31"))
"""The key of 3 points with ``31`` on top."""

FIVES: Final = frozenset({"41", "32"})
SEVENS: Final = frozenset({"61", "52", "43"})
LOW_EIGHTS: Final = frozenset({"62", "53"})
NINES: Final = frozenset({"63", "54"})
FOURS: Final = frozenset({"31", "22"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """The sets that are still to choose from, and what has been said about the others.

    *sets* are in the order of the final tie, so the first of several that rank alike is it.
    """

    tiles: Hand
    sets: tuple[RankedSet, ...]
    single_rank: GeeJoonSingleRank
    steps: tuple[Step, ...] = ()

    def play(self, played: RankedSet, why: Step) -> TilesDecision:
        """Return the decision for *played*, with all that was said before it."""
        return Decision(played=played, steps=(*self.steps, why))

    def has_each(self, groups: Iterable[frozenset[str]]) -> bool:
        """Tell whether the tiles include one of each group."""
        return all(group & set(self.tiles) for group in groups)


def best_low(sets: Iterable[RankedSet]) -> RankedSet:
    """Return the set with the best low hand, and of those the best high hand."""
    return max(sets, key=lambda one: one.low_first)


def best_high(sets: Iterable[RankedSet]) -> RankedSet:
    """Return the set with the best high hand, and of those the best low hand."""
    return max(sets, key=lambda one: one.high_first)


def with_points(points: tuple[int, int], weighed: Weighed) -> list[RankedSet]:
    """Return the sets of exactly these points, low and high."""
    return [one for one in weighed.sets if one.points == points]


def said(template: str, one: RankedSet) -> Step:
    """Return *template* with the set's two hands as ``{low}`` and ``{high}`` in words."""
    return Step(template, {"low": one.low_rank.words, "high": one.high_rank.words})


# Pairs: step P.


@dataclass(frozen=True, slots=True)
class Split:
    """When a pair is split: for a set of at least these points, or beside these spots."""

    at_least: tuple[tuple[int, int], ...] = ()
    beside: tuple[tuple[int, int], ...] = ()
    """Spots of the two other tiles, the greater first."""
    among: tuple[int, ...] = ()
    """Both other tiles have one of these spots."""
    told: str = ""
    """What the tiles beside it are, where a list of them would be long."""

    def applies(self, best: RankedSet, others: Sequence[str]) -> bool:
        """Tell whether the pair is split beside *others* for *best*."""
        low, high = best.points
        spots = _spots(others)
        return (
            any(low >= least and high >= most for least, most in self.at_least)
            or spots in self.beside
            or set(spots) <= set(self.among)
        )

    def words(self) -> str:
        """Return when that is, as a dealer reads it: ``for 7/9 or better, beside 11-9``."""
        values = [f"for {low}/{high} or better" for low, high in self.at_least]
        among = [f"beside two of {', '.join(map(str, self.among))} spots"] if self.among else []
        spots = [f"beside {one}-{other}" for one, other in self.beside]
        return ", ".join((*values, *among, *([self.told] if self.told else spots)))


def _spots(tiles: Sequence[str]) -> tuple[int, ...]:
    # Either of the Gee Joon tiles counts as a six where a pair is looked at.
    counted = (6 if tile in GEE_JOON else FACE[tile].spots for tile in tiles)
    return tuple(sorted(counted, reverse=True))


def play_two_pairs(weighed: Weighed) -> TilesDecision | None:
    """Play two pairs where there are two; no way parts them."""
    for one in weighed.sets:
        if one.low_rank.hand_class is one.high_rank.hand_class is HandClass.PAIR:
            return weighed.play(
                one, said("Two pairs: both are played, {low} low, {high} high.", one)
            )
    return None


def kept_pair(weighed: Weighed) -> RankedSet | None:
    """Return the set that keeps the only pair as the high hand, if there is a pair."""
    for one in weighed.sets:
        if one.high_rank.hand_class is HandClass.PAIR:
            return one
    return None


def weigh_pairs(weighed: Weighed, splits: Mapping[str, Split]) -> TilesDecision | Weighed:
    """Play the pairs, or return what is left to choose from.

    *splits* are by the names of the pairs; one that is not there is never split.
    """
    if decision := play_two_pairs(weighed):
        return decision
    kept = kept_pair(weighed)
    return weighed if kept is None else _keep_or_split(kept, weighed, splits)


def _keep_or_split(
    kept: RankedSet, weighed: Weighed, splits: Mapping[str, Split]
) -> TilesDecision | Weighed:
    name = PAIRS[frozenset(kept.high)]
    apart = tuple(one for one in weighed.sets if one is not kept)
    if not apart:
        return weighed.play(
            kept, Step("The pair {pair} must be set together: it is the high hand.", {"pair": name})
        )
    split = splits.get(name)
    if split is None:
        return weighed.play(
            kept, Step("The pair {pair} is never split: it is the high hand.", {"pair": name})
        )
    best = best_low(apart)
    if not split.applies(best, kept.low):
        return weighed.play(
            kept,
            Step(
                "The pair {pair} is the high hand: it is split only {when}.",
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
    return Weighed(
        tiles=weighed.tiles,
        sets=apart,
        single_rank=weighed.single_rank,
        steps=(*weighed.steps, why),
    )


# A set that no other beats in either hand.


def play_covering(weighed: Weighed) -> TilesDecision | None:
    """Play the set that covers all others, if one does."""
    for one in weighed.sets:
        if all(one.covers(other) for other in weighed.sets):
            return weighed.play(
                one,
                said("{low} low, {high} high: no other set is better in either hand.", one),
            )
    return None


# Wong, gong and high nine.


class Kind(Enum):
    """What the high hand of a named set is, in the order of preference."""

    HIGH_NINE = "high nine"
    GONG = "gong"
    WONG = "wong"


def _kind_of(one: RankedSet) -> Kind | None:
    if one.high_rank.is_high_nine:
        return Kind.HIGH_NINE
    return {HandClass.GONG: Kind.GONG, HandClass.WONG: Kind.WONG}.get(one.high_rank.hand_class)


def named_sets(weighed: Weighed) -> dict[Kind, list[RankedSet]]:
    """Return the sets whose high hand is a wong, a gong or a high nine, by its kind (step T)."""
    named = [(kind, one) for one in weighed.sets if (kind := _kind_of(one)) is not None]
    if {TEEN, DAY} <= set(weighed.tiles):
        # The better of the two belongs in the better hand.
        named = [(kind, one) for kind, one in named if TEEN in one.high] or named
    found: dict[Kind, list[RankedSet]] = {}
    for kind, one in named:
        found.setdefault(kind, []).append(one)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """An exception to high nine before gong before wong, when several can be made."""

    available: frozenset[Kind]
    tiles: tuple[frozenset[str], ...]
    """The four tiles include one of each group."""
    play: Kind
    because: str

    def applies(self, kinds: Collection[Kind], weighed: Weighed) -> bool:
        """Tell whether these kinds and tiles are the exception's."""
        return self.available <= set(kinds) and weighed.has_each(self.tiles)


def play_named(weighed: Weighed, preferences: Sequence[Preference]) -> TilesDecision | None:
    """Play a named hand where one can be made: of its kind the set with the best low hand."""
    named = named_sets(weighed)
    if not named:
        return None
    kind, because = _preferred(named.keys(), weighed, preferences)
    played = best_low(named[kind])
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


def _preferred(
    kinds: Collection[Kind], weighed: Weighed, preferences: Sequence[Preference]
) -> tuple[Kind, str]:
    if len(kinds) == 1:
        (only,) = kinds
        return only, f"A {only.value} can be made"
    for preference in preferences:
        if preference.applies(kinds, weighed):
            return preference.play, preference.because
    first = next(kind for kind in Kind if kind in kinds)
    return first, f"The {first.value} is played before any other named hand"


# The best low hand, and when it is given up.


def play_high_before_poor_low(weighed: Weighed) -> TilesDecision | None:
    """Play the best high hand where no low hand is worth much."""
    played = best_high(weighed.sets)
    if best_low(weighed.sets).low_rank.key >= HIGH_THREE or played.high_rank.scale < 7:
        return None
    return weighed.play(
        played,
        said("No low hand reaches a high three: the best high hand, {high}, {low} low.", played),
    )


def play_best_low(weighed: Weighed) -> TilesDecision:
    """Play the best low hand."""
    best = best_low(weighed.sets)
    return weighed.play(best, said("The best low hand is played: {low}, with {high} high.", best))
