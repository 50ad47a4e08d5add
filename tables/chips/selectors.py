"""Trays: what the books say is in them, exactly for who may know, as a band for who will count."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from casino.properties.selectors import get_amount, get_percent_band
from ledger import selectors as ledger
from ledger.chart import Number
from tables.chips.models import Count, CountKind
from tables.floor.models import TableSession


class Band(StrEnum):
    """How full a tray is, without saying how much is in it (table-operations.md 3.2)."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What a difference between a counted tray and the books asks of people."""

    alert: bool = False
    written_report: bool = False
    regulator_copy: bool = False


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


def what_is_due(count: Count, difference: int) -> Due:
    """Return what a *difference* of *count*, in minor units, asks for under the day's settings.

    Source: table-operations.md 3.1 and 16.1, step S3.
    """
    if not difference:
        return Due()
    amount = abs(difference)
    if count.kind == CountKind.CLOSER:
        return Due(alert=_is_over(_threshold(count, "variance_alert"), amount))
    copy_from = _threshold(count, "opener_regulator_copy_from")
    return Due(
        alert=_is_over(_threshold(count, "opener_alert_amount"), amount),
        written_report=_is_over(_threshold(count, "opener_written_report_over"), amount),
        regulator_copy=copy_from is not None and amount >= copy_from,
    )


def _threshold(count: Count, setting: str) -> int | None:
    session = count.session
    return get_amount(session.property_id, setting, day=session.gaming_day, scope=session.table.ref)


def _is_over(threshold: int | None, amount: int) -> bool:
    return threshold is not None and amount > threshold
