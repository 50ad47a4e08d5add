"""Entries are sealed behind those who post: what has committed, oldest transaction first.

A seal fixes its entries and the seal before it (ADR 25). One transaction at a time works on a
property's chain; another one waits for it and goes on where it ended.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from ledger.retrying import with_retries
from ledger.services.functions import call
from ledger.services.inputs import require_id, require_moment, require_named, require_whole

MOST: Final = 2**31 - 1
BATCH: Final = 1_000
"""Entries under one seal, unless one transaction wrote more."""


def seal_next(*, property_id: int, at: datetime, at_most: int = BATCH) -> int:
    """Seal entries that wait under one seal and return how many; 0: none may be sealed yet.

    An entry waits for its own transaction and for every older one in the cluster, so nothing can
    still come before what is sealed.

    Raises:
        InvalidEntryError: *at_most* or *at* is none.
        EpochError: the books were restored from another cluster.
    """
    require_id(property_id=property_id)
    require_whole(MOST, at_most=at_most)
    require_moment(at)
    statement = "SELECT ledger_seal_next(%s, %s::integer, %s)"
    (sealed,) = with_retries(lambda: call(statement, [property_id, at_most, at]))
    return int(sealed)


def begin_epoch(*, property_id: int, actor: str, reason: str, at: datetime) -> int:
    """Begin an epoch after a restore into another cluster, and return its number.

    What is left of the old epoch is sealed first. Nobody posts meanwhile: posters are waited for,
    and others wait.

    Raises:
        InvalidEntryError: nobody begins it, or for no reason.
        UnknownPropertyError: there is no such property.
        NotRestoredError: the books are of this cluster, and go on in their epoch.
    """
    require_id(property_id=property_id)
    require_named(actor=actor, reason=reason)
    require_moment(at)
    statement = "SELECT ledger_begin_epoch(%s, %s, %s, %s)"
    (epoch,) = with_retries(lambda: call(statement, [property_id, actor, reason, at]))
    return int(epoch)
