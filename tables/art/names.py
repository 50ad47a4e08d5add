"""Each face has one spoken name and one symbol id, and an unknown token has neither."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

Name = Promise | str

TILE_NAMES: Final[Mapping[str, Name]] = {
    "66": gettext_lazy("Heaven"),
    "11": gettext_lazy("Earth"),
    "44": gettext_lazy("Man"),
    "31": gettext_lazy("Goose"),
    "55": gettext_lazy("Plum"),
    "33": gettext_lazy("Long"),
    "22": gettext_lazy("Board"),
    "65": gettext_lazy("Axe"),
    "64": gettext_lazy("Screen"),
    "61": gettext_lazy("High seven"),
    "51": gettext_lazy("Low six"),
    "63": gettext_lazy("Mixed nine"),
    "54": gettext_lazy("Mixed nine"),
    "62": gettext_lazy("Mixed eight"),
    "53": gettext_lazy("Mixed eight"),
    "52": gettext_lazy("Mixed seven"),
    "43": gettext_lazy("Mixed seven"),
    "42": gettext_lazy("Gee Joon six"),
    "41": gettext_lazy("Mixed five"),
    "32": gettext_lazy("Mixed five"),
    "21": gettext_lazy("Gee Joon three"),
}
"""The 21 faces, strongest single tile first. Source: pai-gow.md 1.1."""

PIP_NAMES: Final[Mapping[str, Name]] = {
    "1": pgettext_lazy("pips", "one"),
    "2": pgettext_lazy("pips", "two"),
    "3": pgettext_lazy("pips", "three"),
    "4": pgettext_lazy("pips", "four"),
    "5": pgettext_lazy("pips", "five"),
    "6": pgettext_lazy("pips", "six"),
}

RANK_NAMES: Final[Mapping[str, Name]] = {
    "A": pgettext_lazy("card rank", "ace"),
    "K": pgettext_lazy("card rank", "king"),
    "Q": pgettext_lazy("card rank", "queen"),
    "J": pgettext_lazy("card rank", "jack"),
    "T": pgettext_lazy("card rank", "ten"),
    "9": pgettext_lazy("card rank", "nine"),
    "8": pgettext_lazy("card rank", "eight"),
    "7": pgettext_lazy("card rank", "seven"),
    "6": pgettext_lazy("card rank", "six"),
    "5": pgettext_lazy("card rank", "five"),
    "4": pgettext_lazy("card rank", "four"),
    "3": pgettext_lazy("card rank", "three"),
    "2": pgettext_lazy("card rank", "two"),
}
"""High to low, as the picker shows them. Source: pai-gow-poker.md 3.1."""

SUIT_NAMES: Final[Mapping[str, Name]] = {
    "s": gettext_lazy("spades"),
    "h": gettext_lazy("hearts"),
    "d": gettext_lazy("diamonds"),
    "c": gettext_lazy("clubs"),
}

JOKER: Final = "Jk"


class UnknownFaceError(ValueError):
    """No tile or card is written so."""

    def __init__(self, token: str) -> None:
        super().__init__(f"no tile or card is written {token!r}")
        self.token = token


def tile_face(token: str) -> str:
    """Return the face of *token*, which may carry a copy mark: `65a` and `65b` look alike.

    Raises:
        UnknownFaceError: no tile is written so.
    """
    face = token[:2] if token[2:] in {"", "a", "b"} else token
    if face not in TILE_NAMES:
        raise UnknownFaceError(token)
    return face


def tile_name(token: str) -> str:
    """Return what a screen reader says: "six-five, Axe".

    Raises:
        UnknownFaceError: no tile is written so.
    """
    face = tile_face(token)
    return _("%(large)s-%(small)s, %(name)s") % {
        "large": PIP_NAMES[face[0]],
        "small": PIP_NAMES[face[1]],
        "name": TILE_NAMES[face],
    }


def card_face(token: str) -> str:
    """Return *token*, which no card has twice.

    Raises:
        UnknownFaceError: no card is written so.
    """
    if token != JOKER and (token[:1] not in RANK_NAMES or token[1:] not in SUIT_NAMES):
        raise UnknownFaceError(token)
    return token


def card_name(token: str) -> str:
    """Return what a screen reader says: "ace of spades", "joker".

    Raises:
        UnknownFaceError: no card is written so.
    """
    if card_face(token) == JOKER:
        return _("joker")
    rank, suit = token[0], token[1]
    return _("%(rank)s of %(suit)s") % {"rank": RANK_NAMES[rank], "suit": SUIT_NAMES[suit]}


def tile_symbol(token: str) -> str:
    """Return the id of the tile's `<symbol>` in the sheet of tiles."""
    return f"tile-{tile_face(token)}"


def card_symbol(token: str) -> str:
    """Return the id of the card's `<symbol>` in the sheet of cards."""
    return f"card-{card_face(token)}"
