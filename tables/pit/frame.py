"""What stands around every page of the pit: the property, its gaming day and its zone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from casino.properties.selectors import gaming_day_of
from tables.pit.access import Reader


def frame(reader: Reader, *, here: str, now: datetime) -> Mapping[str, Any]:
    """Return the variables of `page.html`; *here* is its place in the navigation."""
    return {
        "here": here,
        "casino": reader.casino.name,
        "gaming_day": gaming_day_of(reader.casino, now).isoformat(),
        "zone": reader.casino.time_zone,
        "reads_books": reader.reads_whole_pit,
    }
