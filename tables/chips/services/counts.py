"""Counts of a tray: blind, by denomination, signed by dealer and floor.

The exact expected tray stays hidden until both have signed; otherwise people enter the expected
figure and the variance disappears.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from casino.staff.actors import Actor, Signer
from casino.staff.models import Employee, Signature
from casino.staff.roles import SignerGroup, SigningMethod
from casino.staff.services.segregation import SegregationError
from casino.staff.services.signatures import sign
from casino.web.errors import NotFoundError
from tables.chips.models import Count, CountKind, CountLine, Denomination
from tables.chips.selectors import expected_tray, latest_count
from tables.errors import CountRefusedError, InvalidStateError
from tables.floor import guards as floor_guards
from tables.floor import locks as floor_locks
from tables.floor.models import TableSession, TraySight
from tables.floor.permissions import Act, Signing, can_do, require_role, require_signer
from tables.floor.services import sessions
from tables.floor.states import SessionState

MOST_PIECES: Final = 1_000_000
STATE_FOR = {CountKind.OPENER: SessionState.OPENING, CountKind.CLOSER: SessionState.CLOSING}


def record_count(
    *, session_id: int, kind: CountKind, pieces: Mapping[int, int], dealer: Actor, at: datetime
) -> Count:
    """Record what the dealer counted, and the dealer's signature on it.

    Args:
        pieces: face value in minor units → number of pieces; what is left out is none.

    Raises:
        InvalidStateError: the table is not at a count, or was counted twice already.
        CountRefusedError: no such denomination, or not a number of pieces.
        RoleError: somebody else than a dealer counts.
        SegregationError: a program counts (SOD-09), or the dealer has seen the exact expected
            tray (SOD-14).
    """
    require_role(dealer, Act.COUNT_TRAY)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        floor_guards.require_state(session, STATE_FOR[kind])
        attempt = _next_attempt(session, kind)
        signer = _signed_in(dealer)
        _require_not_seen(session, signer.employee_id)
        lines = _lines(session, pieces)
        count = Count.objects.create(
            session=session,
            kind=kind,
            attempt=attempt,
            total=sum(denomination.value * number for denomination, number in lines),
            expected=expected_tray(session),
            counted_at=at,
            counted_by_id=signer.employee_id,
        )
        CountLine.objects.bulk_create(
            CountLine(count=count, denomination=denomination, pieces=number)
            for denomination, number in lines
        )
        sign(
            signer=signer,
            document=document_of(count),
            group=SignerGroup.DEALER,
            content=content_of(count),
            at=at,
        )
        sessions.tell(session, "count.recorded", kind=kind)
    return count


def witness_count(*, count_id: int, floor: Signer, at: datetime) -> Count:
    """Sign the count as the floor; a second signature of the same person changes nothing.

    Raises:
        NotFoundError: there is no such count.
        RoleError: the signer is no floor supervisor.
        InvalidStateError: the table is no longer at this count.
        SegregationError: the dealer signs as floor (SOD-01), or has seen the tray (SOD-14).
    """
    require_signer(floor, Signing.WITNESS_COUNT, pointer="/floor")
    with transaction.atomic():
        count = Count.objects.filter(pk=count_id).first()
        if count is None:
            raise NotFoundError(_("There is no such count."))
        session = floor_locks.session(count.session_id)
        floor_guards.require_state(session, STATE_FOR[CountKind(count.kind)])
        if is_signed(count):
            return count
        _require_not_seen(session, floor.employee_id)
        sign(
            signer=floor,
            document=document_of(count),
            group=SignerGroup.FLOOR,
            content=content_of(count),
            at=at,
        )
        sessions.tell(session, "count.signed", kind=count.kind)
    return count


def is_signed(count: Count) -> bool:
    """Tell whether dealer and floor have both signed, so that the difference may be shown."""
    groups = Signature.objects.filter(document=document_of(count)).values_list(
        "signer_group", flat=True
    )
    return {SignerGroup.DEALER, SignerGroup.FLOOR} <= set(groups)


def require_signed(session: TableSession, kind: CountKind) -> Count:
    """Return the latest count of that kind; refuse while it is missing or not signed."""
    count = latest_count(session, kind)
    if count is None or not is_signed(count):
        raise InvalidStateError(
            _("The count"), current=_("not signed"), allowed=[_("signed by dealer and floor")]
        )
    return count


def can_count(actor: Actor) -> bool:
    """Tell whether the actor counts trays: a dealer does, and the floor looks on."""
    return can_do(actor, Act.COUNT_TRAY)


def can_recount(count: Count) -> bool:
    """Tell whether the one recount is still to be had."""
    return count.attempt == 1 and is_signed(count) and count.difference != 0


def document_of(count: Count) -> str:
    """Return how signatures name the count."""
    return count.ref


def content_of(count: Count) -> dict[str, object]:
    """Return what dealer and floor sign: kind, pieces by face value, total."""
    return {
        "session": count.session_id,
        "kind": str(count.kind),
        "attempt": count.attempt,
        "total": count.total,
        "pieces": {
            str(line.denomination.value): line.pieces
            for line in count.lines.select_related("denomination")
        },
    }


def _signed_in(dealer: Actor) -> Signer:
    # The dealer signed in at this tablet with number and PIN, and counts under that sign-in.
    assert dealer.employee_id is not None, "require_role lets no program count"
    return Signer(
        employee_id=dealer.employee_id,
        number=Employee.objects.values_list("number", flat=True).get(pk=dealer.employee_id),
        role=dealer.role,
        method=SigningMethod.PIN,
        device_id=dealer.device_id,
        property_id=dealer.property_id,
    )


def _next_attempt(session: TableSession, kind: CountKind) -> int:
    earlier = latest_count(session, kind)
    if earlier is None:
        return 1
    if not can_recount(earlier):
        raise InvalidStateError(
            _("The count"), current=_("recorded"), allowed=[_("not recorded, or to be recounted")]
        )
    return 2


def _require_not_seen(session: TableSession, employee_id: int) -> None:
    if TraySight.objects.filter(session=session, employee_id=employee_id).exists():
        raise SegregationError(
            _("Who has seen the expected tray does not count it."), rule="SOD-14"
        )


def _lines(session: TableSession, pieces: Mapping[int, int]) -> list[tuple[Denomination, int]]:
    known = {
        denomination.value: denomination
        for denomination in session.chip_set.denominations.filter(in_use=True)
    }
    lines = []
    for value, number in sorted(pieces.items()):
        pointer = f"/pieces/{value}"
        if value not in known:
            raise CountRefusedError(_("This chip set has no such denomination."), pointer=pointer)
        if type(number) is not int or not 0 <= number <= MOST_PIECES:
            raise CountRefusedError(_("Give a number of pieces."), pointer=pointer)
        if number:
            lines.append((known[value], number))
    return lines
