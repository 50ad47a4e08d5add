"""A counted tray that is off by more than the house lets pass is told of, once for each count.

Whether it is posted does not depend on that: every difference is (4905 and 4900).
"""

from __future__ import annotations

from datetime import datetime

from casino.events import services as events
from casino.staff.actors import Actor
from casino.staff.services import audit
from casino.web.ids import public_id
from tables.chips.models import Count
from tables.chips.selectors import what_is_due
from tables.floor.services import sessions

TOPIC = "variance.raised"


def raise_variance(*, count: Count, difference: int, actor: Actor, at: datetime) -> None:
    """Write the event and the audit row of a *difference* that is above the alert amount.

    Must be called once, in the transaction that opens or closes the table on *count*. A
    difference within the alert amount, or none, writes nothing.

    Args:
        difference: counted less expected, in minor units.
    """
    due = what_is_due(count, difference)
    if not due.alert:
        return
    session = count.session
    data = {
        "id": public_id("cnt", count.pk),
        "table_session": public_id("ses", session.pk),
        "table": session.table.code,
        "kind": count.kind,
        "difference": difference,
        "written_report_due": due.written_report,
        "regulator_copy_due": due.regulator_copy,
    }
    events.emit(
        property_id=session.property_id,
        topic=TOPIC,
        subject=("count", public_id("cnt", count.pk)),
        version=count.attempt,
        data=data,
        occurred_at=at,
        gaming_day=session.gaming_day,
        key=f"{count.ref}:{TOPIC}",
    )
    audit.record(
        actor=actor,
        action=TOPIC,
        subject=count.ref,
        property_id=session.property_id,
        at=at,
        after=data,
    )
    sessions.tell(session, TOPIC, kind=count.kind)
