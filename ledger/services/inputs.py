"""What every service of the books refuses before it asks the database, by the field's name."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ledger.errors import InvalidEntryError


def require_text(**named: Any) -> None:
    """Refuse what no column of text can hold: NUL, half a surrogate pair, anything but text.

    Raises:
        InvalidEntryError: it names the field.
    """
    for field, text in named.items():
        if not isinstance(text, str):
            raise InvalidEntryError(field, f"{text!r} is no text")
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
    """Refuse what is no instant.

    Raises:
        InvalidEntryError: it names the field.
    """
    if not isinstance(at, datetime):
        raise InvalidEntryError("at", f"{at!r} is no moment")
    if at.tzinfo is None:
        raise InvalidEntryError("at", "it has no time zone")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
