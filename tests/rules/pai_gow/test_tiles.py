"""The 32 tiles are those of the specification's table."""

from collections import Counter

import pytest

from rules.pai_gow.tiles import FACES, PACK
from tests.rules.specification import rows

TABLE = rows("rules/pai-gow.md", section="1.1", first_cell=r"\d+")


def test_the_faces_are_those_of_the_table_in_its_order():
    assert [
        (str(face.line), f"`{face.token}`", str(face.copies), str(face.spots)) for face in FACES
    ] == [(line, token, copies, spots.split()[0]) for line, token, copies, spots, *_ in TABLE]


def test_names_and_glyphs_are_those_of_the_table():
    for face, row in zip(FACES, TABLE, strict=True):
        english, chinese, horizontal = row[4], row[5], row[9].split("/")[1].strip()
        assert face.chinese in chinese
        assert f"U+{ord(face.glyph):05X}" == horizontal
        assert face.name.lower().removeprefix("gee joon ").removeprefix("mixed ") in english.lower()


def test_there_are_32_tiles_of_21_faces():
    assert len(FACES) == 21
    assert Counter(face.copies for face in FACES) == {2: 11, 1: 10}
    assert sum(face.copies for face in FACES) == 32


@pytest.mark.parametrize(
    ("written", "token"), [("65", "65"), ("56", "65"), ("65a", "65"), ("56b", "65"), ("66b", "66")]
)
def test_a_tile_is_read_in_either_orientation_with_or_without_its_copy(written, token):
    assert PACK.read([written]) == (token,)


def test_faces_alike_on_a_line_are_the_mixed_ones():
    lines = Counter(face.line for face in FACES)
    assert {line for line, faces in lines.items() if faces == 2} == {12, 13, 14, 16}
