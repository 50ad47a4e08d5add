"""Where a property's chain of seals stands, and what waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection

WAITING: Final = """
WITH begun AS (
    SELECT epoch, after_entry_id FROM ledger_epoch
    WHERE property_id = %(property)s ORDER BY epoch DESC LIMIT 1
), reached AS (
    SELECT seal.upto_txid FROM ledger_seal AS seal JOIN begun USING (epoch)
    WHERE seal.property_id = %(property)s ORDER BY seal.number DESC LIMIT 1
)
SELECT count(*), min(id), min(recorded_at),
       min(recorded_at) FILTER (WHERE txid < pg_snapshot_xmin(pg_current_snapshot()))
FROM ledger_entry
WHERE property_id = %(property)s AND id > coalesce((SELECT after_entry_id FROM begun), 0)
  AND txid > coalesce((SELECT upto_txid FROM reached), '0')
"""

CHAIN: Final = """
SELECT totals.seals, totals.entries, head.number, head.hash, head.sealed_at,
       ledger_is_foreign(%(property)s)
FROM (SELECT count(*) AS seals, coalesce(sum(entries), 0) AS entries
      FROM ledger_seal WHERE property_id = %(property)s) AS totals
LEFT JOIN LATERAL (
    SELECT number, hash, sealed_at FROM ledger_seal
    WHERE property_id = %(property)s ORDER BY number DESC LIMIT 1
) AS head ON true
"""

# One look into the index for each property, however long its books are.
UNSEALED: Final = """
SELECT property.id FROM properties_property AS property
LEFT JOIN LATERAL (
    SELECT epoch, after_entry_id FROM ledger_epoch AS begun
    WHERE begun.property_id = property.id ORDER BY epoch DESC LIMIT 1
) AS begun ON true
LEFT JOIN LATERAL (
    SELECT upto_txid FROM ledger_seal AS seal
    WHERE seal.property_id = property.id AND seal.epoch = begun.epoch
    ORDER BY number DESC LIMIT 1
) AS reached ON true
WHERE EXISTS (
    SELECT FROM ledger_entry AS entry
    WHERE entry.property_id = property.id AND entry.id > coalesce(begun.after_entry_id, 0)
      AND entry.txid > coalesce(reached.upto_txid, '0')
      AND entry.txid < pg_snapshot_xmin(pg_current_snapshot()))
   OR ledger_is_foreign(property.id)
ORDER BY property.id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The seals of a property, and the entries that are not under one."""

    seals: int
    entries: int
    """Entries under them."""
    head: int
    """The newest seal's number; 0 before the first."""
    head_hash: bytes
    """32 bytes; empty before the first."""
    sealed_at: datetime | None
    is_foreign: bool
    """The books were restored from another cluster, and no epoch was begun since."""
    waiting: int
    waiting_from: int | None
    """The lowest key of those that wait: all entries below it are sealed."""
    waiting_since: datetime | None
    """When the oldest entry that waits was recorded."""
    sealable_since: datetime | None
    """The same of those that nothing holds back."""


def chain_of(property_id: int) -> Chain:
    """Return where the property's chain stands."""
    values = {"property": property_id}
    with connection.cursor() as cursor:
        cursor.execute(CHAIN, values)
        seals, entries, head, head_hash, sealed_at, is_foreign = cursor.fetchone()
        cursor.execute(WAITING, values)
        waiting, waiting_from, waiting_since, sealable_since = cursor.fetchone()
    return Chain(
        seals=seals,
        entries=int(entries),
        head=head or 0,
        head_hash=bytes(head_hash or b""),
        sealed_at=sealed_at,
        is_foreign=is_foreign,
        waiting=waiting,
        waiting_from=waiting_from,
        waiting_since=waiting_since,
        sealable_since=sealable_since,
    )


def unsealed_properties() -> list[int]:
    """Return the properties with entries that may be sealed, or whose chain waits for an epoch."""
    with connection.cursor() as cursor:
        cursor.execute(UNSEALED)
        return [property_id for (property_id,) in cursor.fetchall()]
