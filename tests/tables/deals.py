"""Rounds whose outcome is known, and what stands in the database, for tests of the services."""

from __future__ import annotations

from typing import Any

from django.apps import apps

WIN_AND_LOSE: dict[str, Any] = {
    "bank": {"holder": "house", "hand": ["65", "55", "62", "51"], "set": "house_way"},
    "seats": [
        {"seat": 1, "wager": 10_000, "hand": ["42", "21", "31", "41"], "set": "house_way"},
        {
            "seat": 2,
            "wager": 5_000,
            "hand": ["43", "22", "63", "31"],
            "set": {"low": ["43", "22"], "high": ["63", "31"]},
        },
    ],
}
"""Tiles: seat 1 wins 100.00 less 5.00 commission, seat 2 loses 50.00; the house is down 45.00."""

HOUSE_NET = 5_000 - 10_000 + 500


def results(**outcomes: str) -> dict[str, Any]:
    """Return a round of results alone: `results(seat_1="win")`, each seat with 100.00."""
    return {
        "bank": {"holder": "house"},
        "seats": [
            {
                "seat": int(name.removeprefix("seat_")),
                "wager": 10_000,
                "result": {"outcome": outcome},
            }
            for name, outcome in outcomes.items()
        ],
    }


def everything() -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table, so that a test sees that nothing has changed."""
    return {
        model._meta.db_table: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models()
    }
