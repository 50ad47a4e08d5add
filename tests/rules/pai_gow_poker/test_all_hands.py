"""All 154,143,080 hands, by the 292,253 patterns that can matter.

Where no five cards can be of one suit only the ranks matter; else the ranks in that suit and the
ranks outside it.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from rules.cards import DECK, JOKER, Card, Rank
from rules.pai_gow_poker.house_way import FOXWOODS, set_house_way
from rules.pai_gow_poker.ranking import HandClass
from rules.pai_gow_poker.setting import list_legal_settings
from tests.rules.pai_gow_poker.cards import DEFAULT
from tests.rules.specification import rows

Pattern = tuple[tuple[Card, ...], int]
"""One of the hands of a pattern, and how many there are."""


def patterns(*, with_joker: bool) -> Iterator[Pattern]:
    """Yield the patterns of seven cards."""
    size, jokers = (6, (JOKER,)) if with_joker else (7, ())
    flushes: Counter[tuple[int, ...]] = Counter()
    for suited in range(5 - with_joker, size + 1):
        for inside in combinations(range(13), suited):
            for outside in combinations_with_replacement(range(13), size - suited):
                counts = Counter(outside)
                if max(counts.values(), default=0) > 3:
                    continue
                ways = 4 * prod(comb(3, count) for count in counts.values())
                flushes[tuple(sorted(inside + outside))] += ways
                yield (*_suited(inside), *_in_other_suits(outside), *jokers), ways
    for ranks in combinations_with_replacement(range(13), size):
        counts = Counter(ranks)
        if max(counts.values()) <= 4:
            ways = prod(comb(4, count) for count in counts.values()) - flushes[ranks]
            # Suits in turn: never more than two cards of one.
            hand = tuple(DECK[4 * rank + place % 4] for place, rank in enumerate(ranks))
            yield hand + jokers, ways


def _suited(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(DECK[4 * rank] for rank in ranks)


def _in_other_suits(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(DECK[4 * rank + 1 + ranks[:place].count(rank)] for place, rank in enumerate(ranks))


def number(cell: str) -> int:
    """Read `154,143,080`."""
    return int(cell.replace(",", ""))


@pytest.mark.long
def test_every_hand_is_counted_and_set_legally_by_the_house_way():
    best: dict[bool, Counter[HandClass]] = {True: Counter(), False: Counter()}
    pai_gow: Counter[Rank] = Counter()
    seen = nine_high = 0
    for with_joker in (False, True):
        for hand, ways in patterns(with_joker=with_joker):
            seen += 1
            legal = list_legal_settings(hand, ranking=DEFAULT)
            top = max(one.back for one in legal).hand_class
            best[with_joker][top] += ways
            if top is HandClass.HIGH_CARD:
                pai_gow[max(card.rank for card in hand)] += ways
            found = set_house_way(hand, way=FOXWOODS, ranking=DEFAULT).set_hand
            assert found.back == max(one.back for one in legal if one.front == found.front)
            nine_high += ways * (found.front.key[:2] == (HandClass.HIGH_CARD, Rank.NINE))

    table = {
        HandClass[name.removesuffix(" (pai gow)").replace(" ", "_").upper()]: (all_, joker)
        for name, all_, joker, _ in rows(
            "rules/pai-gow-poker.md", section="16.1", first_cell="[a-z ()]+"
        )
        if name != "total"
    }
    assert seen == 292_253
    assert sum(best[True].values()) + sum(best[False].values()) == comb(53, 7) == 154_143_080
    assert best[True] == {rank: number(joker) for rank, (_, joker) in table.items()}
    assert best[True] + best[False] == {rank: number(all_) for rank, (all_, _) in table.items()}
    assert pai_gow == {
        Rank.NINE: 31_080,
        Rank.TEN: 248_640,
        Rank.JACK: 963_480,
        Rank.QUEEN: 2_719_500,
        Rank.KING: 6_386_940,
        Rank.ACE: 14_430_780,
    }
    assert round(nine_high / comb(53, 7), 7) == 0.0250001  # 13.2 and 16.3
