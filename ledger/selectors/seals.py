"""Which link of the chain fixes an entry."""

from __future__ import annotations

from typing import Final

from django.db import connection

# Seals ascend by epoch, and in an epoch by transaction; all entries of one transaction are under
# one seal. So the one that may hold the entry is found by halving, and then asked.
SEAL_OF: Final = """
WITH RECURSIVE its AS (
    SELECT entry.id, entry.property_id, entry.txid,
           (SELECT max(epoch) FROM ledger_epoch AS begun
            WHERE begun.property_id = entry.property_id
              AND begun.after_entry_id < entry.id) AS epoch
    FROM ledger_entry AS entry WHERE entry.id = %(entry_id)s
), search AS (
    SELECT 1::bigint AS low,
           (SELECT max(number) FROM ledger_seal WHERE property_id = its.property_id) AS high
    FROM its
    UNION ALL
    SELECT CASE WHEN known.is_before THEN middle + 1 ELSE low END,
           CASE WHEN known.is_before THEN high ELSE middle END
    FROM search CROSS JOIN its
    CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) AS half
    CROSS JOIN LATERAL (
        SELECT (SELECT (seal.epoch, seal.upto_txid) < (its.epoch, its.txid)
                FROM ledger_seal AS seal
                WHERE seal.property_id = its.property_id AND seal.number = middle) AS is_before
        OFFSET 0
    ) AS known
    WHERE low < high
)
SELECT seal.number
FROM search CROSS JOIN its
JOIN ledger_seal AS seal ON seal.property_id = its.property_id AND seal.number = search.low
WHERE search.low = search.high AND its.id = ANY (seal.entry_ids)
"""


def seal_of(entry_id: int) -> int | None:
    """Return the number of the seal that the entry is under; None while it is under none."""
    with connection.cursor() as cursor:
        cursor.execute(SEAL_OF, {"entry_id": entry_id})
        row = cursor.fetchone()
    return None if row is None else int(row[0])
