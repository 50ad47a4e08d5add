"""The audit trail: a row commits with the change it tells of, or neither does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from casino.staff.actors import Actor
from casino.staff.models import AuditRow


def record(
    *,
    actor: Actor,
    action: str,
    subject: str,
    property_id: int,
    at: datetime,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
    approver: str = "",
) -> AuditRow:
    """Write down that *actor* did *action* (`round.voided`) to *subject* (`round:812`).

    Args:
        before: what it was, as JSON; None where nothing was.
        after: what it became, as JSON; None where nothing is.
        approver: the actor string of a second person.
    """
    assert actor.property_id == property_id, "an actor acts in one property"
    return AuditRow.objects.create(
        property_id=property_id,
        actor=str(actor),
        role=actor.role,
        device_id=actor.device_id,
        action=action,
        subject=subject,
        at=at,
        before=before,
        after=after,
        reason=reason,
        approver=approver,
    )
