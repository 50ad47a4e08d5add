"""A tray is a band to who will count it, and a figure only to the books."""

from __future__ import annotations

import pytest

from tables.chips.models import CountKind
from tables.chips.selectors import Band, band_of, expected_tray, latest_count, tray_band


@pytest.mark.parametrize(
    ("tray", "band"),
    [
        (-1, Band.LOW),
        (499, Band.LOW),
        (500, Band.NORMAL),
        (1_000, Band.NORMAL),
        (1_500, Band.NORMAL),
        (1_501, Band.HIGH),
    ],
)
def test_the_ends_of_the_band_are_normal(tray, band):
    assert band_of(tray, opener=1_000, band=(50, 150)) == band


@pytest.mark.django_db
def test_an_open_table_is_measured_against_its_opener(open_table):
    session = open_table().session

    opener = latest_count(session, CountKind.OPENER)
    assert opener == session.opener
    assert expected_tray(session) == opener.total - sum(
        session.buy_ins.values_list("amount", flat=True)
    )
    assert tray_band(session) == Band.NORMAL
    assert latest_count(session, CountKind.CLOSER) is None
