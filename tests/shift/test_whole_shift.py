"""A whole shift on the real site: its tablets, its API, its worker, and its books at the end."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.shift.evidence import Evidence
from tests.shift.proof import prove, unexplained

pytestmark = pytest.mark.long


def test_shift_ends_with_every_figure_equal(undisturbed: Evidence) -> None:
    prove(undisturbed)


def test_both_doors_were_used_at_both_tables(undisturbed: Evidence) -> None:
    used = Counter(
        (code, each["source"])
        for code, table in undisturbed.tables.items()
        for each in table.rounds
    )
    assert used == {
        ("T1", "tablet"): 16,
        ("T1", "api"): 84,
        ("T2", "tablet"): 17,
        ("T2", "api"): 83,
    }


def test_nobody_had_to_ask_twice(undisturbed: Evidence) -> None:
    assert undisturbed.awaited == ()


def test_no_process_ended(undisturbed: Evidence) -> None:
    assert undisturbed.ended == {}


def test_no_process_logged_an_error(undisturbed: Evidence) -> None:
    assert {name: unexplained(log) for name, log in undisturbed.logs.items()} == {
        "web": [],
        "worker": [],
        "beat": [],
    }
