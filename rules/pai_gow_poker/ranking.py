"""What five cards and two cards are worth, the joker played at its best.

Invariant: a hand's worth is one integer; a better hand's is greater, equal hands' are equal, and
a two-card hand's stands just below every five-card hand that begins with the same cards, so that
`back >= front` is the whole test of a legal setting.

The integer is written in hexadecimal digits: the class, then up to five keys of pai-gow-poker.md
4.2, missing ones as zero. Tables over rank multisets (no suit matters) and over the ranks of a
suited five give it in a few look-ups; they are made once for each pair of ranking options.

Source: pai-gow-poker.md 3.2 to 3.4, 4, 5, 6.1.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from string import Formatter
from typing import Final

from rules.cards import DECK, JOKER, Card, Rank
from rules.settlement import Step


class WheelRank(StrEnum):
    """Where A-2-3-4-5 stands among the straights."""

    SECOND = "second"
    """Directly below A-K-Q-J-10."""
    LOWEST = "lowest"
    """Below 6-5-4-3-2."""


class JokerFlush(StrEnum):
    """Which card the joker is in a flush that already holds the ace."""

    HIGHEST_MISSING = "highest_missing"
    """The highest card of the suit that the hand does not hold."""
    ACE = "ace"
    """A second ace: the double-ace flush."""


class HandClass(IntEnum):
    """The kind of hand; a better one compares greater. Two cards are `HIGH_CARD` or `PAIR`."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9
    FIVE_ACES = 10

    @property
    def word(self) -> str:
        """The class as it is said: `three of a kind`."""
        return self.name.lower().replace("_", " ")


COMPLETE: Final = frozenset(
    {HandClass.STRAIGHT, HandClass.FLUSH, HandClass.STRAIGHT_FLUSH, HandClass.ROYAL_FLUSH}
)
"""The classes that need all five cards: straights and flushes (pai-gow-poker.md 12.1)."""

_CLASSES: Final = tuple(HandClass)

_KEYS_OF: Final = {
    HandClass.HIGH_CARD: 5,
    HandClass.PAIR: 4,
    HandClass.TWO_PAIR: 3,
    HandClass.THREE_OF_A_KIND: 3,
    HandClass.STRAIGHT: 1,
    HandClass.FLUSH: 5,
    HandClass.FULL_HOUSE: 2,
    HandClass.FOUR_OF_A_KIND: 2,
    HandClass.STRAIGHT_FLUSH: 1,
    HandClass.ROYAL_FLUSH: 0,
    HandClass.FIVE_ACES: 0,
}
assert _KEYS_OF.keys() == set(HandClass)

# The key of a straight is its top rank, except that these two leave room for each other: the
# wheel stands either between king-high and ace-high or below six-high.
_ACE_HIGH: Final = Rank.ACE + 1
_WHEEL_SECOND: Final = Rank.ACE
_WHEEL_LOWEST: Final = Rank.FIVE

_WHEEL: Final = frozenset({Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE})
_DIGITS: Final = 5
_BITS: Final = 4
"""Bits of a digit."""
_SHIFTS: Final = tuple(range(_BITS * (_DIGITS - 1), -1, -_BITS))
"""How far right each key lies, the first key first."""


@dataclass(frozen=True, slots=True, order=True)
class HandRank:
    """The worth of a five-card or two-card hand; a better hand compares greater."""

    worth: int
    """Class and keys as hexadecimal digits; equal worth is a copy."""
    size: int = field(compare=False, kw_only=True)
    """How many cards the hand has: 5 or 2."""

    @property
    def hand_class(self) -> HandClass:
        """The kind of hand."""
        return class_of(self.worth)

    @property
    def key(self) -> tuple[int, ...]:
        """Class, then the keys of pai-gow-poker.md 4.2; compares like the rank."""
        return (int(self.hand_class), *self._keys())

    @property
    def words(self) -> Step:
        """The hand in words: `pair of kings, ace-nine-four`."""
        return _words_of(self.worth, self.size)

    def _keys(self) -> tuple[int, ...]:
        count = _KEYS_OF[self.hand_class]
        if self.size == 2:
            count = 2 if self.hand_class is HandClass.HIGH_CARD else 1
        return tuple(self.worth >> shift & 0xF for shift in _SHIFTS[:count])


def class_of(worth: int) -> HandClass:
    """Return the class that *worth* begins with."""
    return _CLASSES[worth >> _BITS * _DIGITS]


def pair_worth(rank: Rank) -> int:
    """Return the worth of two cards that pair."""
    return _worth(HandClass.PAIR, rank)


