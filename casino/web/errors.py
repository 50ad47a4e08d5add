"""Refusals: what a person or a program can cause, as data; nothing has changed when one is raised.

    Refusal
    ├── casino.web      keys, cursors, versions
    ├── casino.staff    sign-in, signatures, segregation of duties
    ├── ledger.errors   LedgerError and what derives from it
    └── tables.errors   sessions, rounds, counts, buy-ins

`casino.web.problems` turns any of them into an HTTP answer, so no view does.
"""

from __future__ import annotations

from typing import Any, ClassVar


class Refusal(Exception):
    """An act that was refused, with the reason as data.

    Class attributes:
        code: short, stable, never translated.
        status: the HTTP status that the API answers with.
        title: one English sentence that never changes for a code.
        retryable: whether the same request may succeed when sent again.
    """

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 409
    title: ClassVar[str] = "The request was refused"
    retryable: ClassVar[bool] = False

    def __init__(self, detail: str, *, pointer: str | None = None, **members: Any) -> None:
        """Keep the *detail* for people, the JSON *pointer* to the member at fault, and data."""
        super().__init__(detail)
        self.detail = detail
        self.pointer = pointer
        self.members = members


class NotFoundError(Refusal):
    """Nothing of that name exists for this caller (another property's records included)."""

    code = "not_found"
    status = 404
    title = "Not found"


class ValidationError(Refusal):
    """A member of the request is missing or has a value that it cannot have."""

    code = "validation_failed"
    status = 422
    title = "A member of the request is not valid"
