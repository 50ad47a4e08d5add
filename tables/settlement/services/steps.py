"""The steps of a settlement, in order, each idempotent (table-operations.md 16.1).

A step gets the locked session and the run; what it writes commits together with the row that
says it is done. Totals are derived from events each time, never incremented. Steps that belong
to ratings, compliance, reports and the drop join this list when those are built.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from casino.staff.actors import system_actor
from ledger.services.posting import post_entry
from ledger.services.templates import EventKind, Places, pair
from tables.chips.selectors import expected_tray
from tables.chips.services.variances import raise_variance
from tables.errors import InvalidStateError
from tables.floor import guards as floor_guards
from tables.floor.models import TableSession
from tables.floor.services import sessions
from tables.floor.states import SessionState
from tables.settlement import figures
from tables.settlement.checklist import open_items
from tables.settlement.errors import BooksDisagreeError
from tables.settlement.models import (
    RunState,
    SessionTotals,
    SettlementException,
    SettlementRun,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a step works on: the session, locked, and the run that it belongs to."""

    session: TableSession
    run: SettlementRun
    at: datetime

    @property
    def totals(self) -> SessionTotals:
        """Return the totals that step S2 began."""
        return SessionTotals.objects.get(run=self.run)


def check_state(work: Work) -> None:
    """S0: go on only with the version that was asked for, of a session that is closing."""
    floor_guards.require_state(work.session, SessionState.CLOSING)
    if work.session.settlement_version != work.run.version:
        raise InvalidStateError(
            str(work.run),
            current=f"version {work.run.version}",
            allowed=[f"version {work.session.settlement_version}"],
        )


def check_completeness(work: Work) -> None:
    """S1: note whatever of the closing checklist is open after all."""
    for sentence in open_items(work.session):
        SettlementException.objects.get_or_create(
            run=work.run, code="checklist_open", detail=sentence
        )


def compare_tray(work: Work) -> None:
    """S2: compute the expected tray E from events, hold it against the books, compare with C."""
    session = work.session
    assert session.opener is not None
    assert session.closer is not None
    hands = figures.hands_of(session)
    box = figures.box_recorded(session)
    expected = session.opener.total - box + hands.main_net + hands.side_net + hands.commission
    booked = expected_tray(session)
    if expected != booked:
        raise BooksDisagreeError("expected tray", by_events=expected, by_ledger=booked)
    SessionTotals.objects.create(
        run=work.run,
        opener=session.opener.total,
        closer=session.closer.total,
        fills=0,
        credits=0,
        box_recorded=box,
        expected_tray=expected,
        chip_variance=session.closer.total - expected,
    )


def post_variance(work: Work) -> None:
    """S3: bring the tray account to what was counted, and tell of much; equal posts nothing."""
    variance = work.totals.chip_variance
    if not variance:
        return
    session = work.session
    assert session.closer is not None
    actor = system_actor(name="settlement", property_id=session.property_id)
    kind = EventKind.COUNT_ABOVE_EXPECTED if variance > 0 else EventKind.COUNT_BELOW_EXPECTED
    post_entry(
        property_id=session.property_id,
        key=f"{session.ref}:chip_variance:{work.run.version}",
        kind=kind,
        legs=pair(kind, abs(variance), places=Places(table=session.table_id, session=session.pk)),
        source=session.closer.ref,
        actor=str(actor),
        at=work.at,
        gaming_day=session.gaming_day,
        table=session.table.ref,
        session=session.ref,
        shift=session.segments.order_by("-number")[0].shift,
    )
    raise_variance(count=session.closer, difference=variance, actor=actor, at=work.at)


def sum_hands(work: Work) -> None:
    """S4: handle, rounds and nets of the hand log, also by seat and by dealer."""
    hands = figures.hands_of(work.session)
    SessionTotals.objects.filter(run=work.run).update(
        main_net=hands.main_net,
        side_net=hands.side_net,
        money_plays=0,
        commission=hands.commission,
        handle=hands.handle,
        rounds=hands.rounds,
        by_seat=list(hands.by_seat),
        by_dealer=list(hands.by_dealer),
    )


def check_commission(work: Work) -> None:
    """S5: no commission of the session is owed any more; what is, a person must decide on."""
    hands = figures.hands_of(work.session)
    booked = figures.commission_booked(work.session)
    if hands.commission != booked:
        raise BooksDisagreeError("commission", by_events=hands.commission, by_ledger=booked)


def estimate_win(work: Work) -> None:
    """S6: win by the formula of section 7 with recorded box contents, proved against the ledger."""
    totals = work.totals
    drop = totals.box_recorded
    win = totals.closer + totals.credits + drop - totals.opener - totals.fills
    by_hands = (
        (totals.main_net or 0)
        + (totals.side_net or 0)
        + (totals.money_plays or 0)
        + (totals.commission or 0)
        + totals.chip_variance
    )
    if win != by_hands:
        raise BooksDisagreeError("win by rounds", by_events=by_hands, by_ledger=win)
    revenue = figures.revenue(work.session)
    if win != revenue:
        raise BooksDisagreeError("win by formula", by_events=win, by_ledger=revenue)
    SessionTotals.objects.filter(run=work.run).update(
        estimated_win=win, drop=drop, hold_bps=hold_bps(win, drop)
    )


def close_provisionally(work: Work) -> None:
    """S10: the session is closed, provisionally, until its drop is counted."""
    session = work.session
    session.closed_at = work.at
    sessions.move(session, SessionState.CLOSED_PROVISIONAL)
    session.occupancies.filter(until=None).update(until=work.at)
    totals = work.totals
    sessions.announce(
        session,
        "table_session.closed_provisional",
        data={
            "opener": totals.opener,
            "closer": totals.closer,
            "estimated_win": totals.estimated_win,
            "drop": totals.drop,
            "chip_variance": totals.chip_variance,
        },
        at=work.at,
    )
    sessions.tell(session, "table_session.closed_provisional")
    work.run.state = RunState.DONE
    work.run.finished_at = work.at
    work.run.failure = ""
    work.run.save(update_fields=["state", "finished_at", "failure"])


def hold_bps(win: int, drop: int) -> int | None:
    """Return win over statistical drop in hundredths of a percent, rounded half away from zero."""
    if drop == 0:
        return None
    quotient, rest = divmod(abs(win) * 10_000, drop)
    rounded = quotient + (1 if rest * 2 >= drop else 0)
    return rounded if win >= 0 else -rounded


STEPS: Final[tuple[tuple[str, Callable[[Work], None]], ...]] = (
    ("S0", check_state),
    ("S1", check_completeness),
    ("S2", compare_tray),
    ("S3", post_variance),
    ("S4", sum_hands),
    ("S5", check_commission),
    ("S6", estimate_win),
    ("S10", close_provisionally),
)
