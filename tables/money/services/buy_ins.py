"""Cash buy-ins: currency into the box, chips out of the tray, one entry each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from casino.events import services as events
from casino.properties.selectors import get_amount
from casino.staff.actors import Actor, Signer
from casino.staff.roles import SignerGroup
from casino.staff.services import audit
from casino.staff.services.segregation import SegregationError, require_other_person
from casino.staff.services.signatures import sign
from casino.web.errors import NotFoundError
from casino.web.ids import public_id
from ledger.services.posting import post_entry
from ledger.services.reversal import reverse_entry
from ledger.services.templates import EventKind, Places, pair
from tables.errors import ApprovalRequiredError, InvalidStateError
from tables.floor import guards as floor_guards
from tables.floor import locks as floor_locks
from tables.floor.models import Segment, TableSession
from tables.floor.permissions import Act, Signing, require_role, require_signer
from tables.floor.services import sessions
from tables.floor.states import SessionState
from tables.money.models import BuyIn, BuyInVoid


def buy_in_cash(
    *,
    session_id: int,
    seat: int,
    amount: int,
    key: str,
    actor: Actor,
    at: datetime,
    verifier: Signer | None = None,
) -> BuyIn:
    """Book a cash buy-in of the patron at *seat*, in minor units.

    Args:
        key: the event's own key at this table; the same buy-in twice is one buy-in.
        verifier: the floor supervisor, needed above `verify_buyin_over`.

    Raises:
        RoleError, SegregationError: it is another role's to do or to verify, or one person
            does both (SOD-01, SOD-13).
        KeyReusedError: the key stands for another buy-in.
        InvalidStateError: the table is not open.
        SeatError: nobody sits there.
        AmountError: not a positive whole number.
        ApprovalRequiredError: the floor has to verify the amount.
    """
    _require_who_may_take(actor, verifier)
    floor_guards.require_amount(amount)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        floor_guards.require_seat(session.table, seat)
        # Before what may have changed since: a repeat answers as the first did, though the
        # table has closed meanwhile. What is refused below takes the entry back with it.
        segment = _segment(session)
        entry = post_entry(
            property_id=session.property_id,
            key=f"{session.ref}:buy_in:{key}",
            kind=EventKind.CASH_BUY_IN,
            legs=pair(EventKind.CASH_BUY_IN, amount, places=_places(session)),
            source=f"{session.ref}:seat:{seat}",
            actor=str(actor),
            approver=str(verifier.actor) if verifier else "",
            at=at,
            gaming_day=session.gaming_day,
            table=session.table.ref,
            session=session.ref,
            shift=segment.shift,
        )
        if entry.replayed:
            return BuyIn.objects.get(entry_id=entry.id)
        floor_guards.require_state(session, SessionState.OPEN)
        seated = floor_guards.require_occupied(session, [seat])[seat]
        if needs_verification(session, amount) and verifier is None:
            raise ApprovalRequiredError(role="floor supervisor", pointer="/verifier")
        buy_in = BuyIn.objects.create(
            property_id=session.property_id,
            session=session,
            segment=segment,
            seat=seat,
            patron_id=seated.patron_id,
            amount=amount,
            occurred_at=at,
            recorded_at=at,
            gaming_day=session.gaming_day,
            actor=str(actor),
            verified_by_id=verifier.employee_id if verifier else None,
            entry_id=entry.id,
        )
        if verifier is not None:
            _sign(
                buy_in,
                verifier,
                content={"session": session.pk, "seat": seat, "amount": amount},
                at=at,
            )
        _announce(buy_in, "buy_in.recorded", version=1, at=at)
        sessions.tell(session, "buy_in.recorded", seat=seat)
    return buy_in


def void_buy_in(
    *, buy_in_id: int, reason: str, proposer: Actor, floor: Signer, at: datetime
) -> BuyInVoid:
    """Take back a buy-in that was entered wrongly, whole, while the table is open.

    Raises:
        NotFoundError: there is no such buy-in.
        RoleError: it is another role's to propose or to sign.
        InvalidStateError: it is voided already, or the table is no longer open.
        ReasonRequiredError: no reason, or more than a few words.
        SegregationError: who took it or takes it back signs that alone (SOD-01, SOD-13).
    """
    reason = floor_guards.require_reason(reason)
    require_role(proposer, Act.PROPOSE_VOID)
    require_signer(floor, Signing.VOID, pointer="/floor")
    require_other_person(author=proposer, approver=floor)
    with transaction.atomic():
        buy_in = BuyIn.objects.select_related("segment").filter(pk=buy_in_id).first()
        if buy_in is None:
            raise NotFoundError(_("There is no such buy-in."))
        session = floor_locks.session(buy_in.session_id)
        _require_can_be_taken_back(buy_in, session, floor)
        _sign(buy_in, floor, content={"buy_in": buy_in.pk, "reason": reason}, at=at)
        voiding = _take_back(buy_in, reason=reason, proposer=proposer, floor=floor, at=at)
        _announce(buy_in, "buy_in.voided", version=2, at=at)
        sessions.tell(session, "buy_in.voided", seat=buy_in.seat)
    return voiding


def needs_verification(session: TableSession, amount: int) -> bool:
    """Tell whether the floor has to verify a buy-in of that amount."""
    limit = get_amount(session.property_id, "verify_buyin_over", day=session.gaming_day)
    return limit is not None and amount > limit


def _require_who_may_take(actor: Actor, verifier: Signer | None) -> None:
    require_role(actor, Act.BUY_IN)
    if verifier is not None:
        require_signer(verifier, Signing.VERIFY_BUY_IN, pointer="/verifier")
        require_other_person(author=actor, approver=verifier)


def _require_can_be_taken_back(buy_in: BuyIn, session: TableSession, floor: Signer) -> None:
    if str(floor.actor) == buy_in.actor:
        raise SegregationError(_("Who took a buy-in does not approve its return."), rule="SOD-13")
    floor_guards.require_state(session, SessionState.OPEN)
    if BuyInVoid.objects.filter(buy_in=buy_in).exists():
        raise InvalidStateError(_("The buy-in"), current=_("voided"), allowed=[_("recorded")])


def _take_back(
    buy_in: BuyIn, *, reason: str, proposer: Actor, floor: Signer, at: datetime
) -> BuyInVoid:
    entry = reverse_entry(
        property_id=buy_in.property_id,
        entry_id=buy_in.entry_id,
        key=f"{buy_in.ref}:voided",
        actor=str(proposer),
        approver=str(floor.actor),
        at=at,
        gaming_day=buy_in.gaming_day,
        shift=buy_in.segment.shift,
        reason=reason,
    )
    audit.record(
        actor=proposer,
        action="buy_in.voided",
        subject=buy_in.ref,
        property_id=buy_in.property_id,
        at=at,
        after={"amount": buy_in.amount},
        reason=reason,
        approver=str(floor.actor),
    )
    return BuyInVoid.objects.create(
        buy_in=buy_in,
        reason=reason,
        proposed_by=str(proposer),
        floor_id=floor.employee_id,
        voided_at=at,
        entry_id=entry.id,
    )


def _sign(buy_in: BuyIn, signer: Signer, *, content: Mapping[str, object], at: datetime) -> None:
    # One group for taking and for taking back: the same supervisor may sign both.
    sign(signer=signer, document=buy_in.ref, group=SignerGroup.FLOOR, content=content, at=at)


def _segment(session: TableSession) -> Segment:
    found = session.segments.order_by("-number").first()
    if found is None:
        floor_guards.require_state(session, SessionState.OPEN)
    assert found is not None, "an open table has a segment"
    return found


def _places(session: TableSession) -> Places:
    return Places(table=session.table_id, session=session.pk)


def _announce(buy_in: BuyIn, topic: str, *, version: int, at: datetime) -> None:
    events.emit(
        property_id=buy_in.property_id,
        topic=topic,
        subject=("buy_in", public_id("buy", buy_in.pk)),
        version=version,
        # Ids only: an event about a patron's money is read again under its own scope.
        data={
            "id": public_id("buy", buy_in.pk),
            "table_session": public_id("ses", buy_in.session_id),
        },
        occurred_at=at,
        gaming_day=buy_in.gaming_day,
        key=f"{buy_in.ref}:{topic}",
    )
