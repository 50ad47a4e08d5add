"""Trays: what the books say is in them, exactly for who may know, as a band for who will count."""

from __future__ import annotations

from enum import StrEnum

from casino.properties.selectors import get_percent_band
from ledger import selectors as ledger
from ledger.chart import Number
from tables.chips.models import Count, CountKind
from tables.floor.models import TableSession


class Band(StrEnum):
    """How full a tray is, without saying how much is in it (table-operations.md 3.2)."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


def expected_tray(session: TableSession) -> int:
    """Return what should be in the tray of the session's table now, in minor units."""
    return ledger.balance(session.property_id, f"{Number.TRAY}/{session.table.ref}")


def tray_band(session: TableSession) -> Band:
    """Return how full the tray is against its opener, by the setting `tray_band`."""
    opener = session.opener.total if session.opener else 0
    band = get_percent_band(session.property_id, "tray_band", day=session.gaming_day)
    return band_of(expected_tray(session), opener=opener, band=band)


def band_of(tray: int, *, opener: int, band: tuple[int, int]) -> Band:
    """Return how full a *tray* is against its *opener*, both in minor units.

    Args:
        band: the percentages of the opener below which it is low and above which it is high.
    """
    low, high = band
    if tray * 100 < opener * low:
        return Band.LOW
    if tray * 100 > opener * high:
        return Band.HIGH
    return Band.NORMAL


def latest_count(session: TableSession, kind: CountKind) -> Count | None:
    """Return the last count of that kind, a recount before the count it repeats."""
    return session.counts.filter(kind=kind).order_by("-attempt").first()
