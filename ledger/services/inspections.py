"""That the books were examined, and what was found, is itself kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ledger.models import Inspection
from ledger.services.functions import call
from ledger.services.inputs import require_id, require_moment, require_named


def note_inspection(
    *,
    property_id: int | None,
    kind: Inspection.Kind,
    findings: Sequence[str],
    actor: str,
    at: datetime,
    upto_seal: int | None = None,
) -> None:
    """Keep what an examination found; nothing found is kept too.

    Args:
        property_id: None for the whole database.
        actor: who examined, as `str(Actor)` writes it.
        upto_seal: the newest seal that was read.
    """
    if property_id is not None:
        require_id(property_id=property_id)
    require_named(actor=actor)
    require_moment(at)
    call(
        "SELECT ledger_note_inspection(%s, %s, %s, %s, %s, %s::text[])",
        [property_id, kind.value, actor, at, upto_seal, list(findings)],
    )
