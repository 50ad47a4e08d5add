"""Every face has a name to hear; what is no face is refused by its token."""

from __future__ import annotations

import pytest
from django.utils import translation

from rules.pai_gow.tiles import FACES
from tables.art.names import (
    JOKER,
    RANK_NAMES,
    SUIT_NAMES,
    TILE_NAMES,
    UnknownFaceError,
    card_name,
    card_symbol,
    tile_name,
    tile_symbol,
)


def test_the_faces_are_those_of_the_rules_in_their_order() -> None:
    assert tuple(TILE_NAMES) == tuple(face.token for face in FACES)


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("65", "six-five, Axe"),
        ("66", "six-six, Heaven"),
        ("42", "four-two, Gee Joon six"),
        ("21", "two-one, Gee Joon three"),
        ("54", "five-four, Mixed nine"),
    ],
)
def test_a_tile_is_called_by_its_halves_and_its_name(token: str, name: str) -> None:
    assert tile_name(token) == name


def test_two_copies_of_a_tile_look_and_sound_alike() -> None:
    assert {tile_name(token) for token in ("65", "65a", "65b")} == {"six-five, Axe"}
    assert {tile_symbol(token) for token in ("65", "65a", "65b")} == {"tile-65"}


@pytest.mark.parametrize(
    ("token", "name"),
    [("As", "ace of spades"), ("Td", "ten of diamonds"), ("2c", "two of clubs"), ("Jk", "joker")],
)
def test_a_card_is_called_by_rank_and_suit(token: str, name: str) -> None:
    assert card_name(token) == name


def test_no_two_cards_share_a_name_or_a_symbol() -> None:
    cards = [*(rank + suit for suit in SUIT_NAMES for rank in RANK_NAMES), JOKER]
    assert len({card_name(card) for card in cards}) == 53
    assert len({card_symbol(card) for card in cards}) == 53


@pytest.mark.parametrize("token", ["56", "00", "67", "65c", "6", "", "As"])
def test_what_is_no_tile_is_refused(token: str) -> None:
    with pytest.raises(UnknownFaceError) as refused:
        tile_name(token)
    assert refused.value.token == token
    with pytest.raises(UnknownFaceError):
        tile_symbol(token)


@pytest.mark.parametrize("token", ["10s", "1s", "Ax", "A", "s", "", "jk", "65"])
def test_what_is_no_card_is_refused(token: str) -> None:
    with pytest.raises(UnknownFaceError) as refused:
        card_name(token)
    assert refused.value.token == token
    with pytest.raises(UnknownFaceError):
        card_symbol(token)


def test_names_are_made_in_the_language_of_the_reader() -> None:
    with translation.override("de"):
        assert card_name("As") == "ace of spades"  # untranslated so far, and not broken
