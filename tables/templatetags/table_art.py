"""A face in a template is one tag, and it is always either named or declared decorative."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.templatetags.static import static
from django.utils.translation import gettext as _

from tables.art.names import SUIT_NAMES, card_name, card_symbol, tile_name, tile_symbol

register = template.Library()

TILES = "tables/art/tiles.svg"
CARDS = "tables/art/cards.svg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One symbol as `tables/art/_drawing.html` draws it."""

    kind: str
    """`tile`, `card` or `suit`: its class and so its proportions."""
    href: str
    name: str
    """What a screen reader says; empty where the surrounding control already says it."""


def _drawing(*, kind: str, sheet: str, symbol: str, name: str) -> dict[str, Drawing]:
    return {"drawing": Drawing(kind=kind, href=f"{static(sheet)}#{symbol}", name=name)}


@register.inclusion_tag("tables/art/_drawing.html")
def tile(token: str, *, decorative: bool = False) -> dict[str, Drawing]:
    """Draw a tile: `{% tile "65" %}`; decorative inside a control that has its own name."""
    name = "" if decorative else tile_name(token)
    return _drawing(kind="tile", sheet=TILES, symbol=tile_symbol(token), name=name)


@register.inclusion_tag("tables/art/_drawing.html")
def card(token: str, *, decorative: bool = False) -> dict[str, Drawing]:
    """Draw a card: `{% card "As" %}`; decorative inside a control that has its own name."""
    name = "" if decorative else card_name(token)
    return _drawing(kind="card", sheet=CARDS, symbol=card_symbol(token), name=name)


@register.inclusion_tag("tables/art/_drawing.html")
def face(kind: str, token: str, *, decorative: bool = False) -> dict[str, Drawing]:
    """Draw a `tile` or a `card`, whichever the game is played with."""
    return FACES[kind](token, decorative=decorative)


@register.inclusion_tag("tables/art/_drawing.html")
def face_down(kind: str) -> dict[str, Drawing]:
    """Draw the back of a `tile` or a `card`: nothing about its face leaves the server."""
    name = {"tile": _("tile, face down"), "card": _("card, face down")}[kind]
    sheet = {"tile": TILES, "card": CARDS}[kind]
    return _drawing(kind=kind, sheet=sheet, symbol=f"{kind}-back", name=name)


@register.inclusion_tag("tables/art/_drawing.html")
def suit(letter: str) -> dict[str, Drawing]:
    """Draw a suit alone, as the head of a row of cards."""
    return _drawing(kind="suit", sheet=CARDS, symbol=f"suit-{letter}", name=str(SUIT_NAMES[letter]))


@register.simple_tag
def face_name(kind: str, token: str) -> str:
    """Return the spoken name of a `tile` or a `card`, for a control that shows its face."""
    return {"tile": tile_name, "card": card_name}[kind](token)


FACES = {"tile": tile, "card": card}
