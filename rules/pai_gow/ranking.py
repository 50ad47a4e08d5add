"""What two tiles are worth.

The invariant: :func:`rank` is a total preorder. A better hand has a greater key, an equal
key is a copy, and every hand of 0 points has one key, since 0 against 0 is always the bank's.

Source:
    pai-gow.md 1.2 and 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations_with_replacement
from typing import Final

from rules.pai_gow.tiles import DAY, FACE, FACES, GEE_JOON, TEEN, Face
from rules.settlement import Step

Key = tuple[int, int, int]
"""Class, value and top tile, compared in this order (pai-gow.md 2.6)."""


class GeeJoonSingleRank(StrEnum):
    """Where ``42`` and ``21`` stand among single tiles."""

    SPLIT = "split"
    """``42`` above the fives, ``21`` below them."""
    BOTH_LAST = "both_last"
    """On one line below the fives."""


class HandClass(StrEnum):
    """The classes of a two-tile hand."""

    PAIR = "pair"
    WONG = "wong"
    GONG = "gong"
    POINTS = "points"


_CLASS_KEY: Final = {
    HandClass.PAIR: 3,
    HandClass.WONG: 2,
    HandClass.GONG: 1,
    HandClass.POINTS: 0,
}

PAIR_SCALE: Final = 12
WONG_SCALE: Final = 11
GONG_SCALE: Final = 10
_SCALE: Final = {
    HandClass.PAIR: PAIR_SCALE,
    HandClass.WONG: WONG_SCALE,
    HandClass.GONG: GONG_SCALE,
}

PAIRS: Final[Mapping[frozenset[str], str]] = {
    frozenset({"42", "21"}): "Gee Joon",
    frozenset({"66"}): "Teen",
    frozenset({"11"}): "Day",
    frozenset({"44"}): "Yun",
    frozenset({"31"}): "Gor",
    frozenset({"55"}): "Mooy",
    frozenset({"33"}): "Chong",
    frozenset({"22"}): "Bon",
    frozenset({"65"}): "Foo",
    frozenset({"64"}): "Ping",
    frozenset({"61"}): "Tit",
    frozenset({"51"}): "Look",
    frozenset({"63", "54"}): "Chop Gow",
    frozenset({"62", "53"}): "Chop Bot",
    frozenset({"52", "43"}): "Chop Chit",
    frozenset({"41", "32"}): "Chop Ng",
}
"""The faces of each pair, the highest pair first; spots have nothing to do with it."""

_PAIR_VALUE: Final = {faces: 16 - place for place, faces in enumerate(PAIRS)}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class HandRank:
    """What a two-tile hand is worth, and how it is called; a better hand compares greater."""

    key: Key
    hand_class: HandClass = field(compare=False)
    scale: int = field(compare=False)
    """Points for house ways and displays: pair 12, wong 11, gong 10, else the points."""
    is_high_nine: bool = field(compare=False)
    """A nine with ``66`` or ``11``: a name only, its top tile puts it above other nines."""
    words: Step = field(compare=False)


def strength(token: str, single_rank: GeeJoonSingleRank = GeeJoonSingleRank.SPLIT) -> int:
    """Return how high a single tile ranks, 17 for ``66`` down to 1; equal lines are equal."""
    if single_rank is GeeJoonSingleRank.BOTH_LAST and token in GEE_JOON:
        return 1
    return 18 - FACE[token].line


def rank(
    first: str, second: str, *, single_rank: GeeJoonSingleRank = GeeJoonSingleRank.SPLIT
) -> HandRank:
    """Return the rank of two different tiles, in either order.

    Source:
        pai-gow.md 2; the key is that of 2.6.
    """
    return _RANKS[single_rank][first, second]


def _work_out(first: Face, second: Face, single_rank: GeeJoonSingleRank) -> HandRank:
    tokens = frozenset({first.token, second.token})
    if tokens in PAIRS:
        return _named(HandClass.PAIR, _PAIR_VALUE[tokens], 0, _pair_words(tokens))
    top = max((first, second), key=lambda face: strength(face.token, single_rank))
    top_strength = strength(top.token, single_rank)
    if top.token in (TEEN, DAY):
        other = second if top is first else first
        if other.spots == 9:
            return _named(HandClass.WONG, 0, top_strength, Step(f"{top.name} wong"))
        if other.spots == 8:
            return _named(HandClass.GONG, 0, top_strength, Step(f"{top.name} gong"))
    points = _points(first, second)
    if points == 0:
        return _named(HandClass.POINTS, 0, 0, Step("0"))
    is_high_nine = points == 9 and top.token in (TEEN, DAY)
    return HandRank(
        key=(0, points, top_strength),
        hand_class=HandClass.POINTS,
        scale=points,
        is_high_nine=is_high_nine,
        words=Step(f"{top.name} high nine")
        if is_high_nine
        else Step("{points} (top {tile})", {"points": points, "tile": top.token}),
    )


def _named(hand_class: HandClass, value: int, top: int, words: Step) -> HandRank:
    return HandRank(
        key=(_CLASS_KEY[hand_class], value, top),
        hand_class=hand_class,
        scale=_SCALE.get(hand_class, value),
        is_high_nine=False,
        words=words,
    )


def _pair_words(tokens: frozenset[str]) -> Step:
    return Step("{name} pair", {"name": PAIRS[tokens]})


def _points(first: Face, second: Face) -> int:
    return max((a + b) % 10 for a in _counts(first) for b in _counts(second))


def _counts(face: Face) -> tuple[int, ...]:
    # A Gee Joon tile without its partner is whichever makes the better hand, and nobody chooses.
    return (3, 6) if face.token in GEE_JOON else (face.spots,)


def _all_ranks(single_rank: GeeJoonSingleRank) -> Mapping[tuple[str, str], HandRank]:
    ranks = {}
    for first, second in combinations_with_replacement(FACES, 2):
        if first is second and first.copies == 1:
            continue
        worth = _work_out(first, second, single_rank)
        ranks[first.token, second.token] = ranks[second.token, first.token] = worth
    return ranks


# Ranked once, when the game is first loaded: a live round then only looks up.
_RANKS: Final = {single_rank: _all_ranks(single_rank) for single_rank in GeeJoonSingleRank}
