"""What every service of the books refuses before it asks the database, by the field's name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from ledger.errors import InvalidEntryError

LENGTH: Final = 200
"""Characters of a name or a reference: an index holds it, and a line of a page shows it."""
LENGTHS: Final[Mapping[str, int]] = {"memo": 2_000, "reason": 2_000}
"""Characters of what somebody writes for others to read."""
LARGEST: Final = 2**63 - 1
FIRST_DAY: Final = date(1, 1, 2)
LAST_DAY: Final = date(9999, 12, 30)
"""Between these every time zone can show a gaming day and the moments of it."""
FIRST_MOMENT: Final = datetime(1, 1, 2, tzinfo=UTC)
LAST_MOMENT: Final = datetime(9999, 12, 30, tzinfo=UTC)


def require_text(**named: Any) -> None:
    """Refuse what no column of text can hold: NUL, half a surrogate pair, anything but text.

    And what is longer than its field takes: 200 characters, 2,000 of a memo or a reason.

    Raises:
        InvalidEntryError: it names the field.
    """
    for field, text in named.items():
        if not isinstance(text, str):
            raise InvalidEntryError(field, f"{text!r} is no text")
        if len(text) > LENGTH and len(text) > (most := LENGTHS.get(field, LENGTH)):
            raise InvalidEntryError(field, f"it has more than {most} characters")
        if "\x00" in text or not (text.isascii() or _is_unicode(text)):
            raise InvalidEntryError(field, "it holds a character that cannot be stored")


def require_named(**named: Any) -> None:
    """Refuse a text that is missing, or that no column can hold.

    Raises:
        InvalidEntryError: it names the field.
    """
    require_text(**named)
    for field, text in named.items():
        if not text:
            raise InvalidEntryError(field, "it is empty")


def require_moment(at: Any) -> None:
    """Refuse what is no instant, or one that some time zone cannot show.

    Raises:
        InvalidEntryError: it names the field.
    """
    if not isinstance(at, datetime):
        raise InvalidEntryError("at", f"{at!r} is no moment")
    if at.tzinfo is None:
        raise InvalidEntryError("at", "it has no time zone")
    if not FIRST_MOMENT <= at <= LAST_MOMENT:
        raise InvalidEntryError("at", f"it is not between {FIRST_DAY} and {LAST_DAY}")


def require_day(**named: Any) -> None:
    """Refuse what is no gaming day.

    Raises:
        InvalidEntryError: it names the field.
    """
    for field, day in named.items():
        if not isinstance(day, date) or isinstance(day, datetime):
            raise InvalidEntryError(field, f"{day!r} is no gaming day")
        if not FIRST_DAY <= day <= LAST_DAY:
            raise InvalidEntryError(field, f"it is not between {FIRST_DAY} and {LAST_DAY}")


def require_id(**named: Any) -> None:
    """Refuse what can be the number of no row.

    Raises:
        InvalidEntryError: it names the field.
    """
    require_whole(LARGEST, **named)


def require_whole(most: int, /, **named: Any) -> None:
    """Refuse what is no whole number from 1 to *most*; True and 1.0 are none.

    Raises:
        InvalidEntryError: it names the field.
    """
    for field, number in named.items():
        if type(number) is not int:
            raise InvalidEntryError(field, f"{number!r} is no whole number")
        if not 0 < number <= most:
            raise InvalidEntryError(field, f"it is not between 1 and {most}")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
