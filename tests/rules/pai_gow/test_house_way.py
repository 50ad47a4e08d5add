"""The house ways: the specification's examples, and what must hold of every hand."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.pai_gow import GAME
from rules.pai_gow.house_ways import set_house_way
from rules.pai_gow.ranking import PAIRS
from rules.rounds import SetInput
from tests.rules.specification import rows
from tests.strategies import TILES, tile_hands

WAYS = ("traditional", "foxwoods_1997", "nz_1998", "pa_621a")
RULES = {
    (way, together): GAME.options.resolve({"house_way": way, "gee_joon_together": together})
    for way in WAYS
    for together in ("required", "free")
}
REQUIRED = RULES["traditional", "required"]
EXAMPLES = rows("rules/pai-gow.md", section="8.6", first_cell=r"W\d\d")
EACH_WAY = [
    pytest.param(row, way, id=f"{row[0]}-{way}")
    for row in EXAMPLES
    for way in WAYS
    if {way, "all"} & set(row[2].split())
]
ALL_HANDS = tuple(combinations(TILES, 4))


def test_the_examples_are_all_there():
    assert [row[0] for row in EXAMPLES] == [f"W{number:02}" for number in range(1, 31)]


@pytest.mark.parametrize(("row", "way"), EACH_WAY)
def test_a_hand_is_set_as_the_example_says(row, way):
    _, hand, ways, low, high, _ = row
    rules = RULES[way, "free" if "(free)" in ways else "required"]
    setting = GAME.house_way(options=rules, hand=hand.split())
    assert sorted(setting.low) == sorted(low.split())
    assert sorted(setting.high) == sorted(high.split())
    assert setting.steps


@given(hand=tile_hands(), rules=st.sampled_from(list(RULES.values())))
def test_the_house_way_is_legal_whatever_the_order_of_the_tiles(hand, rules):
    setting = GAME.house_way(options=rules, hand=hand)
    assert SetInput(low=setting.low, high=setting.high) in GAME.legal_sets(options=rules, hand=hand)
    assert GAME.house_way(options=rules, hand=hand[::-1]) == setting
    assert setting.steps


def splits_its_only_pair(hand, rules) -> bool:
    pairs = [pair for pair in combinations(hand, 2) if frozenset(pair) in PAIRS]
    played = set_house_way(hand, rules).played
    return len(pairs) == 1 and frozenset(pairs[0]) not in (
        frozenset(played.low),
        frozenset(played.high),
    )


@pytest.mark.parametrize(
    ("way", "required", "free"),
    [
        ("traditional", 552, 580),
        ("foxwoods_1997", 576, 604),
        ("nz_1998", 576, 604),
        ("pa_621a", 0, 0),
    ],
)
def test_the_number_of_single_pairs_that_are_split(way, required, free):
    for together, split in (("required", required), ("free", free)):
        rules = RULES[way, together]
        assert sum(splits_its_only_pair(hand, rules) for hand in ALL_HANDS) == split


@pytest.mark.parametrize(
    ("way", "hand", "steps"),
    [
        (
            "traditional",
            "66 66 21 31",
            [
                "The pair Teen could be split for 6 (top 66) and 8 (top 66), but kept together "
                "neither hand is worse: it is the high hand."
            ],
        ),
        (
            "traditional",
            "61 61 55 64",
            ["The pair Tit is the high hand: it is split only for 7/9 or better."],
        ),
        (
            "traditional",
            "66 66 65 54",
            [
                "The pair Teen is split: that makes 3 (top 66) and Teen wong.",
                "3 (top 66) low, Teen wong high: no other set is better in either hand.",
            ],
        ),
        (
            "traditional",
            "66 61 53 41",
            [
                "With a five and a low eight the gong is played before the high nine: "
                "Teen gong high, and of those sets the best low hand, 2 (top 61)."
            ],
        ),
        (
            "traditional",
            "55 65 44 61",
            [
                "7/9 is played before 8/8, since it puts one of the two highest tiles in each "
                "hand: 7 (top 55) low, 9 (top 44) high."
            ],
        ),
        (
            "foxwoods_1997",
            "44 44 61 64",
            [
                "The pair Yun is the high hand: it is split only beside two of 2, 10, 11, 12 "
                "spots, beside 11-9."
            ],
        ),
        (
            "foxwoods_1997",
            "55 64 62 63",
            [
                "8/9 or better can be made in several ways: the one with the best high hand, "
                "9 (top 55), 8 (top 64) low."
            ],
        ),
        (
            "foxwoods_1997",
            "44 31 62 61",
            ["These four tiles are an exception: 2 (top 31) low, 5 (top 44) high."],
        ),
        (
            "nz_1998",
            "66 66 11 63",
            [
                "The pair Teen is the high hand: it is split only beside 11-9, beside two of "
                "4 to 9 spots of which one has 6 or more."
            ],
        ),
        (
            "nz_1998",
            "66 61 44 41",
            ["Teen high nine high leaves a low hand of at least a three: 3 (top 44)."],
        ),
        (
            "nz_1998",
            "55 65 44 61",
            ["The most points low, then high: 8 (top 65) low, 8 (top 44) high."],
        ),
        (
            "pa_621a",
            "66 66 44 63",
            ["A pair is never split: Teen pair is the high hand, 7 (top 44) low."],
        ),
        (
            "pa_621a",
            "55 33 22 64",
            [
                "No hand of seven can be made: the highest and the lowest tile go together, "
                "0 low, 0 high."
            ],
        ),
    ],
)
def test_the_steps_say_why(way, hand, steps):
    setting = GAME.house_way(options=RULES[way, "required"], hand=hand.split())
    assert [str(step) for step in setting.steps] == steps
