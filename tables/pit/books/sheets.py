"""What a page of the books shows, as rows for a file: texts, dates, numbers and amounts.

An amount is minor units with a currency until a file is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from tables.art.records import Words
from tables.pit.records import Amount

Cell: TypeAlias = Words | int | date | Amount | None
"""None is an empty cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table, ready to be written as a file."""

    name: str
    """Of the file, without its ending: `jade-harbour-entries`."""
    title: Words
    headings: tuple[Words, ...]
    rows: Iterable[tuple[Cell, ...]]
    """As many cells as headings; read once, while the file is written."""
    about: tuple[tuple[Words, Words], ...] = ()
    """What the sheet is of: the property, the filter, who asked and when."""
