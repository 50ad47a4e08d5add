"""Every legal set of every hand is found, and nothing else."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given

from rules import errors
from rules.pai_gow import GAME
from rules.pai_gow.ranking import PAIRS, HandClass, rank
from rules.pai_gow.tiles import FACE
from rules.rounds import SetInput
from tests.strategies import TILES, tile_hands

RULES = GAME.options.resolve({})
FREE = GAME.options.resolve({"gee_joon_together": "free"})
ALL_HANDS = tuple(combinations(TILES, 4))
KIND = {face: name for faces, name in PAIRS.items() for face in faces}


def test_the_number_of_four_tile_hands():
    assert len(ALL_HANDS) == 35_960
    assert len({tuple(sorted(FACE[tile].line for tile in hand)) for hand in ALL_HANDS}) == 4_285
    assert len({tuple(sorted(KIND[tile] for tile in hand)) for hand in ALL_HANDS}) == 3_620


def test_the_number_of_pairs_in_four_tiles():
    pairs = Counter(
        sum(count == 2 for count in Counter(KIND[tile] for tile in hand).values())
        for hand in ALL_HANDS
    )
    assert pairs == {0: 29_120, 1: 6_720, 2: 120}


def test_the_best_high_hand_of_every_deal():
    best = Counter()
    for hand in ALL_HANDS:
        worth = max((rank(*two) for two in combinations(hand, 2)), key=lambda worth: worth.key)
        best["high nine" if worth.is_high_nine else worth.scale] += 1
    assert best == {
        12: 6_840,
        11: 2_704,
        10: 4_240,
        "high nine": 2_896,
        9: 8_256,
        8: 6_000,
        7: 2_768,
        6: 1_152,
        5: 720,
        4: 256,
        3: 128,
    }


def placed(found: SetInput) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(sorted(found.low)), tuple(sorted(found.high))


@given(hand=tile_hands())
def test_every_legal_set_is_found_once(hand):
    expected = {
        (tuple(sorted(order[:2])), tuple(sorted(order[2:])))
        for order in permutations(hand)
        if rank(*order[:2]).key <= rank(*order[2:]).key
    }
    found = [placed(one) for one in GAME.legal_sets(options=FREE, hand=hand)]
    assert len(found) == len(set(found))
    assert set(found) == expected


@given(hand=tile_hands())
def test_gee_joon_is_in_one_hand_where_it_must_be(hand):
    together = GAME.legal_sets(options=RULES, hand=hand)
    free = GAME.legal_sets(options=FREE, hand=hand)
    assert set(together) == {
        one
        for one in free
        if ("42" in one.low, "21" in one.low) in SAME_SIDE or not holds_gee(hand)
    }


SAME_SIDE = {(True, True), (False, False)}


def holds_gee(hand: tuple[str, ...]) -> bool:
    return {"42", "21"} <= set(hand)


@pytest.mark.parametrize(
    ("hand", "sets"),
    [
        ("66 66 11 11", {("11 11", "66 66"), ("66 11", "66 11")}),
        ("66 66 44 63", {("44 63", "66 66"), ("66 44", "66 63")}),
        ("42 21 66 65", {("66 65", "42 21")}),
        ("63 54 62 53", {("62 53", "63 54"), ("63 62", "54 53"), ("63 53", "54 62")}
         | {("54 53", "63 62"), ("54 62", "63 53")}),
    ],
)  # fmt: skip
def test_equal_hands_may_lie_either_way(hand, sets):
    found = GAME.legal_sets(options=RULES, hand=hand.split())
    assert {(" ".join(one.low), " ".join(one.high)) for one in found} == sets


@pytest.mark.parametrize(
    ("hand", "low", "high", "code", "pointer"),
    [
        ("66 66 44 63", "66 63", "66 44", "illegal_set", "/set"),
        ("42 21 66 65", "42 66", "21 65", "illegal_set", "/set"),
        ("66 66 44 63", "66 44", "66 62", "foreign_set", "/set/high/1"),
        ("66 66 44 63", "66 44", "44 63", "foreign_set", "/set/high/0"),
        ("66 66 44 63", "66", "66 63", "hand_size", "/set/low"),
        ("66 66 44 63", "66 99", "66 63", "unknown_token", "/set/low/1"),
        ("66 66 44", "66 44", "66 63", "hand_size", "/hand"),
    ],
)
def test_a_seat_that_sets_before_the_reveal_gives_a_legal_set(hand, low, high, code, pointer):
    given_set = SetInput(low=tuple(low.split()), high=tuple(high.split()))
    with pytest.raises(errors.RulesError) as refused:
        GAME.check_set(options=RULES, hand=hand.split(), given=given_set)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)


def test_a_legal_set_is_taken_in_any_spelling():
    given_set = SetInput(low=("66a", "44"), high=("36", "66b"))
    taken = GAME.check_set(options=RULES, hand=["66", "66", "44", "63"], given=given_set)
    assert taken == SetInput(low=("66", "44"), high=("63", "66"))


def test_two_pairs_are_a_pair_in_each_hand_or_in_none():
    for one in GAME.legal_sets(options=FREE, hand=["66", "66", "11", "11"]):
        classes = {rank(*one.low).hand_class, rank(*one.high).hand_class}
        assert classes in ({HandClass.PAIR}, {HandClass.POINTS})
