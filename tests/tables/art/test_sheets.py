"""The sheets show what the rules' table of faces says, and the files are the sheets."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tables.art.names import JOKER, RANK_NAMES, SUIT_NAMES, TILE_NAMES
from tables.art.sheets import (
    CARD_BOX,
    HALVES,
    RED,
    SHEETS,
    SUIT_PATHS,
    TILE_BOX,
    WHITE,
    card_sheet,
    tile_halves,
    tile_sheet,
)

SVG = "{http://www.w3.org/2000/svg}"


def symbols(sheet: str) -> dict[str, ElementTree.Element]:
    """Return the symbols of a sheet by id."""
    root = ElementTree.fromstring(sheet)  # noqa: S314  our own text
    return {symbol.attrib["id"]: symbol for symbol in root.iter(f"{SVG}symbol")}


def test_the_files_are_what_the_tables_draw() -> None:
    assert (SHEETS / "tiles.svg").read_text(encoding="utf-8") == tile_sheet()
    assert (SHEETS / "cards.svg").read_text(encoding="utf-8") == card_sheet()


def test_the_sheets_hold_every_face_and_the_backs() -> None:
    cards = {f"card-{rank}{suit}" for suit in SUIT_NAMES for rank in RANK_NAMES}
    suits = {f"suit-{suit}" for suit in SUIT_NAMES}
    assert set(symbols(tile_sheet())) == {f"tile-{face}" for face in TILE_NAMES} | {"tile-back"}
    assert set(symbols(card_sheet())) == cards | {f"card-{JOKER}", "card-back"} | suits


@pytest.mark.parametrize("face", TILE_NAMES)
def test_a_tile_has_as_many_pips_as_its_name_says(face: str) -> None:
    pips = list(symbols(tile_sheet())[f"tile-{face}"].iter(f"{SVG}circle"))
    upper = [pip for pip in pips if float(pip.attrib["cy"]) < TILE_BOX[1] / 2]
    assert (len(upper), len(pips) - len(upper)) == (int(face[0]), int(face[1]))


@pytest.mark.parametrize("face", [face for face in TILE_NAMES if face != "66"])
def test_ones_and_fours_are_red_and_all_others_white(face: str) -> None:
    for digit, half in zip(face, tile_halves(face), strict=True):
        assert {pip.colour for pip in half} == {RED if digit in "14" else WHITE}


def test_heaven_is_half_red_and_half_white_whichever_way_it_lies() -> None:
    pips = list(symbols(tile_sheet())["tile-66"].iter(f"{SVG}circle"))
    drawn = {(float(pip.attrib["cx"]), float(pip.attrib["cy"]), pip.attrib["fill"]) for pip in pips}
    turned = {(TILE_BOX[0] - x, TILE_BOX[1] - y, colour) for x, y, colour in drawn}
    assert [pip.attrib["fill"] for pip in pips].count(RED) == 6
    assert drawn == turned


def test_pips_of_one_half_do_not_touch() -> None:
    for half in HALVES.values():
        for first in half:
            for second in half:
                if first is not second:
                    distance = ((first.x - second.x) ** 2 + (first.y - second.y) ** 2) ** 0.5
                    assert distance > first.radius + second.radius


def test_suits_are_told_by_shape() -> None:
    assert len(set(SUIT_PATHS.values())) == 4
    for rank in RANK_NAMES:
        shapes = {
            suit: {
                path.attrib["d"]
                for path in symbols(card_sheet())[f"card-{rank}{suit}"]
                if path.tag == f"{SVG}path" and path.attrib["d"] in SUIT_PATHS.values()
            }
            for suit in SUIT_NAMES
        }
        assert shapes == {suit: {path} for suit, path in SUIT_PATHS.items()}


def test_a_sheet_needs_nothing_that_the_security_policy_refuses() -> None:
    for sheet in (tile_sheet(), card_sheet()):
        assert "style" not in sheet
        assert "script" not in sheet
        assert "href" not in sheet


def test_boxes_are_those_of_a_tile_and_a_card() -> None:
    assert {s.attrib["viewBox"] for s in symbols(tile_sheet()).values()} == {
        f"0 0 {TILE_BOX[0]} {TILE_BOX[1]}"
    }
    assert symbols(card_sheet())["card-As"].attrib["viewBox"] == f"0 0 {CARD_BOX[0]} {CARD_BOX[1]}"
