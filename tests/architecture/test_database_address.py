"""What an address of the database says besides where it is."""

from __future__ import annotations

import pytest

from casino.settings.base import database


@pytest.mark.parametrize(
    ("query", "threshold"), [("", 5), ("?prepare_threshold=off", None), ("?prepare_threshold=1", 1)]
)
def test_statements_are_prepared_unless_the_address_says_that_a_pooler_loses_them(query, threshold):
    described = database(f"postgresql://baize_app@host:6432/baize{query}", role=None, pool=0)
    assert described["OPTIONS"] == {"prepare_threshold": threshold}
    assert (described["HOST"], described["PORT"]) == ("host", "6432")
