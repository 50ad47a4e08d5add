"""A round is settled: result, entry and event commit together, once.

Settling the same round again returns what stands. Nothing else posts wagers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from casino.events import services as events
from casino.properties.selectors import get_setting
from casino.staff.actors import Actor
from casino.staff.roles import Role
from casino.web.ids import public_id
from ledger.services.posting import PostedEntry, post_entry
from tables import games
from tables.errors import OccurredAtError, SeatError
from tables.floor import guards as floor_guards
from tables.floor import locks as floor_locks
from tables.floor.models import SeatOccupancy, TableSession
from tables.floor.permissions import Act, require_role
from tables.floor.services import sessions
from tables.floor.states import RecordDepth
from tables.rounds import guards, locks
from tables.rounds.models import Round, SeatOutcome, Source, Wager
from tables.rounds.postings import house_net, legs_of, places_of
from tables.rounds.services import numbering
from tables.rounds.services.betting import current_round
from tables.rounds.states import PAID, RoundState


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A settled round and the entry that has just moved its chips; none when nothing moved now."""

    round: Round
    entry: PostedEntry | None


def preview(round_: Round) -> games.Settlement:
    """Return what settling the round would say; nothing is written.

    Raises:
        InvalidStateError: something is not entered yet.
        RoundRefusedError: the rules refuse the hands or sets.
    """
    guards.require_state(round_, RoundState.REVEALED)
    return games.settle(profile=round_.profile, limits=round_.limits, record=round_.record)


def settle_round(
    *, round_id: int, actor: Actor, at: datetime, revision: int | None = None
) -> Settled:
    """Settle a round that is wholly entered and post one entry for what it moves.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        InvalidStateError: something is not entered yet, or the round is voided.
        StaleRevisionError: *revision* is not the round's.
        RoundRefusedError: the rules refuse the hands or sets.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        round_ = locks.round_(round_id)
        if round_.state in PAID:
            return Settled(round=round_, entry=None)
        floor_guards.require_revision(round_.revision, revision)
        done = preview(round_)
        # Every hand may have been entered at a table that asks for the results alone.
        round_.depth = depth_of(round_.record)
        if actor.role == Role.DEALER:
            # A relief may come between the first wager and the hands: who settles has dealt.
            round_.actor, round_.device_id = str(actor), actor.device_id
        return _settle(round_, done, patrons=_patrons(round_), actor=actor, at=at)


def record_round(
    *,
    session_id: int,
    given: Mapping[str, Any],
    source: Source,
    actor: Actor,
    occurred_at: datetime,
    at: datetime,
) -> Settled:
    """Record a whole round at once and settle it: what a card reader sends.

    Args:
        given: the `round` of rules-cli.md: bank, seats with wagers, hands or results.
        occurred_at: when it was dealt, by the sender's clock.

    Raises:
        RoleError, SegregationError: it is another role's to do.
        OccurredAtError: before the table opened, or in the future.
        DepthError: only results, at a table that records every tile or card.
        TableClosedError: the table is not open.
        InvalidStateError: the table is on another round.
        SeatError: nobody sits at a seat of the round.
        WagerRefusedError: a wager does not fit the limits.
        RoundRefusedError: the rules refuse the round; the pointer names the place.
    """
    require_role(actor, Act.ENTER_ROUND)
    with transaction.atomic():
        session = floor_locks.session(session_id)
        guards.require_open_table(session)
        guards.require_no_round(current_round(session))
        _require_moment(session, occurred_at, at=at)
        depth = depth_of(given)
        guards.require_depth(session, depth)
        round_ = numbering.start_round(session, depth=depth, source=source, actor=actor, at=at)
        round_.record = dict(given)
        round_.occurred_at = occurred_at
        done = games.settle(profile=round_.profile, limits=round_.limits, record=round_.record)
        seated = _checked_seats(session, round_)
        Wager.objects.bulk_create(
            Wager(
                round=round_,
                seat=seat["seat"],
                patron_id=seated[seat["seat"]].patron_id,
                amount=seat["wager"],
                placed_at=occurred_at,
            )
            for seat in round_.record["seats"]
        )
        patrons = {seat: occupancy.patron_id for seat, occupancy in seated.items()}
        return _settle(round_, done, patrons=patrons, actor=actor, at=at)


def depth_of(given: Mapping[str, Any]) -> RecordDepth:
    """Return how much of the round is recorded: everything, or some seat's result alone."""
    seats = given.get("seats")
    some_result = isinstance(seats, list) and any(
        isinstance(seat, Mapping) and seat.get("result") is not None for seat in seats
    )
    return RecordDepth.RESULT if some_result else RecordDepth.FULL


