"""The house way on forced shapes, and what must hold for all hands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import DECK, JOKER
from rules.pai_gow_poker.house_way import FOXWOODS, HOUSE_WAYS, set_house_way
from rules.pai_gow_poker.ranking import JokerFlush, WheelRank, ranking_of
from rules.pai_gow_poker.setting import list_legal_settings
from tests.rules.pai_gow_poker.cards import DEFAULT, any_seven, cards, rankings, written


def front(hand, ranking=DEFAULT):
    found = set_house_way(cards(hand), way=FOXWOODS, ranking=ranking)
    return written(found.set_hand.setting.low)


def reason(hand):
    return str(set_house_way(cards(hand), way=FOXWOODS, ranking=DEFAULT).reason)


@pytest.mark.parametrize(
    ("hand", "low"),
    [
        # Five aces.
        ("Ac Ad Ah As Jk 9s 2c", "Ac Ad"),
        ("Ac Ad Ah As Jk Qs Qc", "Ac Ad"),
        ("Ac Ad Ah As Jk Ks Kc", "Kc Ks"),
        # Four of a kind and more.
        ("9c 9d 9h 9s 4c 4d Kh", "4c 4d"),
        ("Ac Ad Ah As 2c 2d Kh", "2c 2d"),
        ("Ac Ad Ah Jk 2c 2d 2h", "2c 2d"),
        ("3c 3d 3h 3s Kc Kd Kh", "Kc Kd"),
        # Four of a kind alone: each band, each side of its line.
        ("Ac Ad Ah As Kd 9s 2c", "Ac Ad"),
        ("Jc Jd Jh Js Ad 9s 2c", "Jc Jd"),
        ("Tc Td Th Ts Kd 9s 2c", "Kd 9s"),
        ("Tc Td Th Ts Qd 9s 2c", "Tc Td"),
        ("7c 7d 7h 7s Jk 9s 2c", "Jk 9s"),
        ("7c 7d 7h 7s Qd Js 2c", "7c 7d"),
        ("6c 6d 6h 6s 5d 4s 2c", "5d 4s"),
        ("2c 2d 2h 2s 5d 4s 3c", "5d 4s"),
        # Two threes of a kind, three and two pairs, a full house.
        ("9s 9h 9c 5d 5h 5s Kc", "9c 9h"),
        ("Ac Ad Jk 5d 5h 5s Kc", "Ac Ad"),
        ("9s 9h 9c 5d 5h 4s 4c", "5d 5h"),
        ("2s 2h 2c Kd Kh Jk Ac", "Ac Jk"),
        ("2c 2d Th Td Ts Ah Kc", "2c 2d"),
        ("Ac Jk Th Td Ts 4h 2c", "Ac Jk"),
        ("Ac Ad Jk 9d 9s 4h 2c", "9d 9s"),
        # Three pairs.
        ("Ks Kh 8c 8d 3h 3s 2c", "Kh Ks"),
        ("Ac Jk 8c 8d 3h 3s 2c", "Ac Jk"),
        # Three of a kind alone.
        ("9s 9h 9c Kd Jh 5s 2c", "Kd Jh"),
        ("As Ah Ac Kd 9h 4s 2c", "Ac Kd"),
        ("Ac Ad Jk Kd 9h 4s 2c", "Ac Kd"),
        ("7s 7h 7c 4d 5h 6s 8c", "7c 7h"),
        ("7s 7h 7c 4s 5s 9s Ks", "7c 7h"),
        ("7s 7h 7c 4s 5s 6d Jk", "7c 7h"),
        ("As Ah Jk 4s 5s 2d 3c", "Ah As"),
        # Two pairs: each band, each side of its line.
        ("Ah Ad 4c 4s Kh 9d 3c", "4c 4s"),
        ("Jh Jd 4c 4s Ah 9d 3c", "4c 4s"),
        ("Th Td 8c 8s Ah 5d 3c", "Ah 5d"),
        ("Th Td 8c 8s Kh 5d 3c", "8c 8s"),
        ("7h 7d 2c 2s Jk 5d 3c", "Jk 5d"),
        ("7h 7d 2c 2s Kh Qd 3c", "2c 2s"),
        ("6h 6d 3c 3s Kh 9d 2c", "Kh 9d"),
        ("6h 6d 3c 3s Qh 9d 2c", "3c 3s"),
        # Two pairs with a straight or flush: these do not matter.
        ("Jh Jd Tc Ts 9h 8d 7c", "Tc Ts"),
        ("Th Td 8h 8s Ah 5h 3h", "Ah 5h"),
        # One pair.
        ("Qs Qh 9c 7h 5s 3d 2c", "9c 7h"),
        ("As Ah 9c 7h 5s 3d 2c", "9c 7h"),
        ("9s 9h 8c 7h 6s 5d Kc", "Kc 9h"),
        ("9s 9h 8c 7h 6s 5d 2c", "9h 2c"),
        ("Ks Kh 9s 7s 5s 3s 2c", "Kh 2c"),
        ("Ks Kh 9s 7s 5s 3s 2s", "Kh Ks"),
        # One pair below an ace, and its neighbours for which the exception does not hold.
        ("As Kd Qh Jc Ts Td 3c", "As Kd"),
        ("As Kd Qh Jc Ts Js 3c", "As Kd"),
        ("As Kd Qh Jc Ts Kc 3c", "As Qh"),
        ("As 9d 9h 8c 7s 6d 5c", "As 9d"),
        ("As 5d 4h 3c 2s Td Tc", "Tc Td"),
        ("As 5d 4h 3c 2s 9d 5c", "9d 5c"),
        # No pair.
        ("As Kd 9c 7h 5s 3d 2c", "Kd 9c"),
        ("Jk Qd 9c 7h 5s 3d 2c", "Qd 9c"),
        ("8s 9d Th Jc Qd Kh 2c", "Kh 2c"),
        ("8s 9d Th Jc Qd Kh Ac", "Ac Kh"),
        ("Ks Qs 9s 7s 5s 3s 2c", "Ks 2c"),
        ("Ah Ks Qs 9s 7s 5s 2c", "Ah 2c"),
        # The joker completes where it looks like an ace.
        ("Jk Ah 9c 7h 5s 3d 2c", "9c 7h"),
        ("Jk Kh 9h 7h 5h 4d 2c", "4d 2c"),
        ("Ac Ad Ah Jk Kd Qc Js", "Ac Ad"),
    ],
)
def test_foxwoods_front(hand, low):
    assert front(hand) == low


@pytest.mark.parametrize(
    ("hand", "wheel_rank", "low", "back"),
    [
        # The highest front decides; then the joker makes the better straight of the table.
        ("Ac 2d 3h 4s 5c 6d 9h", WheelRank.SECOND, "Ac 9h", "straight, six high"),
        ("Jk 2d 3h 4s 5c 9d Kh", WheelRank.SECOND, "Kh 9d", "straight, ace to five"),
        ("Jk 2d 3h 4s 5c 9d Kh", WheelRank.LOWEST, "Kh 9d", "straight, six high"),
        ("Jk 2d 3h 4s 5c 5d Kh", WheelRank.SECOND, "Kh 5c", "straight, ace to five"),
        ("Jk 2d 3h 4s 5c 5d Kh", WheelRank.LOWEST, "Kh 5c", "straight, six high"),
    ],
)
def test_back_follows_the_rank_of_the_wheel(hand, wheel_rank, low, back):
    ranking = ranking_of(wheel_rank=wheel_rank, joker_flush=JokerFlush.HIGHEST_MISSING)
    found = set_house_way(cards(hand), way=FOXWOODS, ranking=ranking).set_hand

    assert (written(found.setting.low), str(found.back.words)) == (low, back)


@pytest.mark.parametrize(
    ("hand", "back"),
    [
        (
            "Jk Ah 9h 5h 2h Ks 8c",
            {
                "highest_missing": "flush, ace-king-nine-five-two",
                "ace": "flush, ace-ace-nine-five-two",
            },
        ),
        (
            "Jk Kh 9h 5h 2h Qs 8c",
            {
                "highest_missing": "flush, ace-king-nine-five-two",
                "ace": "flush, ace-king-nine-five-two",
            },
        ),
    ],
)
def test_back_follows_the_joker_in_flushes(hand, back):
    for joker_flush in JokerFlush:
        ranking = ranking_of(wheel_rank=WheelRank.SECOND, joker_flush=joker_flush)
        found = set_house_way(cards(hand), way=FOXWOODS, ranking=ranking).set_hand
        assert str(found.back.words) == back[joker_flush]


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        (
            "Th Td 8c 8s Kh 5d 3c",
            "Foxwoods keeps two pairs, tens the higher, together only with an ace, and the highest "
            "other card is king: the lower pair goes in front.",
        ),
        (
            "6h 6d 3c 3s Kh 9d 2c",
            "Foxwoods keeps two pairs, sixes the higher, together with king or higher, and the "
            "highest other card is king: the two highest other cards go in front.",
        ),
        (
            "Ac Ad Ah As Kd 9s 2c",
            "Foxwoods always splits four aces: two go in front, two stay behind.",
        ),
        (
            "6c 6d 6h 6s Kd 9s 2c",
            "Foxwoods never splits four sixes: the two highest other cards go in front.",
        ),
        (
            "As Kd Qh Jc Ts Td 3c",
            "One pair, tens, and a straight or flush: Foxwoods plays the pair behind, since "
            "ace-king in front is higher than ten-three, the best that the straight or flush "
            "would leave.",
        ),
    ],
)
def test_reason_names_the_rule_and_what_it_went_by(hand, said):
    assert reason(hand) == said


def test_steps_say_what_is_held_what_decided_and_what_is_played():
    found = set_house_way(cards("Jk Ah 9c 7h 5s 3d 2c"), way=FOXWOODS, ranking=DEFAULT)

    assert [str(step) for step in found.steps] == [
        "The seven cards hold two aces, nine, seven, five, three, two, the joker counting as an "
        "ace.",
        "One pair and a straight or flush: the highest two cards that leave a straight or flush "
        "behind go in front.",
        "In front: nine-seven. Behind, the highest hand this leaves: straight, ace to five.",
    ]


def test_foxwoods_is_the_one_house_way():
    assert list(HOUSE_WAYS) == ["foxwoods"]
    assert FOXWOODS.title == "Foxwoods"


@given(hand=any_seven, ranking=rankings)
def test_house_way_is_legal_and_no_equal_front_has_a_higher_back(hand, ranking):
    found = set_house_way(hand, way=FOXWOODS, ranking=ranking).set_hand
    legal = list_legal_settings(hand, ranking=ranking)

    assert found in legal
    equal_fronts = [other for other in legal if other.front == found.front]
    assert found.back == max(other.back for other in equal_fronts)


@given(hand=any_seven, data=st.data(), ranking=rankings)
def test_order_of_the_seven_cards_does_not_change_the_setting(hand, data, ranking):
    shuffled = data.draw(st.permutations(hand))

    assert set_house_way(hand, way=FOXWOODS, ranking=ranking) == set_house_way(
        shuffled, way=FOXWOODS, ranking=ranking
    )


@given(hand=any_seven, suits=st.permutations(range(4)), ranking=rankings)
def test_permuting_the_suits_does_not_change_what_is_set(hand, suits, ranking):
    turned = [card if card == JOKER else DECK[4 * card.rank + suits[card % 4]] for card in hand]
    before = set_house_way(hand, way=FOXWOODS, ranking=ranking).set_hand
    after = set_house_way(turned, way=FOXWOODS, ranking=ranking).set_hand

    assert (before.front, before.back) == (after.front, after.back)


@given(hand=any_seven)
def test_of_equal_settings_the_one_with_the_joker_behind_is_shown(hand):
    found = set_house_way(hand, way=FOXWOODS, ranking=DEFAULT).set_hand
    equal = [
        other.setting
        for other in list_legal_settings(hand, ranking=DEFAULT)
        if (other.front, other.back) == (found.front, found.back)
    ]

    if JOKER in found.setting.low:
        assert all(JOKER in setting.low for setting in equal)
    same_joker = [s for s in equal if (JOKER in s.low) is (JOKER in found.setting.low)]
    assert found.setting == same_joker[0]
