"""Minor units as decimals for people and for other programs; no amount passes through a float."""

from __future__ import annotations


def decimal_text(minor: int, exponent: int) -> str:
    """Return *minor* units as plain digits: 123450 → `1234.50` with 2 decimals, itself with 0."""
    whole, part = divmod(abs(minor), 10**exponent)
    text = f"{whole}.{part:0{exponent}d}" if exponent else f"{whole}"
    return f"-{text}" if minor < 0 else text
