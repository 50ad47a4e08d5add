"""A cursor is read where it was written for, unchanged, within 24 hours."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from casino.web.cursors import CursorError, CursorExpiredError, read_cursor, write_cursor

AT = datetime(2026, 3, 14, 21, 22, 5, tzinfo=UTC)
HERE = {"path": "/rounds", "filter": {"gaming_day": date(2026, 3, 14), "table": "T1"}}
CURSOR = write_cursor(812, bound_to=HERE, at=AT)


def test_cursor_goes_on_where_it_was_written():
    assert read_cursor(CURSOR, bound_to=HERE, at=AT + timedelta(hours=23, minutes=59)) == 812


def test_order_of_the_filter_does_not_matter():
    turned = {"filter": {"table": "T1", "gaming_day": date(2026, 3, 14)}, "path": "/rounds"}
    assert read_cursor(CURSOR, bound_to=turned, at=AT) == 812


def test_cursor_expires_after_24_hours():
    with pytest.raises(CursorExpiredError):
        read_cursor(CURSOR, bound_to=HERE, at=AT + timedelta(hours=24))


@pytest.mark.parametrize(
    "elsewhere",
    [
        {**HERE, "path": "/entries"},
        {**HERE, "filter": {"gaming_day": date(2026, 3, 14), "table": "T2"}},
        {**HERE, "filter": {"gaming_day": date(2026, 3, 14)}},
    ],
)
def test_cursor_of_another_list_is_refused(elsewhere):
    with pytest.raises(CursorError, match="another filter"):
        read_cursor(CURSOR, bound_to=elsewhere, at=AT)


@pytest.mark.parametrize("place", range(0, len(CURSOR), 7))
def test_changed_cursor_is_refused(place):
    changed = CURSOR[:place] + ("A" if CURSOR[place] != "A" else "B") + CURSOR[place + 1 :]
    with pytest.raises(CursorError, match="not one that was given out"):
        read_cursor(changed, bound_to=HERE, at=AT)


@pytest.mark.parametrize("text", ["", ":", "a:b", "\u00e9:\u00e9", "812"])
def test_text_that_is_no_cursor_is_refused(text):
    with pytest.raises(CursorError, match="not one that was given out"):
        read_cursor(text, bound_to=HERE, at=AT)
