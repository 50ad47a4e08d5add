"""Which screen a table shows: its state decides, and a person may look aside to another view.

A screen is a template and one plain record, so no template can reach the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.formats import time_format
from django.utils.timezone import localtime

from tables.chips.models import CountKind
from tables.chips.selectors import latest_count
from tables.chips.services.counts import can_recount, is_signed
from tables.errors import RoundRefusedError
from tables.floor.states import RecordDepth, SessionState
from tables.money.selectors import list_standing_buy_ins
from tables.rounds import guards as rounds
from tables.rounds.models import Round
from tables.rounds.selectors import last_paid_round
from tables.rounds.services.betting import current_round
from tables.rounds.services.voiding import needs_pit_boss
from tables.rounds.states import PAID, RoundState
from tables.settlement.checklist import open_items
from tables.settlement.models import RunState
from tables.tablet import betting, counting, dealing
from tables.tablet.acts import Refused
from tables.tablet.desk import Desk
from tables.tablet.records import BuyInChoice, BuyIns, Closing, Settling, Voiding

COUNTED_IN: Final = {
    SessionState.OPENING: CountKind.OPENER,
    SessionState.CLOSING: CountKind.CLOSER,
}


class View(StrEnum):
    """Where a person looks aside from what the state shows."""

    STATE = ""
    RECOUNT = "recount"
    HANDS = "hands"
    VOID = "void"
    BUY_INS = "buy-ins"
    CLOSE = "close"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the address or the refused form asks to see."""

    view: View = View.STATE
    seat: int | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    """What was typed: kept in its fields after a refusal."""
    refused: Refused | None = None

    @property
    def errors(self) -> Mapping[str, str]:
        """Return the sentences that stand beside fields."""
        return self.refused.fields if self.refused else {}

    @property
    def key(self) -> str:
        """Return the key of an act that may have been done: pressed again, it counts once."""
        return self.given["key"] if self.refused and self.refused.is_undecided else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """A template of `screens/` and the record that it draws as `at`."""

    template: str
    at: object
    notice: str = ""


def screen_of(desk: Desk, asked: Asked, *, at: datetime) -> Screen:
    """Return the screen for the state of the table; a view that has no place now is not shown."""
    session = desk.session
    if session is None:
        return Screen(template="closed", at=counting.closed(desk))
    match session.state:
        case SessionState.OPENING | SessionState.CLOSING:
            return _counting(desk, asked)
        case SessionState.OPEN:
            return _open(desk, asked, at=at)
        case _:
            return Screen(template="closed", at=counting.closed(desk))


def _counting(desk: Desk, asked: Asked) -> Screen:
    session = desk.in_session()
    run = session.runs.filter(version=session.settlement_version).first()
    if run is not None:
        failure = run.failure if run.state == RunState.FAILED else ""
        return Screen(template="settling", at=Settling(failure=failure))
    kind = COUNTED_IN[SessionState(session.state)]
    count = latest_count(session, kind)
    if count is None or (asked.view is View.RECOUNT and can_recount(count)):
        record = counting.counting(desk, kind, given=asked.given, errors=asked.errors)
        return Screen(template="count", at=record)
    if not is_signed(count):
        return Screen(template="witness", at=counting.counted(desk, count))
    return Screen(template="compare", at=counting.compared(desk, count))


def _open(desk: Desk, asked: Asked, *, at: datetime) -> Screen:
    session = desk.in_session()
    current = current_round(session)
    aside = _aside(desk, current, asked, at=at)
    if aside is not None:
        return aside
    if current is not None and current.state != RoundState.BETTING:
        return _dealt(desk, current, asked)
    last = last_paid_round(session)
    if current is None and last is not None and last.state == RoundState.SETTLED:
        return Screen(template="paid", at=dealing.paying(desk, last))
    record = betting.betting(
        desk,
        current,
        chosen=asked.seat,
        given=asked.given,
        refused=asked.refused,
        at=at,
    )
    return Screen(template="betting", at=record)


def _aside(desk: Desk, current: Round | None, asked: Asked, *, at: datetime) -> Screen | None:
    session = desk.in_session()
    if asked.view is View.VOID:
        round_ = current or last_paid_round(session)
        if round_ is not None and rounds.can_void(round_, session):
            return Screen(template="void", at=_voiding(round_, at=at))
    if asked.view is View.BUY_INS:
        return Screen(template="buy_ins", at=_buy_ins(desk))
    if asked.view is View.CLOSE:
        return Screen(template="close", at=Closing(open_items=tuple(open_items(session))))
    return None


def _dealt(desk: Desk, round_: Round, asked: Asked) -> Screen:
    notice = ""
    if round_.state == RoundState.REVEALED and asked.view is not View.HANDS:
        try:
            return Screen(template="settle", at=dealing.paying(desk, round_))
        except RoundRefusedError as refusal:
            notice = refusal.detail
    if round_.depth == RecordDepth.RESULT:
        return Screen(template="results", at=dealing.outcomes(desk, round_), notice=notice)
    record = dealing.dealing(desk, round_, given=asked.given, errors=asked.errors)
    return Screen(template="hands", at=record, notice=notice)


def _voiding(round_: Round, *, at: datetime) -> Voiding:
    is_paid = round_.state in PAID
    return Voiding(
        round_number=round_.number,
        round_id=round_.pk,
        revision=round_.revision,
        is_paid=is_paid,
        needs_pit_boss=is_paid and needs_pit_boss(round_, at=at),
    )


def _buy_ins(desk: Desk) -> BuyIns:
    zone = desk.casino.time_zone
    return BuyIns(
        currency=desk.currency,
        buy_ins=tuple(
            BuyInChoice(
                id=buy_in.pk,
                seat=buy_in.seat,
                patron=buy_in.patron.name,
                amount=buy_in.amount,
                at=time_format(localtime(buy_in.occurred_at, ZoneInfo(zone)), "H:i"),
            )
            for buy_in in list_standing_buy_ins(desk.in_session())
        ),
    )