def high_card_worth(higher: Rank, lower: Rank) -> int:
    """Return the worth of two cards of different ranks."""
    assert higher > lower, (higher, lower)
    return _worth(HandClass.HIGH_CARD, higher, lower)


def _worth(hand_class: HandClass, *keys: int) -> int:
    worth = int(hand_class)
    for key in (*keys, *[0] * (_DIGITS - len(keys))):
        worth = worth << _BITS | key
    return worth


_KICKERS: Final = tuple(
    "-".join(f"{{card_{place}}}" for place in range(1, count + 1)) for count in range(_DIGITS + 1)
)
"""So many cards side by side: `{card_1}-{card_2}`."""

_BACK_WORDS: Final = {
    HandClass.HIGH_CARD: f"high card, {_KICKERS[5]}",
    HandClass.PAIR: f"pair of {{group}}, {_KICKERS[3]}",
    HandClass.TWO_PAIR: f"two pair, {{group}} and {{lower_group}}, {_KICKERS[1]}",
    HandClass.THREE_OF_A_KIND: f"three {{group}}, {_KICKERS[2]}",
    HandClass.STRAIGHT: "straight, {straight}",
    HandClass.FLUSH: f"flush, {_KICKERS[5]}",
    HandClass.FULL_HOUSE: "full house, {group} over {lower_group}",
    HandClass.FOUR_OF_A_KIND: f"four {{group}}, {_KICKERS[1]}",
    HandClass.STRAIGHT_FLUSH: "straight flush, {straight}",
    HandClass.ROYAL_FLUSH: "royal flush",
    HandClass.FIVE_ACES: "five aces",
}
assert _BACK_WORDS.keys() == set(HandClass)

_FRONT_WORDS: Final = {
    HandClass.HIGH_CARD: _KICKERS[2],
    HandClass.PAIR: "pair of {group}",
}

_NAMES: Final = {
    words: tuple(field for _, field, _, _ in Formatter().parse(words) if field)
    for words in (*_BACK_WORDS.values(), *_FRONT_WORDS.values())
}
"""The names in each sentence, in the order of the keys that fill them."""

_RANK_WORDS: Final = tuple(Step(rank.word) for rank in Rank)
_PLURALS: Final = tuple(Step(rank.plural) for rank in Rank)


# One hand, above all the bank's, is said once for each seat it is compared with.
@lru_cache(maxsize=1024)
def _words_of(worth: int, size: int) -> Step:
    hand_class = class_of(worth)
    template = _FRONT_WORDS[hand_class] if size == 2 else _BACK_WORDS[hand_class]
    names = _NAMES[template]
    if names == ("straight",):
        return Step(template, {"straight": _straight_words(worth >> _SHIFTS[0] & 0xF)})
    return Step(
        template,
        {
            name: (_RANK_WORDS if name.startswith("card") else _PLURALS)[worth >> shift & 0xF]
            for name, shift in zip(names, _SHIFTS, strict=False)
        },
    )


def _straight_words(key: int) -> Step:
    if key in {_WHEEL_SECOND, _WHEEL_LOWEST}:
        return Step("ace to five")
    return Step("{rank} high", {"rank": _RANK_WORDS[min(key, Rank.ACE)]})


# What the tables are indexed by. A rank occurs at most four times, so sums of powers of five tell
# rank multisets apart; the joker is a fourteenth rank, of every suit.
_RANK_KEY: Final = tuple(5 ** (13 if card.is_joker else card.rank) for card in DECK)
_RANK_BIT: Final = tuple(1 << (13 if card.is_joker else card.rank) for card in DECK)
_SUIT_BITS: Final = tuple(0xF if card.is_joker else 1 << card % 4 for card in DECK)
_JOKER_KEY: Final = _RANK_KEY[JOKER]
_JOKER_BIT: Final = _RANK_BIT[JOKER]


def _two_cards(first: Card, second: Card) -> int:
    if first.rank == second.rank:
        return pair_worth(first.rank)
    return high_card_worth(max(first.rank, second.rank), min(first.rank, second.rank))


_FRONT: Final = tuple(tuple(_two_cards(first, second) for second in DECK) for first in DECK)


def front_worth(first: Card, second: Card) -> int:
    """Return the worth of two cards; the joker is an ace.

    Source: pai-gow-poker.md 5.
    """
    return _FRONT[first][second]


