"""The 53 cards and how they are written."""

import pickle

import pytest

from rules import errors
from rules.cards import DECK, JOKER, PACK, Card, Rank, parse_card


def test_deck_has_fifty_three_different_cards():
    assert len(set(DECK)) == 53
    assert [str(card) for card in DECK[:5]] == ["2c", "2d", "2h", "2s", "3c"]
    assert [str(card) for card in DECK[-3:]] == ["Ah", "As", "Jk"]


def test_every_card_is_read_back_from_its_token():
    assert [parse_card(str(card)) for card in DECK] == list(DECK)


def test_ten_may_be_written_with_two_digits():
    assert [str(parse_card(f"10{suit}")) for suit in "cdhs"] == ["Tc", "Td", "Th", "Ts"]
    assert PACK.read(["10d"]) == ("Td",)


@pytest.mark.parametrize(
    "token", ["as", "AS", "aS", "1s", "11d", "0d", "JK", "jk", "", "A", "As ", "Xc", "10"]
)
def test_other_spellings_are_refused(token):
    with pytest.raises(errors.UnknownTokenError) as refusal:
        parse_card(token)

    assert refusal.value.detail == f"{token!r} is not a card of this game"
    assert token not in PACK.spellings


def test_each_card_exists_once():
    assert PACK.copies == {str(card): 1 for card in DECK}


def test_joker_counts_as_an_ace_and_has_no_suit():
    assert JOKER.is_joker
    assert JOKER.rank is Rank.ACE
    assert JOKER.suit is None


def test_card_knows_its_rank_and_suit():
    card = parse_card("Td")

    assert (card.rank, card.suit, card.is_joker) == (Rank.TEN, "d", False)
    assert repr(card) == "Td"


def test_ranks_are_said_in_words():
    assert [rank.word for rank in (Rank.TWO, Rank.SIX, Rank.ACE)] == ["two", "six", "ace"]
    assert [rank.plural for rank in (Rank.TWO, Rank.SIX, Rank.ACE)] == ["twos", "sixes", "aces"]


def test_card_survives_pickling():
    assert pickle.loads(pickle.dumps(JOKER)) == JOKER  # noqa: S301 -- our own bytes


def test_number_outside_the_deck_is_no_card():
    with pytest.raises(AssertionError):
        Card(53)
