"""What a page of the books shows, as rows for a file: texts, dates, moments, numbers and amounts.

An amount is minor units with a currency until a file is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeAlias

from django.utils.translation import gettext as _

from tables.art.records import Words
from tables.pit.access import Reader
from tables.pit.records import Amount

Cell: TypeAlias = Words | int | date | datetime | Amount | None
"""None is an empty cell; a moment is in the zone in which it is to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One table, ready to be written as a file."""

    name: str
    """Of the file, without its ending: `jade-harbour-entries`."""
    title: Words
    headings: tuple[Words, ...]
    rows: Iterable[tuple[Cell, ...]]
    """As many cells as headings; read once, while the file is written."""
    about: tuple[tuple[Words, Cell], ...] = ()
    """What the sheet is of: the property, the filter, who asked and when."""


def time_heading(reader: Reader) -> Words:
    """Return the heading of a column of moments: "Time (America/Los_Angeles)"."""
    return _("Time (%(zone)s)") % {"zone": reader.casino.time_zone}