def _require_moment(session: TableSession, occurred_at: datetime, *, at: datetime) -> None:
    assert session.opened_at is not None
    if occurred_at > at and occurred_at > at + _clock_skew(session):
        raise OccurredAtError(_("The time lies in the future."), server_time=at.isoformat())
    if occurred_at < session.opened_at:
        raise OccurredAtError(_("The table was not open then."), server_time=at.isoformat())


def _clock_skew(session: TableSession) -> timedelta:
    seconds = get_setting(session.property_id, "max_clock_skew", day=session.gaming_day)
    assert isinstance(seconds, int)
    return timedelta(seconds=seconds)


def _checked_seats(session: TableSession, round_: Round) -> dict[int, SeatOccupancy]:
    seats = round_.record["seats"]
    for index, seat in enumerate(seats):
        pointer = f"/round/seats/{index}"
        floor_guards.require_seat(session.table, seat["seat"], pointer=f"{pointer}/seat")
        floor_guards.require_wager_within(seat["wager"], round_.limits, pointer=f"{pointer}/wager")
    seated = {occupancy.seat: occupancy for occupancy in session.occupancies.filter(until=None)}
    for index, seat in enumerate(seats):
        if seat["seat"] not in seated:
            raise SeatError(
                _("Nobody sits at seat %(seat)d.") % {"seat": seat["seat"]},
                pointer=f"/round/seats/{index}/seat",
            )
    return seated


def _patrons(round_: Round) -> dict[int, int]:
    return dict(round_.wagers.filter(kind="main").values_list("seat", "patron_id"))


def _settle(
    round_: Round,
    done: games.Settlement,
    *,
    patrons: Mapping[int, int],
    actor: Actor,
    at: datetime,
) -> Settled:
    session = round_.session
    legs = legs_of(done.transfers, places=places_of(session))
    entry = None
    if legs:
        entry = post_entry(
            property_id=round_.property_id,
            key=f"{round_.ref}:settled:{round_.version}",
            kind="round_settled",
            legs=legs,
            source=round_.ref,
            actor=str(actor),
            at=at,
            gaming_day=round_.gaming_day,
            table=session.table.ref,
            session=session.ref,
            shift=round_.segment.shift,
        )
    round_.result = done.as_dict()
    round_.house_net = house_net(done.transfers)
    round_.entry_id = entry.id if entry else None
    round_.state = RoundState.SETTLED
    round_.settled_at = at
    round_.revision += 1
    round_.save()
    wagers = {seat["seat"]: seat["wager"] for seat in round_.record["seats"]}
    SeatOutcome.objects.bulk_create(
        SeatOutcome(
            round=round_,
            seat=result.seat,
            patron_id=patrons[result.seat],
            outcome=result.outcome,
            wager=wagers[result.seat],
            covered=result.covered,
            commission=result.commission,
            net=result.net,
        )
        for result in done.seats
    )
    announce_round(round_, "round.settled", at=at)
    sessions.tell(session, "round.settled", round=round_.pk, number=round_.number)
    return Settled(round=round_, entry=entry)


def announce_round(round_: Round, topic: str, *, at: datetime) -> None:
    """Put an event of the round into the outbox, in the same transaction."""
    events.emit(
        property_id=round_.property_id,
        topic=topic,
        subject=("round", public_id("rnd", round_.pk)),
        version=round_.revision,
        data={
            "id": public_id("rnd", round_.pk),
            "table_session": public_id("ses", round_.session_id),
            "number": round_.number,
            "state": round_.state,
            "house_net": round_.house_net,
        },
        occurred_at=at,
        gaming_day=round_.gaming_day,
        key=f"{round_.ref}:{topic}:{round_.version}",
    )
