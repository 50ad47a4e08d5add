"""Identifiers go out with a prefix and come back as the number, or as not found."""

from __future__ import annotations

import pytest

from casino.web.errors import NotFoundError
from casino.web.ids import public_id, read_id


@pytest.mark.parametrize("number", [1, 812, 2**63 - 1])
def test_identifier_comes_back_as_its_number(number):
    assert read_id("rnd", public_id("rnd", number)) == number


def test_identifier_is_prefix_and_number():
    assert public_id("rnd", 812) == "rnd_812"


@pytest.mark.parametrize(
    "text",
    [
        *("", "812", "rnd_", "rnd_0", "rnd_012", "rnd_-1", "fil_812", "rnd_812 ", "rnd_812\n"),
        *("rnd_1e3", "rnd_\u0661", f"rnd_{2**63}", "rnd_" + "9" * 40),
    ],
)
def test_text_that_is_no_identifier_of_the_type_is_not_found(text):
    with pytest.raises(NotFoundError):
        read_id("rnd", text)
