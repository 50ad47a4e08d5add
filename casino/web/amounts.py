"""Minor units become text for people here, and nowhere does text for people become a figure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from django.utils.formats import number_format

MINOR_DIGITS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(
        ("CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"), 0
    ),
}
"""Currencies whose minor unit is not a hundredth. Source: ISO 4217."""


def minor_digits(currency: str) -> int:
    """Return how many decimal digits *currency* is written with."""
    return MINOR_DIGITS.get(currency, 2)


def amount_text(minor: int, currency: str) -> str:
    """Return *minor* units as people of the active language read them: 123456 → "1,234.56"."""
    digits = minor_digits(currency)
    text = number_format(
        Decimal(abs(minor)).scaleb(-digits), decimal_pos=digits, force_grouping=True
    )
    return f"−{text}" if minor < 0 else text


def entry_text(minor: int, currency: str) -> str:
    """Return *minor* units as an entry field holds them: plain digits and a point."""
    digits = minor_digits(currency)
    return f"{Decimal(minor).scaleb(-digits):.{digits}f}"
