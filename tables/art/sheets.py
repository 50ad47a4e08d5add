"""The two sheets of symbols are drawn from tables of pips and suits, never edited by hand.

`python -m tables.art.sheets` writes them to the static files; a test holds the files to this.
Only presentation attributes are used: a style element would meet the content security policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tables.art.names import JOKER, RANK_NAMES, SUIT_NAMES, TILE_NAMES, card_symbol, tile_symbol

TILE_BOX: Final = (44, 88)
CARD_BOX: Final = (56, 80)
SHEETS: Final = Path(__file__).resolve().parent.parent / "static" / "tables" / "art"

# --- tiles

TILE_BODY: Final = "#17130f"
TILE_EDGE: Final = "#a39b88"
TILE_LINE: Final = "#4d463b"
WHITE: Final = "#f8f5ea"
RED: Final = "#ff5347"


@dataclass(frozen=True, slots=True)
class Pip:
    """One dot of the upper half, from that half's middle; y grows towards the tile's middle."""

    x: float
    y: float
    radius: float
    colour: str


def _pips(radius: float, colour: str, *places: tuple[float, float]) -> tuple[Pip, ...]:
    return tuple(Pip(x, y, radius, colour) for x, y in places)


HALVES: Final[Mapping[str, tuple[Pip, ...]]] = {
    "1": _pips(7.5, RED, (0, 0)),
    "2": _pips(5, WHITE, (-9, -5), (9, -5)),
    "3": _pips(5, WHITE, (-10, -11), (0, 0), (10, 11)),
    "4": _pips(5, RED, (-9, -9), (9, -9), (-9, 9), (9, 9)),
    "5": _pips(4.8, WHITE, (-10, -11), (10, -11), (0, 0), (-10, 11), (10, 11)),
    "6": _pips(4.6, WHITE, *((x, y) for x in (-9, 9) for y in (-12.5, 0, 12.5))),
}
"""The pips of each half: ones and fours red, all others white. Source: pai-gow.md 1.1."""

HEAVEN_HALF: Final = tuple(
    Pip(pip.x, pip.y, pip.radius, RED if pip.x < 0 else WHITE) for pip in HALVES["6"]
)
"""Each six of `66` is half red, half white, and turning the tile round changes nothing."""


def tile_halves(face: str) -> tuple[tuple[Pip, ...], tuple[Pip, ...]]:
    """Return the pips of the large half and of the small half of *face*."""
    if face == "66":
        return HEAVEN_HALF, HEAVEN_HALF
    return HALVES[face[0]], HALVES[face[1]]


def _number(value: float) -> str:
    return f"{value:g}"


def _pip_marks(half: Iterable[Pip], *, middle: float, turned: bool) -> Iterator[str]:
    sign = -1 if turned else 1
    for pip in half:
        x, y = TILE_BOX[0] / 2 + sign * pip.x, middle + sign * pip.y
        yield (
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(pip.radius)}"'
            f' fill="{pip.colour}"/>'
        )


def _tile_body() -> str:
    return (
        f'<rect x="1" y="1" width="42" height="86" rx="6" fill="{TILE_BODY}"'
        f' stroke="{TILE_EDGE}" stroke-width="1.5"/>'
    )


def _tile_marks(face: str) -> Iterator[str]:
    large, small = tile_halves(face)
    yield _tile_body()
    yield f'<path d="M11 44h22" stroke="{TILE_LINE}" stroke-width="1"/>'
    yield from _pip_marks(large, middle=23, turned=False)
    yield from _pip_marks(small, middle=65, turned=True)


def _tile_back_marks() -> Iterator[str]:
    yield _tile_body()
    yield (
        f'<rect x="6" y="6" width="32" height="76" rx="3" fill="none" stroke="{TILE_EDGE}"'
        ' stroke-width="1"/>'
    )
    yield f'<path d="M22 26 32 44 22 62 12 44Z" fill="{TILE_LINE}" stroke="{TILE_EDGE}"/>'


# --- cards

CARD_FACE: Final = "#fdfcf7"
CARD_EDGE: Final = "#77756c"
CARD_BACK: Final = "#23406b"
BLACK: Final = "#15171c"
CARD_RED: Final = "#b5121b"

SUIT_PATHS: Final[Mapping[str, str]] = {
    "s": "M12 1.5C16.5 7 22 10.3 22 15a4.9 4.9 0 0 1-8.7 3c.3 2 .9 3.4 2.2 4.5h-7"
    "c1.3-1.1 1.9-2.5 2.2-4.5A4.9 4.9 0 0 1 2 15C2 10.3 7.5 7 12 1.5Z",
    "h": "M12 22C5.5 16.4 2 12.6 2 8.3A5.3 5.3 0 0 1 12 5.7 5.3 5.3 0 0 1 22 8.3"
    "C22 12.6 18.5 16.4 12 22Z",
    "d": "M12 1.2C14 5 17 9 20.2 12 17 15 14 19 12 22.8 10 19 7 15 3.8 12 7 9 10 5 12 1.2Z",
    "c": "M12 1.8a4.8 4.8 0 0 1 3.5 8.1 4.8 4.8 0 1 1-2.2 7.6c.3 2.2.9 3.8 2.2 5h-7"
    "c1.3-1.2 1.9-2.8 2.2-5a4.8 4.8 0 1 1-2.2-7.6A4.8 4.8 0 0 1 12 1.8Z",
}
"""Four shapes in a box of 24 by 24: a suit is told by its shape; its colour only helps."""

SUIT_COLOURS: Final[Mapping[str, str]] = {"s": BLACK, "c": BLACK, "h": CARD_RED, "d": CARD_RED}
COURTS: Final = frozenset("KQJ")
GOLD: Final = "#d9a528"
CROWN: Final = "M26 49 24.5 36 31.5 42 37.5 33 43.5 42 50.5 36 49 49Z"


def _suit(suit: str, *, x: float, y: float, size: float) -> str:
    return (
        f'<path transform="translate({_number(x)} {_number(y)}) scale({_number(size / 24)})"'
        f' d="{SUIT_PATHS[suit]}" fill="{SUIT_COLOURS[suit]}"/>'
    )


def _text(text: str, *, x: float, y: float, size: float, colour: str) -> str:
    # Anchored in the middle: start and end would change places in a right-to-left page.
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="middle" direction="ltr"'
        f' font-family="Liberation Sans, Arial, Helvetica, sans-serif" font-weight="700"'
        f' font-size="{_number(size)}" fill="{colour}">{text}</text>'
    )


def _card_body(fill: str = CARD_FACE) -> str:
    return (
        f'<rect x="1" y="1" width="54" height="78" rx="5" fill="{fill}"'
        f' stroke="{CARD_EDGE}" stroke-width="1"/>'
    )


def _card_marks(card: str) -> Iterator[str]:
    rank, suit = card[0], card[1]
    colour = SUIT_COLOURS[suit]
    yield _card_body()
    if rank in COURTS:
        yield f'<path d="{CROWN}" fill="{GOLD}" stroke="{BLACK}" stroke-width="0.8"/>'
        yield _suit(suit, x=26, y=51, size=23)
    else:
        yield _suit(suit, x=22, y=43, size=30)
    if rank == "T":
        yield _text("10", x=17.5, y=27, size=25, colour=colour)
    else:
        yield _text(rank, x=16, y=28, size=28, colour=colour)
    yield _suit(suit, x=9, y=34, size=13)


def _joker_marks() -> Iterator[str]:
    yield _card_body()
    yield (
        '<path d="M28 26 32.7 37.5 45.1 38.4 35.6 46.5 38.6 58.6 28 52 17.4 58.6 20.4 46.5'
        f' 10.9 38.4 23.3 37.5Z" fill="#6a2a8c" stroke="{BLACK}" stroke-width="1"/>'
    )
    yield _text("JOKER", x=28, y=18, size=13, colour=BLACK)
    yield _text("JOKER", x=28, y=74, size=13, colour=BLACK)


def _card_back_marks() -> Iterator[str]:
    yield _card_body(CARD_BACK)
    yield (
        '<rect x="5" y="5" width="46" height="70" rx="3" fill="none" stroke="#c9d6ec"'
        ' stroke-width="1.2"/>'
    )
    for y in (16, 32, 48, 64):
        for x in (16, 28, 40):
            yield f'<path d="M{x} {y - 6} {x + 5} {y} {x} {y + 6} {x - 5} {y}Z" fill="#8ea9d6"/>'


# --- sheets


def _symbol(name: str, box: tuple[int, int], marks: Iterable[str]) -> str:
    return f'<symbol id="{name}" viewBox="0 0 {box[0]} {box[1]}">{"".join(marks)}</symbol>'


def _sheet(symbols: Iterable[str]) -> str:
    return "\n".join(('<svg xmlns="http://www.w3.org/2000/svg">', *symbols, "</svg>", ""))


def tile_sheet() -> str:
    """Return the sheet of the 21 faces and the back, as SVG text."""
    faces = (_symbol(tile_symbol(face), TILE_BOX, _tile_marks(face)) for face in TILE_NAMES)
    return _sheet((*faces, _symbol("tile-back", TILE_BOX, _tile_back_marks())))


def card_sheet() -> str:
    """Return the sheet of the 53 cards, the back and the four suits alone, as SVG text."""
    cards = (rank + suit for suit in SUIT_NAMES for rank in RANK_NAMES)
    return _sheet(
        (
            *(_symbol(card_symbol(card), CARD_BOX, _card_marks(card)) for card in cards),
            _symbol(card_symbol(JOKER), CARD_BOX, _joker_marks()),
            _symbol("card-back", CARD_BOX, _card_back_marks()),
            *(
                _symbol(f"suit-{suit}", (24, 24), (f'<path d="{path}" fill="currentColor"/>',))
                for suit, path in SUIT_PATHS.items()
            ),
        )
    )


def main() -> None:
    """Write both sheets beside the other static files."""
    SHEETS.mkdir(parents=True, exist_ok=True)
    (SHEETS / "tiles.svg").write_text(tile_sheet(), encoding="utf-8")
    (SHEETS / "cards.svg").write_text(card_sheet(), encoding="utf-8")


if __name__ == "__main__":
    main()
