"""The end of a gaming day and of a shift: when the floor is done, two people close the books.

Source: table-operations.md 12 and 15 ("Close gaming day", SOD-08).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from casino.properties.models import Property
from casino.properties.selectors import get_gaming_day
from casino.staff.actors import Signer
from casino.staff.roles import SignerGroup
from casino.staff.services import audit
from casino.staff.services.segregation import require_other_person
from casino.staff.services.signatures import sign
from ledger.models import Period
from ledger.services import days
from tables.errors import PeriodNotReadyError
from tables.floor.models import TableSession
from tables.floor.permissions import Signing, require_signer
from tables.floor.states import LIVE, SessionState


def close_gaming_day(
    *, casino: Property, gaming_day: date, pit_boss: Signer, auditor: Signer, at: datetime
) -> bool:
    """Close a gaming day that is over: no table of it plays, every session of it is settled.

    Both sign what the day closed with. A day that is closed already stays as it is.

    Returns:
        Whether this call closed it.

    Raises:
        RoleError, SegregationError: it is another role's to sign, or one person signs twice.
        PeriodNotReadyError: something is not finished; each open item is named.
        LedgerError: the books refuse: an earlier day is open, chips are still in transit.
    """
    require_signer(pit_boss, Signing.CLOSE_BOOKS, pointer="/pit_boss")
    require_signer(auditor, Signing.SECOND_CLOSE_BOOKS, pointer="/auditor")
    require_other_person(author=pit_boss.actor, approver=auditor)
    with transaction.atomic():
        # First the books, whose lock every posting of the day waits for; then nothing can open.
        closed = days.close_day(
            property_id=casino.pk,
            gaming_day=gaming_day,
            actor=str(pit_boss.actor),
            approver=str(auditor.actor),
            at=at,
        )
        if not closed:
            return False
        _require_ready(_open_items_of_day(casino, gaming_day, at=at))
        _sign_and_note(
            casino,
            gaming_day,
            shift="",
            signers={SignerGroup.APPROVER: pit_boss, SignerGroup.REVIEWER: auditor},
            at=at,
        )
    return True


def close_shift(
    *, casino: Property, gaming_day: date, shift: str, pit_boss: Signer, at: datetime
) -> bool:
    """Close the books of one shift, once no session that began in it is open.

    Returns:
        Whether this call closed it.

    Raises:
        RoleError, SegregationError: it is another role's to sign.
        PeriodNotReadyError: something is not finished; each open item is named.
        LedgerError: the day is closed.
    """
    require_signer(pit_boss, Signing.CLOSE_BOOKS, pointer="/pit_boss")
    with transaction.atomic():
        closed = days.close_shift(
            property_id=casino.pk,
            gaming_day=gaming_day,
            shift=shift,
            actor=str(pit_boss.actor),
            at=at,
        )
        if not closed:
            return False
        _require_ready(_unsettled(_sessions(casino, gaming_day).filter(segments__shift=shift)))
        signers = {SignerGroup.APPROVER: pit_boss}
        _sign_and_note(casino, gaming_day, shift=shift, signers=signers, at=at)
    return True


def _open_items_of_day(casino: Property, gaming_day: date, *, at: datetime) -> Iterator[str]:
    ends_at = get_gaming_day(casino, gaming_day).ends_at
    if at < ends_at:
        yield _("Gaming day %(day)s is not over yet.") % {"day": gaming_day.isoformat()}
    yield from _unsettled(_sessions(casino, gaming_day))


def _sessions(casino: Property, gaming_day: date) -> QuerySet[TableSession]:
    sessions = TableSession.objects.filter(property=casino, gaming_day=gaming_day)
    return sessions.select_related("table").order_by("table__code", "pk")


def _unsettled(sessions: QuerySet[TableSession]) -> Iterator[str]:
    for session in sessions.filter(state__in=LIVE):
        # The settlement itself ends the closing of a session.
        is_counted = session.state == SessionState.CLOSING and session.closer_id is not None
        sentence = (
            _("Session %(session)d at table %(table)s is not settled.")
            if is_counted
            else _("Table %(table)s is still open.")
        )
        yield sentence % {"session": session.pk, "table": session.table.code}


def _require_ready(items: Iterator[str]) -> None:
    if found := list(items):
        raise PeriodNotReadyError(found)


def _sign_and_note(
    casino: Property,
    gaming_day: date,
    *,
    shift: str,
    signers: Mapping[SignerGroup, Signer],
    at: datetime,
) -> None:
    period = Period.objects.get(property_id=casino.pk, gaming_day=gaming_day, shift=shift)
    document = f"gaming_day:{gaming_day.isoformat()}{':' if shift else ''}{shift}"
    content: dict[str, Any] = {
        "gaming_day": gaming_day.isoformat(),
        "shift": shift,
        "totals": period.totals,
        "report_hash": period.report_hash_text,
    }
    for group, signer in signers.items():
        sign(signer=signer, document=document, group=group, content=content, at=at)
    first, *others = signers.values()
    audit.record(
        actor=first.actor,
        action="shift.closed" if shift else "gaming_day.closed",
        subject=document,
        property_id=casino.pk,
        at=at,
        after={"report_hash": content["report_hash"]},
        approver=str(others[0].actor) if others else "",
    )
