"""The screen of the table between rounds: who sits where, what lies on the seats."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from casino.web.amounts import amount_text, entry_text, minor_digits
from tables.chips.selectors import tray_band
from tables.floor.guards import limits_at
from tables.floor.models import SeatOccupancy, TableSession
from tables.floor.permissions import Act, can_do
from tables.floor.selectors import list_patrons_to_seat
from tables.money.selectors import list_standing_buy_ins
from tables.rounds import guards as rounds
from tables.rounds.models import Round
from tables.rounds.selectors import last_paid_round, list_wagers_to_repeat
from tables.tablet.acts import Refused
from tables.tablet.counting import chips_of
from tables.tablet.desk import Desk
from tables.tablet.records import (
    AmountEntry,
    Band,
    Betting,
    PatronChoice,
    SeatPanel,
    SeatState,
    SeatTile,
)

FLOOR: Final = frozenset({"floor_number", "floor_pin"})


def betting(
    desk: Desk,
    round_: Round | None,
    *,
    chosen: int | None,
    given: Mapping[str, str],
    refused: Refused | None,
    at: datetime,
) -> Betting:
    """Return the table with one seat chosen: the one asked for, or the next without a wager."""
    session = desk.in_session()
    seated = {
        one.seat: one for one in session.occupancies.filter(until=None).select_related("patron")
    }
    wagers = _wagers(round_)
    if chosen is None or not 1 <= chosen <= desk.table.seats:
        chosen = _next_seat(session, seated, wagers)
    limits = round_.limits if round_ else limits_at(desk.table, at)
    last = last_paid_round(session)
    repeatable = [] if round_ else list_wagers_to_repeat(session)
    return Betting(
        round_number=round_.number if round_ else session.rounds_started + 1,
        round_id=round_.pk if round_ else None,
        revision=round_.revision if round_ else None,
        limits=_("%(least)s to %(most)s, by %(step)s")
        % {
            "least": amount_text(limits.wager_min, desk.currency),
            "most": amount_text(limits.wager_max, desk.currency),
            "step": amount_text(limits.wager_increment, desk.currency),
        },
        band=Band(tray_band(session)),
        seats=tuple(
            _tile(number, seated.get(number), wagers, chosen, desk.currency)
            for number in range(1, desk.table.seats + 1)
        ),
        panel=_panel(desk, chosen, seated, wagers, given=given, refused=refused),
        currency=desk.currency,
        repeat_total=sum(wager.amount for wager in repeatable),
        can_lock=bool(wagers),
        can_void=round_ is not None and rounds.can_void(round_, session),
        last_round=last.number if last and rounds.can_void(last, session) else None,
        has_buy_ins=list_standing_buy_ins(session).exists(),
        can_close=round_ is None,
    )


def _wagers(round_: Round | None) -> dict[int, int]:
    if round_ is None:
        return {}
    return dict(round_.wagers.filter(kind="main").values_list("seat", "amount"))


def _next_seat(
    session: TableSession, seated: Mapping[int, SeatOccupancy], wagers: Mapping[int, int]
) -> int:
    without = [seat for seat in sorted(seated) if seat not in wagers]
    empty = [seat for seat in range(1, session.table.seats + 1) if seat not in seated]
    if seated:
        return without[0] if without else min(seated)
    return empty[0]


def _tile(
    number: int,
    occupancy: SeatOccupancy | None,
    wagers: Mapping[int, int],
    chosen: int,
    currency: str,
) -> SeatTile:
    state = SeatState.EMPTY
    if occupancy is not None:
        state = SeatState.WAGERED if number in wagers else SeatState.SEATED
    return SeatTile(
        number=number,
        patron=occupancy.patron.name if occupancy else "",
        state=state,
        currency=currency,
        wager=wagers.get(number, 0),
        is_chosen=number == chosen,
    )


def _panel(
    desk: Desk,
    seat: int,
    seated: Mapping[int, SeatOccupancy],
    wagers: Mapping[int, int],
    *,
    given: Mapping[str, str],
    refused: Refused | None,
) -> SeatPanel:
    session = desk.in_session()
    occupancy = seated.get(seat)
    search = given.get("search", "")
    standing = entry_text(wagers[seat], desk.currency) if seat in wagers else ""
    errors = refused.fields if refused else {}
    asks_floor = refused is not None and bool(refused.needs_role)
    # That a signature is missing is no mistake of the dealer's: the panel just asks for it.
    floor_errors = {} if asks_floor else {name: errors[name] for name in FLOOR & errors.keys()}
    return SeatPanel(
        seat=seat,
        patron=occupancy.patron.name if occupancy else "",
        entry=AmountEntry(
            name="amount",
            label=_("Amount"),
            currency=desk.currency,
            digits=minor_digits(desk.currency),
            text=given.get("amount", standing),
            chips=chips_of(session, desk.currency),
            error=errors.get("amount", ""),
        ),
        has_wager=seat in wagers,
        can_leave=occupancy is not None and seat not in wagers,
        can_wager=occupancy is not None,
        can_buy_in=occupancy is not None and can_do(desk.actor, Act.BUY_IN),
        asks_floor=asks_floor or bool(floor_errors),
        floor_errors=floor_errors,
        patrons=()
        if occupancy
        else tuple(
            PatronChoice(id=patron.pk, name=patron.name, ref=patron.ref)
            for patron in list_patrons_to_seat(session, text=search)
        ),
        search=search,
        description=given.get("description", ""),
    )
