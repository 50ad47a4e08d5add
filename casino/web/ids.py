"""Public identifiers: a type prefix and a number, opaque to callers."""

from __future__ import annotations

import re

from casino.web.errors import NotFoundError

LARGEST = 2**63 - 1
"""Of PostgreSQL's bigint."""


def public_id(prefix: str, number: int) -> str:
    """Return the identifier that the API shows: `rnd_812`."""
    return f"{prefix}_{number}"


def read_id(prefix: str, text: str) -> int:
    """Return the number behind the identifier *text* of type *prefix*.

    Raises:
        NotFoundError: *text* is no such identifier, so nothing can have it.
    """
    found = re.fullmatch(rf"{prefix}_([1-9][0-9]{{0,18}})", text, re.ASCII)
    if found is None or int(found[1]) > LARGEST:
        raise NotFoundError(f"There is no {text!r}.")
    return int(found[1])
