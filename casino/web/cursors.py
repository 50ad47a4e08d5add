"""A cursor says where a list goes on: opaque, signed, bound to its filter, good for 24 hours."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.core.serializers.json import DjangoJSONEncoder

from casino.web.errors import Refusal

LASTS = timedelta(hours=24)

_signer = signing.Signer(salt="casino.web.cursors")


class CursorError(Refusal):
    """The cursor is not one of ours, or not one of this list."""

    code = "invalid_cursor"
    status = 400
    title = "The cursor does not belong to this list"


class CursorExpiredError(CursorError):
    """The cursor is older than 24 hours."""

    code = "expired_cursor"
    title = "The cursor has expired"


def write_cursor(place: int, *, bound_to: Mapping[str, Any], at: datetime) -> str:
    """Return the cursor that goes on after *place* in the list that *bound_to* describes."""
    return _signer.sign_object([place, _digest(bound_to), int(at.timestamp())], compress=False)


def read_cursor(cursor: str, *, bound_to: Mapping[str, Any], at: datetime) -> int:
    """Return the place after which the list goes on.

    Raises:
        CursorExpiredError: it was written 24 hours ago or longer.
        CursorError: it was changed, or belongs to another list, filter or property.
    """
    try:
        place, digest, written_at = _signer.unsign_object(cursor)
    except (signing.BadSignature, ValueError) as error:
        raise CursorError(
            "This cursor is not one that was given out.", errors=_fault("not given out")
        ) from error
    if digest != _digest(bound_to):
        raise CursorError(
            "This cursor was given out for another filter; repeat the filter or start anew.",
            errors=_fault("another filter"),
        )
    if at.timestamp() - written_at >= LASTS.total_seconds():
        raise CursorExpiredError("A cursor is good for 24 hours.", errors=_fault("expired"))
    return int(place)


def _digest(bound_to: Mapping[str, Any]) -> str:
    text = json.dumps(bound_to, sort_keys=True, cls=DjangoJSONEncoder)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _fault(detail: str) -> list[dict[str, str]]:
    return [{"parameter": "cursor", "detail": detail}]
