"""The 32 Chinese tiles: 21 faces, eleven of them twice.

The invariant: a tile is its face, two digits with the larger half first; two tiles of one
face are the same to every rule, and a face's place in :data:`FACES` is the order in which
the tables of the specification list it.

Source:
    pai-gow.md 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules.rounds import Hand, Layout, Pack


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One of the 21 faces."""

    token: str
    """The two halves, larger first: ``65``."""
    line: int
    """The line of the single-tile ranking, 1 the highest; equal lines rank equally."""
    copies: int
    name: str
    """The casino's name."""
    chinese: str

    @property
    def spots(self) -> int:
        """All pips of the face, as printed."""
        return int(self.token[0]) + int(self.token[1])

    @property
    def glyph(self) -> str:
        """The horizontal Unicode domino; for display only, since many fonts lack it."""
        return chr(0x1F031 + 7 * int(self.token[0]) + int(self.token[1]))


def _face(line: int, token: str, copies: int, name: str, chinese: str) -> Face:
    return Face(token=token, line=line, copies=copies, name=name, chinese=chinese)


FACES: Final = (
    _face(1, "66", 2, "Teen", "天"),
    _face(2, "11", 2, "Day", "地"),
    _face(3, "44", 2, "Yun", "人"),
    _face(4, "31", 2, "Gor", "鵝"),
    _face(5, "55", 2, "Mooy", "梅"),
    _face(6, "33", 2, "Chong", "長三"),
    _face(7, "22", 2, "Bon", "板凳"),
    _face(8, "65", 2, "Foo", "斧頭"),
    _face(9, "64", 2, "Ping", "屏風"),
    _face(10, "61", 2, "Tit", "高腳七"),
    _face(11, "51", 2, "Look", "零霖六"),
    _face(12, "63", 1, "Mixed nine", "雜九"),
    _face(12, "54", 1, "Mixed nine", "雜九"),
    _face(13, "62", 1, "Mixed eight", "雜八"),
    _face(13, "53", 1, "Mixed eight", "雜八"),
    _face(14, "52", 1, "Mixed seven", "雜七"),
    _face(14, "43", 1, "Mixed seven", "雜七"),
    _face(15, "42", 1, "Gee Joon six", "二四"),
    _face(16, "41", 1, "Mixed five", "雜五"),
    _face(16, "32", 1, "Mixed five", "雜五"),
    _face(17, "21", 1, "Gee Joon three", "丁三"),
)
"""In table order, the highest single tile first."""

FACE: Final[Mapping[str, Face]] = {face.token: face for face in FACES}
TABLE_ORDER: Final[Mapping[str, int]] = {face.token: place for place, face in enumerate(FACES)}

TEEN: Final = "66"
DAY: Final = "11"
GEE_JOON: Final = frozenset({"42", "21"})

_SPELLINGS: Final = {
    written + mark: face.token
    for face in FACES
    for written in (face.token, face.token[::-1])
    for mark in ("", "a", "b")
}

PACK: Final = Pack(
    noun="tile",
    spellings=_SPELLINGS,
    copies={face.token: face.copies for face in FACES},
)
"""Either half may be written first; the mark of a copy is accepted and says nothing."""

LAYOUT: Final = Layout(
    pack=PACK,
    first_seat=1,
    last_seat=7,
    low_size=2,
    high_size=2,
    unbuilt_side_bets=frozenset({"bonanza_melbourne", "bonanza_commerce"}),
)
"""Eight stacks: the dealer's and at most seven seats."""


def in_table_order(tiles: Hand) -> Hand:
    """Return *tiles* sorted as the specification lists faces, the highest first."""
    return tuple(sorted(tiles, key=TABLE_ORDER.__getitem__))
