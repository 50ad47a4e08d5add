"""A face in a template is named, or says that it is decoration; a hidden face has no token."""

from __future__ import annotations

import pytest
from django.template import Context, Template

from tables.art.names import UnknownFaceError


def drawn(source: str) -> str:
    """Return what a template with the tags draws."""
    return Template("{% load table_art %}" + source).render(Context())


def test_a_tile_is_an_image_with_a_name() -> None:
    assert drawn('{% tile "65" %}').strip() == (
        '<svg class="tile" viewBox="0 0 44 88" role="img" aria-label="six-five, Axe"'
        ' focusable="false"><use href="/static/tables/art/tiles.svg#tile-65"></use></svg>'
    )


def test_a_card_is_an_image_with_a_name() -> None:
    assert drawn('{% card "Jk" %}').strip() == (
        '<svg class="card" viewBox="0 0 56 80" role="img" aria-label="joker"'
        ' focusable="false"><use href="/static/tables/art/cards.svg#card-Jk"></use></svg>'
    )


def test_a_decorative_face_is_silent() -> None:
    assert drawn('{% face "card" "As" decorative=True %}').strip() == (
        '<svg class="card" viewBox="0 0 56 80" aria-hidden="true"'
        ' focusable="false"><use href="/static/tables/art/cards.svg#card-As"></use></svg>'
    )


def test_a_back_tells_nothing_of_its_face() -> None:
    assert 'aria-label="tile, face down"' in drawn('{% face_down "tile" %}')
    assert "tiles.svg#tile-back" in drawn('{% face_down "tile" %}')
    assert "cards.svg#card-back" in drawn('{% face_down "card" %}')


def test_what_is_no_face_is_not_drawn_as_one() -> None:
    with pytest.raises(UnknownFaceError):
        drawn('{% tile "77" %}')
