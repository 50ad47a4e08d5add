"""The traditional house way: the specification's examples, and what must hold of every hand."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.pai_gow import GAME
from rules.pai_gow.house_way import set_house_way
from rules.pai_gow.ranking import PAIRS
from rules.rounds import SetInput
from tests.rules.specification import rows
from tests.strategies import TILES, tile_hands

REQUIRED = GAME.options.resolve({})
FREE = GAME.options.resolve({"gee_joon_together": "free"})
EXAMPLES = [
    row
    for row in rows("rules/pai-gow.md", section="8.6", first_cell=r"W\d\d")
    if {"traditional", "all"} & set(row[2].split())
]
ALL_HANDS = tuple(combinations(TILES, 4))


def test_the_examples_are_all_there():
    assert [row[0] for row in EXAMPLES] == [
        *("W01", "W03", "W04", "W05", "W06", "W08", "W09", "W10", "W11", "W12", "W13"),
        *("W15", "W17", "W19", "W21", "W23", "W25", "W28", "W29", "W30"),
    ]


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: row[0])
def test_a_hand_is_set_as_the_example_says(row):
    _, hand, ways, low, high, _ = row
    setting = GAME.house_way(options=FREE if "(free)" in ways else REQUIRED, hand=hand.split())
    assert sorted(setting.low) == sorted(low.split())
    assert sorted(setting.high) == sorted(high.split())
    assert setting.steps


@given(hand=tile_hands(), rules=st.sampled_from((REQUIRED, FREE)))
def test_the_house_way_is_legal_whatever_the_order_of_the_tiles(hand, rules):
    setting = GAME.house_way(options=rules, hand=hand)
    assert SetInput(low=setting.low, high=setting.high) in GAME.legal_sets(options=rules, hand=hand)
    assert GAME.house_way(options=rules, hand=hand[::-1]) == setting


def splits_its_only_pair(hand, rules) -> bool:
    pairs = [pair for pair in combinations(hand, 2) if frozenset(pair) in PAIRS]
    played = set_house_way(hand, rules).played
    return len(pairs) == 1 and frozenset(pairs[0]) not in (
        frozenset(played.low),
        frozenset(played.high),
    )


@pytest.mark.parametrize(("rules", "split"), [(REQUIRED, 552), (FREE, 580)])
def test_the_number_of_single_pairs_that_are_split(rules, split):
    assert sum(splits_its_only_pair(hand, rules) for hand in ALL_HANDS) == split


@pytest.mark.parametrize(
    ("hand", "steps"),
    [
        (
            "66 66 21 31",
            [
                "The pair Teen could be split for 6 (top 66) and 8 (top 66), but kept together "
                "neither hand is worse: it is the high hand."
            ],
        ),
        ("61 61 55 64", ["The pair Tit is the high hand: it is split only for 7/9 or better."]),
        (
            "66 66 65 54",
            [
                "The pair Teen is split: that makes 3 (top 66) and Teen wong.",
                "3 (top 66) low, Teen wong high: no other set is better in either hand.",
            ],
        ),
        (
            "66 61 53 41",
            [
                "With a five and a low eight the gong is played before the high nine: "
                "Teen gong high, and of those sets the best low hand, 2 (top 61)."
            ],
        ),
        (
            "55 65 44 61",
            [
                "7/9 is played before 8/8, since it puts one of the two highest tiles in each "
                "hand: 7 (top 55) low, 9 (top 44) high."
            ],
        ),
    ],
)
def test_the_steps_say_why(hand, steps):
    setting = GAME.house_way(options=REQUIRED, hand=hand.split())
    assert [str(step) for step in setting.steps] == steps
