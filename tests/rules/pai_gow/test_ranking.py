"""Two tiles are worth what the specification counts, and the order is total."""

import math
from collections import Counter
from itertools import combinations, product

import pytest

from rules.pai_gow.ranking import PAIRS, GeeJoonSingleRank, HandClass, rank
from rules.pai_gow.tiles import FACES, PACK
from tests.rules.specification import rows
from tests.strategies import TILES

HANDS = tuple(combinations(TILES, 2))
SPLIT, BOTH_LAST = GeeJoonSingleRank.SPLIT, GeeJoonSingleRank.BOTH_LAST


def test_the_pairs_are_those_of_the_table_in_its_order():
    table = rows("rules/pai-gow.md", section="1.2", first_cell=r"\d+( \(\w+\))?")
    assert len(table) == 16
    for place, (faces, row) in enumerate(zip(PAIRS, table, strict=True)):
        tokens = [token.strip(" `") for token in row[1].split("+")]
        assert faces == frozenset(tokens)
        assert rank(*tokens).key == (3, 16 - place, 0)
        assert PAIRS[faces] in row[2]


def test_the_496_hands_fall_into_the_classes_of_section_9():
    assert len(HANDS) == 496
    found = Counter()
    for hand in HANDS:
        worth = rank(*hand)
        if worth.hand_class is not HandClass.POINTS:
            found[worth.hand_class.value] += 1
        else:
            found["high nine" if worth.is_high_nine else worth.scale] += 1
    assert found == {
        "pair": 16,
        "wong": 8,
        "gong": 16,
        "high nine": 16,
        9: 32,
        8: 56,
        7: 52,
        6: 56,
        5: 44,
        4: 52,
        3: 48,
        2: 44,
        1: 32,
        0: 24,
    }


def test_136_hands_differ_if_paired_tiles_are_alike():
    kind = {face: name for faces, name in PAIRS.items() for face in faces}
    assert len({tuple(sorted(kind[tile] for tile in hand)) for hand in HANDS}) == 136


@pytest.mark.parametrize(("single_rank", "keys"), [(SPLIT, 103), (BOTH_LAST, 102)])
def test_the_number_of_different_keys(single_rank, keys):
    assert len({rank(*hand, single_rank=single_rank).key for hand in HANDS}) == keys


@pytest.mark.parametrize("single_rank", GeeJoonSingleRank)
def test_the_order_of_two_tiles_never_matters(single_rank):
    for first, second in HANDS:
        assert rank(first, second, single_rank=single_rank) is rank(
            second, first, single_rank=single_rank
        )


def test_scale_values_follow_the_key():
    by_key = sorted({(worth.key, worth.scale) for worth in (rank(*hand) for hand in HANDS)})
    scales = [scale for _, scale in by_key]
    assert scales == sorted(scales)


GEE_PARTNERS = {2: 8, 12: 8, 4: 7, 5: 8, 6: 9, 7: 3, 8: 4, 9: 5, 10: 6, 11: 7}


@pytest.mark.parametrize("gee", ["42", "21"])
def test_a_gee_joon_tile_counts_three_or_six_whichever_is_better(gee):
    for face in FACES:
        if face.token not in ("42", "21"):
            assert rank(gee, face.token).scale == GEE_PARTNERS[face.spots]


@pytest.mark.parametrize(
    ("hand", "points"), [("44 62", 6), ("51 42", 9), ("61 52", 4), ("33 51", 2)]
)
def test_traps_that_look_like_pairs(hand, points):
    worth = rank(*hand.split())
    assert (worth.hand_class, worth.scale) == (HandClass.POINTS, points)


def test_only_the_six_kinds_of_zero_make_nothing():
    zeros = {frozenset(hand) for hand in HANDS if rank(*hand).scale == 0}
    assert zeros == {
        *(frozenset(hand) for hand in product(("31", "22"), ("33", "51"))),
        frozenset({"55", "64"}),
        frozenset({"65", "63"}),
        frozenset({"65", "54"}),
    }
    assert {rank(*hand).key for hand in zeros} == {(0, 0, 0)}


def test_the_last_places_change_one_comparison():
    assert rank("42", "41").key > rank("21", "32").key
    assert (
        rank("42", "41", single_rank=BOTH_LAST).key == rank("21", "32", single_rank=BOTH_LAST).key
    )


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("42 21", "Gee Joon pair"),
        ("66 54", "Teen wong"),
        ("53 11", "Day gong"),
        ("11 43", "Day high nine"),
        ("44 65", "9 (top 44)"),
        ("64 55", "0"),
    ],
)
def test_a_hand_is_called_by_its_name(hand, words):
    assert str(rank(*hand.split()).words) == words


def test_the_pack_counts_the_hands():
    assert math.comb(sum(PACK.copies.values()), 2) == 496
