"""A PIN is never stored, nor hashed without the pepper that lives outside the database."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final

from django.conf import settings

PIN_FORM: Final = re.compile(r"[0-9]{4,8}")


def is_pin(text: str) -> bool:
    """Return whether *text* has the form of a PIN: 4 to 8 digits."""
    return PIN_FORM.fullmatch(text) is not None


def peppered(pin: str) -> str:
    """Return what the password hasher is given instead of *pin*.

    Four digits are guessed from a stolen table of hashes in no time; without the pepper the
    guesser has nothing to compare with.
    """
    return hmac.new(settings.PIN_PEPPER.encode(), pin.encode(), hashlib.sha256).hexdigest()
