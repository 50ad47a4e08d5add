"""Dividing seven cards, and which divisions are fouled."""

import pytest
from hypothesis import given

from rules.pai_gow_poker.ranking import HandClass
from rules.pai_gow_poker.setting import (
    Setting,
    in_shown_order,
    list_legal_settings,
    list_settings,
    rank_setting,
)
from tests.rules.pai_gow_poker.cards import DEFAULT, any_seven, cards, rankings, written


def is_legal(low, high):
    return rank_setting(Setting.of(low=cards(low), high=cards(high)), ranking=DEFAULT).is_legal


def test_cards_are_shown_from_the_ace_down_clubs_first_the_joker_after_the_aces():
    assert written(in_shown_order(cards("2c Jk Kd As Ac Kc Ts"))) == "Ac As Jk Kc Kd Ts 2c"


def test_setting_shows_its_cards_in_one_order():
    assert Setting.of(low=cards("Kc As"), high=cards("2c 5d 3h 9s Qd")) == Setting.of(
        low=cards("As Kc"), high=cards("Qd 9s 5d 3h 2c")
    )


def test_seven_cards_have_twenty_one_settings():
    settings = list_settings(cards("As Kd 9c 7h 5s 3d 2c"))

    assert len(set(settings)) == 21
    assert written(settings[0].low) == "As Kd"
    assert written(settings[0].high) == "9c 7h 5s 3d 2c"
    assert written(settings[-1].low) == "3d 2c"


@pytest.mark.parametrize(
    ("low", "high", "legal"),
    [
        ("As 3d", "Ks Qh 9d 5c 2s", False),
        ("8s 8d", "As Kh 9d 5c 2s", False),
        ("8s 8d", "7s 7d 9d 5c 2s", False),
        ("8s 8d", "9s 9h 4d 5c 2s", True),
        ("8s 8d", "8h 8c Ad 5c 2s", True),
        ("8s 8d", "7h 7c 3d 3c 2s", True),
        ("As Ad", "7h 6c 5d 4c 3s", True),
        ("Ks Qd", "2h 2c 5d 4c 3s", True),
        ("Ks Qd", "Kh Qc 9d 5c 2s", True),
        ("Ks Qd", "Kh Jc 9d 5c 2s", False),
        ("Qs Jd", "Kh 7c 5d 4c 3s", True),
        ("As Kd", "Jk Kc 9d 5c 3s", True),
        ("Jk Kd", "Ac Qd 9h 5s 3c", False),
        ("Jk Kd", "Ac Kc 9h 5s 3c", True),
    ],
)
def test_back_must_be_equal_to_or_higher_than_the_front(low, high, legal):
    assert is_legal(low, high) is legal


@given(hand=any_seven, ranking=rankings)
def test_back_of_two_pair_or_better_is_never_fouled(hand, ranking):
    legal = {set_hand.setting for set_hand in list_legal_settings(hand, ranking=ranking)}
    for setting in list_settings(hand):
        ranked = rank_setting(setting, ranking=ranking)
        if ranked.back.hand_class >= HandClass.TWO_PAIR:
            assert setting in legal
        if ranked.front.hand_class > ranked.back.hand_class:
            assert setting not in legal


@given(hand=any_seven, ranking=rankings)
def test_order_of_cards_does_not_change_the_legal_settings(hand, ranking):
    assert list_legal_settings(hand, ranking=ranking) == list_legal_settings(
        hand[::-1], ranking=ranking
    )
