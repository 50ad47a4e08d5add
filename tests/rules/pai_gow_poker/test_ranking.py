"""Five-card and two-card hands: the counts of the specification, the joker, the options."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import DECK, JOKER, Rank
from rules.pai_gow_poker.ranking import (
    COMPLETE,
    HandClass,
    HandRank,
    JokerFlush,
    Ranking,
    WheelRank,
    front_worth,
    ranking_of,
)
from tests.rules.pai_gow_poker.cards import (
    DEFAULT,
    NATURAL,
    RANKINGS,
    cards,
    crowded_hands,
    hands,
    rankings,
)
from tests.rules.specification import rows

# The table of 4.1: number of the rank, name, definition, ways.
WAYS = {
    HandClass[name.upper().replace(" ", "_")]: int(ways.replace(",", ""))
    for _, name, _, ways in rows("rules/pai-gow-poker.md", section="4.1", first_cell=r"\d+")
}


def rank(hand: str, ranking: Ranking = DEFAULT) -> HandRank:
    return ranking.rank(cards(hand))


def five_card_classes():
    """Yield one hand of each rank pattern, suited and not, and how many hands share it."""
    for size, jokers in ((5, ()), (4, (JOKER,))):
        for ranks in combinations_with_replacement(range(13), size):
            counts = Counter(ranks)
            if max(counts.values()) > 4:
                continue
            suits = {held: iter(range(4)) for held in counts}
            mixed = [DECK[4 * held + next(suits[held])] for held in ranks]
            ways = prod(comb(4, count) for count in counts.values())
            if len(counts) == size:
                yield [*(DECK[4 * held] for held in ranks), *jokers], 4
                mixed[0] = DECK[4 * ranks[0] + 1]
                ways -= 4
            yield [*mixed, *jokers], ways


@pytest.mark.parametrize("ranking", RANKINGS)
def test_every_five_card_hand_is_counted_in_its_class(ranking):
    ways = Counter()
    values = set()
    for hand, count in five_card_classes():
        found = ranking.rank(hand)
        ways[found.hand_class] += count
        values.add(found.key)

    assert WAYS.keys() == set(HandClass)
    assert sum(ways.values()) == comb(53, 5) == 2_869_685
    assert ways == WAYS
    # Ace, joker and three more of a suit; in 2 x 4 of the cases a straight flush is higher.
    double_aces = comb(12, 3) - 8 if ranking.joker_flush is JokerFlush.ACE else 0
    assert len(values) == 7_463 + double_aces


def test_two_card_hands_have_ninety_one_values_in_the_order_of_the_index():
    index_of = {}
    for first, second in combinations(DECK, 2):
        high, low = max(first.rank, second.rank), min(first.rank, second.rank)
        index = 78 + high if high == low else high * (high - 1) // 2 + low
        index_of.setdefault(front_worth(first, second), set()).add(index)

    assert [index_of[worth] for worth in sorted(index_of)] == [{index} for index in range(91)]


def test_joker_in_front_is_always_an_ace():
    assert rank("Jk Kd") == rank("As Kd")
    assert rank("Jk Ac") == rank("As Ad")


@given(hand=st.one_of(hands(5), crowded_hands(5)), ranking=rankings)
def test_order_and_suits_do_not_change_a_value(hand, ranking):
    shuffled = hand[::-1]
    turned = [card if card == JOKER else DECK[4 * card.rank + (card + 1) % 4] for card in hand]

    assert ranking.rank(hand) == ranking.rank(shuffled) == ranking.rank(turned)


def uses_of_the_joker(four, ranking):
    """Yield the naturals that the joker may stand for: an ace, or what completes the five."""
    for card in NATURAL:
        if card in four:
            continue
        completes = ranking.rank([*four, card]).hand_class in COMPLETE
        if card.rank is Rank.ACE or completes:
            yield card


@given(
    four=st.one_of(
        st.lists(st.sampled_from(NATURAL), min_size=4, max_size=4, unique=True),
        crowded_hands(4).filter(lambda hand: JOKER not in hand),
    ),
    wheel_rank=st.sampled_from(WheelRank),
)
def test_joker_is_worth_the_best_of_its_uses(four, wheel_rank):
    ranking = ranking_of(wheel_rank=wheel_rank, joker_flush=JokerFlush.HIGHEST_MISSING)
    uses = [ranking.rank([*four, card]) for card in uses_of_the_joker(four, ranking)]

    if uses:
        assert ranking.rank([*four, JOKER]) == max(uses)
    else:
        assert ranking.rank([*four, JOKER]).hand_class is HandClass.FIVE_ACES


@given(four=st.lists(st.sampled_from(NATURAL), min_size=4, max_size=4, unique=True))
def test_double_ace_flush_changes_nothing_but_flushes_with_the_ace(four):
    plain, double = (
        ranking_of(wheel_rank=WheelRank.SECOND, joker_flush=joker_flush).rank([*four, JOKER])
        for joker_flush in (JokerFlush.HIGHEST_MISSING, JokerFlush.ACE)
    )
    holds_ace = any(card.rank is Rank.ACE for card in four)

    if plain.hand_class is HandClass.FLUSH and holds_ace:
        assert double > plain
        assert double.key[:3] == (HandClass.FLUSH, Rank.ACE, Rank.ACE)
    else:
        assert double == plain


@pytest.mark.parametrize(
    ("hand", "second", "lowest"),
    [
        ("5c 4d 3h 2s Jk", "straight, ace to five", "straight, six high"),
        ("5c 4c 3c 2c Jk", "straight flush, ace to five", "straight flush, six high"),
        ("Ac 2d 3h 4s Jk", "straight, ace to five", "straight, ace to five"),
        ("Ac 3d 4h 5s Jk", "straight, ace to five", "straight, ace to five"),
        ("3c 4d 5h 6s Jk", "straight, seven high", "straight, seven high"),
        ("2c 3d 4h 6s Jk", "straight, six high", "straight, six high"),
        ("Kc Qc Jc Tc Jk", "royal flush", "royal flush"),
        ("Ac Kd Qh Js Jk", "straight, ace high", "straight, ace high"),
        ("9c 8d 7h 6s Jk", "straight, ten high", "straight, ten high"),
        ("Qc Kd Ah 2s 3c", "high card, ace-king-queen-three-two", None),
        ("Qc Kd 2h 3s Jk", "high card, ace-king-queen-three-two", None),
    ],
)
def test_joker_in_straights_follows_the_rank_of_the_wheel(hand, second, lowest):
    said = {
        wheel_rank: str(
            rank(hand, ranking_of(wheel_rank=wheel_rank, joker_flush=JokerFlush.ACE)).words
        )
        for wheel_rank in WheelRank
    }

    assert said == {WheelRank.SECOND: second, WheelRank.LOWEST: lowest or second}


@pytest.mark.parametrize(
    ("hand", "highest_missing", "ace"),
    [
        ("Jk Ah 9h 5h 2h", "flush, ace-king-nine-five-two", "flush, ace-ace-nine-five-two"),
        ("Jk Ah Kh 5h 2h", "flush, ace-king-queen-five-two", "flush, ace-ace-king-five-two"),
        ("Jk Kh 9h 5h 2h", "flush, ace-king-nine-five-two", "flush, ace-king-nine-five-two"),
        ("Jk Ah 5h 4h 2h", "straight flush, ace to five", "straight flush, ace to five"),
        ("Jk Ah Kh Qh Th", "royal flush", "royal flush"),
    ],
)
def test_joker_in_flushes_follows_the_option(hand, highest_missing, ace):
    said = {
        joker_flush: str(
            rank(hand, ranking_of(wheel_rank=WheelRank.SECOND, joker_flush=joker_flush)).words
        )
        for joker_flush in JokerFlush
    }

    assert said == {JokerFlush.HIGHEST_MISSING: highest_missing, JokerFlush.ACE: ace}


@pytest.mark.parametrize(
    ("hand", "words", "key"),
    [
        ("Ac Ad Ah As Jk", "five aces", (10,)),
        ("As Ks Qs Js Ts", "royal flush", (9,)),
        ("Ts 9s 8s 7s 6s", "straight flush, ten high", (8, 8)),
        ("5c 5d 5h 5s 2c", "four fives, two", (7, 3, 0)),
        ("Kc Kd Kh 4s 4c", "full house, kings over fours", (6, 11, 2)),
        ("Kd Jd 9d 6d 3d", "flush, king-jack-nine-six-three", (5, 11, 9, 7, 4, 1)),
        ("5c 4d 3h 2s Ac", "straight, ace to five", (4, 12)),
        ("9c 9d 9h As 8c", "three nines, ace-eight", (3, 7, 12, 6)),
        ("4c 4d Jh Js Ac", "two pair, jacks and fours, ace", (2, 9, 2, 12)),
        ("8c 4d Jh Js Ac", "pair of jacks, ace-eight-four", (1, 9, 12, 6, 2)),
        ("Ac Kd 9h 6s 3c", "high card, ace-king-nine-six-three", (0, 12, 11, 7, 4, 1)),
        ("6c 6d", "pair of sixes", (1, 4)),
        ("Kc 9d", "king-nine", (0, 11, 7)),
    ],
)
def test_hand_is_said_in_words_and_has_a_key(hand, words, key):
    found = rank(hand)

    assert str(found.words) == words
    assert found.key == key


@given(first=hands(5), second=hands(5), ranking=rankings)
def test_keys_compare_like_ranks(first, second, ranking):
    one, other = ranking.rank(first), ranking.rank(second)

    assert (one > other, one == other) == (one.key > other.key, one.key == other.key)
    assert (one < other) is (other > one)


def test_tables_are_made_once_for_each_pair_of_options():
    for wheel_rank, joker_flush in product(WheelRank, JokerFlush):
        once = ranking_of(wheel_rank=wheel_rank, joker_flush=joker_flush)
        assert ranking_of(wheel_rank=wheel_rank, joker_flush=joker_flush) is once