class Ranking:
    """The order of five-card hands under one pair of options, as tables."""

    __slots__ = ("_suited", "_unsuited", "joker_flush", "wheel_rank")

    def __init__(self, *, wheel_rank: WheelRank, joker_flush: JokerFlush) -> None:
        self.wheel_rank, self.joker_flush = wheel_rank, joker_flush
        self._unsuited = self._rank_multisets()
        self._suited = self._suited_ranks()

    def back_worth(self, cards: Sequence[Card]) -> int:
        """Return the worth of five different cards, in any order.

        Source: pai-gow-poker.md 3.4 and 4.
        """
        a, b, c, d, e = cards
        if _SUIT_BITS[a] & _SUIT_BITS[b] & _SUIT_BITS[c] & _SUIT_BITS[d] & _SUIT_BITS[e]:
            bits = _RANK_BIT
            return self._suited[bits[a] | bits[b] | bits[c] | bits[d] | bits[e]]
        keys = _RANK_KEY
        return self._unsuited[keys[a] + keys[b] + keys[c] + keys[d] + keys[e]]

    def rank(self, cards: Sequence[Card]) -> HandRank:
        """Rank a hand of five or two different cards, in any order.

        Source: pai-gow-poker.md 4 and 5.
        """
        if len(cards) == 2:
            return HandRank(front_worth(*cards), size=2)
        return HandRank(self.back_worth(cards), size=5)

    def _rank_multisets(self) -> dict[int, int]:
        natural = {
            sum(5**rank for rank in ranks): self._of_ranks(ranks)
            for ranks in combinations_with_replacement(Rank, 5)
            if ranks[0] != ranks[4]
        }
        with_joker = {
            _JOKER_KEY + sum(5**rank for rank in ranks): self._of_ranks_and_joker(ranks)
            for ranks in combinations_with_replacement(Rank, 4)
        }
        return natural | with_joker

    def _suited_ranks(self) -> dict[int, int]:
        natural = {
            sum(1 << rank for rank in ranks): self._of_suited(ranks)
            for ranks in combinations(Rank, 5)
        }
        with_joker = {
            _JOKER_BIT + sum(1 << rank for rank in ranks): self._of_suited_and_joker(ranks)
            for ranks in combinations(Rank, 4)
        }
        return natural | with_joker

    def _of_ranks(self, ranks: Sequence[Rank]) -> int:
        straight = self._straight_key(ranks)
        if straight is not None:
            return _worth(HandClass.STRAIGHT, straight)
        counts = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
        shape = tuple(n for n, _ in counts)
        return _worth(_CLASS_OF_SHAPE[shape], *(rank for _, rank in counts))

    def _of_ranks_and_joker(self, ranks: Sequence[Rank]) -> int:
        if set(ranks) == {Rank.ACE}:
            return _worth(HandClass.FIVE_ACES)
        uses = (
            (*ranks, use)
            for use in Rank
            if use is Rank.ACE or self._straight_key((*ranks, use)) is not None
        )
        return max(map(self._of_ranks, uses))

    def _of_suited(self, ranks: Sequence[Rank]) -> int:
        straight = self._straight_key(ranks)
        if straight == _ACE_HIGH:
            return _worth(HandClass.ROYAL_FLUSH)
        if straight is not None:
            return _worth(HandClass.STRAIGHT_FLUSH, straight)
        return _worth(HandClass.FLUSH, *sorted(ranks, reverse=True))

    def _of_suited_and_joker(self, ranks: Sequence[Rank]) -> int:
        best = max(self._of_suited((*ranks, use)) for use in Rank if use not in ranks)
        if self.joker_flush is JokerFlush.ACE:
            double_ace = _worth(HandClass.FLUSH, Rank.ACE, *sorted(ranks, reverse=True))
            return max(best, double_ace)
        return best

    def _straight_key(self, ranks: Sequence[Rank]) -> int | None:
        held = set(ranks)
        if held == _WHEEL:
            return _WHEEL_SECOND if self.wheel_rank is WheelRank.SECOND else _WHEEL_LOWEST
        if len(held) < 5 or max(held) - min(held) != 4:
            return None
        return _ACE_HIGH if Rank.ACE in held else max(held)


_CLASS_OF_SHAPE: Final = {
    (4, 1): HandClass.FOUR_OF_A_KIND,
    (3, 2): HandClass.FULL_HOUSE,
    (3, 1, 1): HandClass.THREE_OF_A_KIND,
    (2, 2, 1): HandClass.TWO_PAIR,
    (2, 1, 1, 1): HandClass.PAIR,
    (1, 1, 1, 1, 1): HandClass.HIGH_CARD,
}


@cache
def ranking_of(*, wheel_rank: WheelRank, joker_flush: JokerFlush) -> Ranking:
    """Return the ranking under these options; its tables are made on the first call."""
    return Ranking(wheel_rank=wheel_rank, joker_flush=joker_flush)
