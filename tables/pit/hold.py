"""Ratios as the pit reads them: hundredths of a percent become a percentage with two decimals."""

from __future__ import annotations

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def hold_text(bps: int | None) -> str:
    """Return win over drop as it is read: 1838 → "18.38 %"; "n/a" where nothing was dropped."""
    if bps is None:
        return _("n/a")
    text = number_format(Decimal(abs(bps)) / 100, decimal_pos=2)
    return f"−{text} %" if bps < 0 else f"{text} %"
