"""A round is voided: every leg of its entry is taken back by a reversal, with approval.

Until its session closes; afterwards only a correction that moves no chips is possible.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from casino.properties.selectors import get_amount
from casino.staff.actors import Actor, Signer
from casino.staff.roles import SignerGroup
from casino.staff.services import audit
from casino.staff.services.segregation import SegregationError, require_other_person
from casino.staff.services.signatures import sign
from casino.web.errors import NotFoundError
from ledger.services.reversal import reverse_entry
from tables.errors import ApprovalRequiredError
from tables.floor import guards as floor_guards
from tables.floor import locks as floor_locks
from tables.floor.permissions import Act, Signing, require_role, require_signer
from tables.floor.services import sessions
from tables.floor.states import SessionState
from tables.rounds import guards, locks
from tables.rounds.models import Round, RoundVoid, VoidKind
from tables.rounds.services.settling import announce_round
from tables.rounds.states import PAID, UNFINISHED, RoundState


def void_round(
    *,
    round_id: int,
    reason: str,
    proposer: Actor,
    floor: Signer,
    pit_boss: Signer | None = None,
    at: datetime,
    revision: int | None = None,
) -> RoundVoid:
    """Void a round; wagers go back, and chips that were paid are taken back.

    Args:
        proposer: usually the dealer of the round.
        floor: the floor supervisor who signs.
        pit_boss: signs too where more than `void_pit_boss_over` (minor units) had moved.

    Raises:
        NotFoundError: there is no such round.
        RoleError: it is another role's to propose or to sign.
        InvalidStateError: the round is voided already, or the table is no longer open.
        ReasonRequiredError: no reason, or more than a few words.
        ApprovalRequiredError: the pit boss has to sign.
        SegregationError: the dealer of the round signs its void (SOD-03), or one person twice.
    """
    reason = floor_guards.require_reason(reason)
    require_role(proposer, Act.PROPOSE_VOID)
    require_signer(floor, Signing.VOID, pointer="/floor")
    if pit_boss is not None:
        require_signer(pit_boss, Signing.APPROVE_VOID, pointer="/pit_boss")
    with transaction.atomic():
        session = floor_locks.session(_session_of(round_id))
        round_ = locks.round_(round_id)
        floor_guards.require_revision(round_.revision, revision)
        guards.require_state(round_, *sorted(UNFINISHED | PAID))
        floor_guards.require_state(session, SessionState.OPEN)
        _require_approval(round_, proposer=proposer, floor=floor, pit_boss=pit_boss, at=at)
        voiding = _write(
            round_,
            reason=reason,
            proposer=proposer,
            floor=floor,
            pit_boss=pit_boss,
            at=at,
        )
        sessions.tell(session, "round.voided", round=round_.pk, number=round_.number)
    return voiding


def chips_moved(round_: Round) -> int:
    """Return how much the round moved in all, in minor units: what a void takes back."""
    return sum(abs(net) for net in round_.outcomes.values_list("net", flat=True))


def needs_pit_boss(round_: Round, *, at: datetime) -> bool:
    """Tell whether voiding the round takes the pit boss's signature."""
    limit = get_amount(round_.property_id, "void_pit_boss_over", day=round_.gaming_day)
    return limit is not None and chips_moved(round_) > limit


def _session_of(round_id: int) -> int:
    # Sessions come before rounds in the order of locks, so the round is asked before it is held.
    found = Round.objects.values_list("session_id", flat=True).filter(pk=round_id).first()
    if found is None:
        raise NotFoundError(_("There is no such round."))
    return found


def _require_approval(
    round_: Round, *, proposer: Actor, floor: Signer, pit_boss: Signer | None, at: datetime
) -> None:
    signers = [floor] if pit_boss is None else [floor, pit_boss]
    if any(str(signer.actor) == round_.actor for signer in signers):
        raise SegregationError(_("Who dealt a round does not approve its void."), rule="SOD-03")
    for signer in signers:
        require_other_person(author=proposer, approver=signer)
    if needs_pit_boss(round_, at=at) and pit_boss is None:
        raise ApprovalRequiredError(role="pit boss", pointer="/pit_boss")


def _write(
    round_: Round,
    *,
    reason: str,
    proposer: Actor,
    floor: Signer,
    pit_boss: Signer | None,
    at: datetime,
) -> RoundVoid:
    content = {"round": round_.ref, "reason": reason, "house_net": round_.house_net}
    sign(signer=floor, document=round_.ref, group=SignerGroup.FLOOR, content=content, at=at)
    if pit_boss is not None:
        sign(
            signer=pit_boss, document=round_.ref, group=SignerGroup.APPROVER, content=content, at=at
        )
    entry = None
    if round_.entry_id is not None:
        entry = reverse_entry(
            property_id=round_.property_id,
            entry_id=round_.entry_id,
            key=f"{round_.ref}:voided:{round_.version}",
            actor=str(proposer),
            approver=str((pit_boss or floor).actor),
            at=at,
            gaming_day=round_.gaming_day,
            shift=round_.segment.shift,
            reason=reason,
        )
    paid = round_.state in PAID
    round_.state = RoundState.VOIDED
    round_.revision += 1
    round_.save(update_fields=["state", "revision"])
    voiding = RoundVoid.objects.create(
        round=round_,
        kind=VoidKind.AFTER_PAYMENT if paid else VoidKind.BEFORE_PAYMENT,
        reason=reason,
        proposed_by=str(proposer),
        floor_id=floor.employee_id,
        pit_boss_id=pit_boss.employee_id if pit_boss else None,
        voided_at=at,
        entry_id=entry.id if entry else None,
    )
    audit.record(
        actor=proposer,
        action="round.voided",
        subject=round_.ref,
        property_id=round_.property_id,
        at=at,
        after=content,
        reason=reason,
        approver=str((pit_boss or floor).actor),
    )
    announce_round(round_, "round.voided", at=at)
    return voiding
