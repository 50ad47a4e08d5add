"""Minor units become text for people, and what people type becomes minor units, here alone.

Both ways are exact: no amount ever passes through a float.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from casino.web.errors import ValidationError

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


def read_entry(text: str, currency: str, *, pointer: str = "/amount") -> int:
    """Return the minor units that an entry field holds: "1234.5" → 123450.

    Raises:
        ValidationError: not plain digits, or more decimals than the currency has.
    """
    digits = minor_digits(currency)
    decimals = rf"(?:\.([0-9]{{0,{digits}}}))?" if digits else "()"
    found = re.fullmatch(rf"([0-9]{{1,13}}){decimals}", text.strip())
    if found is None:
        raise ValidationError(
            _("Write the amount in plain digits, such as %(example)s.")
            % {"example": entry_text(25 * 10**digits, currency)},
            pointer=pointer,
        )
    whole, part = found.groups()
    return int(whole + (part or "").ljust(digits, "0"))
