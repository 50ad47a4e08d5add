"""An amount as people write it becomes minor units, exactly, or is refused."""

from __future__ import annotations

import re

from django.utils.formats import get_format

from casino.web.amounts import read_entry


def read_amount(text: str, currency: str) -> int:
    """Return the minor units of *text*: "1,234.50" and "1234.5" are both 123450 of USD.

    The separators are those of the active language; groups are whole (three digits) or absent, so
    that "1,50" is refused and not taken for another amount.

    Raises:
        ValidationError: it is no amount of *currency*.
    """
    text = text.strip()
    group, point = str(get_format("THOUSAND_SEPARATOR")), str(get_format("DECIMAL_SEPARATOR"))
    # A language may group by a space that nobody types: the plain one stands for it.
    groups = f"(?:{re.escape(group)}{'| ' if group.isspace() else ''})"
    whole, part = rf"[0-9]{{1,3}}(?:{groups}[0-9]{{3}})+|[0-9]+", rf"{re.escape(point)}[0-9]*"
    if re.fullmatch(f"(?:{whole})(?:{part})?", text):
        text = re.sub(groups, "", text).replace(point, ".")
    return read_entry(text, currency)
