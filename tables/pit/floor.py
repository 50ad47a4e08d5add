"""The tables of one pit as they stand now, in the same few queries however many there are.

The tray, and the win that tells it, are only for who will not count it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.db.models import Count, OuterRef, Subquery, Sum
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.properties.selectors import get_percent_band
from casino.web import live
from ledger import selectors as ledger
from ledger.chart import Number
from tables.art.wording import game_title
from tables.chips.selectors import band_of
from tables.floor.models import SeatOccupancy, Table, TableSession
from tables.floor.states import LIVE, SessionState
from tables.money.models import BuyIn
from tables.pit.access import Reader
from tables.pit.clock import WallClock
from tables.pit.hold import hold_text
from tables.pit.names import Names, name_actors
from tables.pit.records import FloorRow, Level
from tables.pit.words import SESSION_LEVELS
from tables.rounds.models import Round
from tables.settlement.models import SessionTotals
from tables.settlement.services.steps import hold_bps


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What stands on the floor, read at once; each mapping is by the key of a session."""

    tables: Sequence[Table]
    sessions: Mapping[int, TableSession]
    """By the key of the table."""
    rounds: Mapping[int, Round]
    boxes: Mapping[int, int]
    patrons: Mapping[int, int]
    totals: Mapping[int, SessionTotals]
    trays: Mapping[str, int]
    """By the code of the account."""
    bands: Mapping[date, tuple[int, int]]
    own: frozenset[int]
    """The sessions whose books the reader may open."""
    names: Names


def channel_of(pit_id: int) -> str:
    """Return the channel on which the tables of a pit tell what happens."""
    return f"pit:{pit_id}"


def floor_rows(
    reader: Reader, *, pit_id: int, now: datetime, table_id: int | None = None
) -> tuple[FloorRow, ...]:
    """Return the rows of a pit, or the one of a table, and note who saw exact trays."""
    # Read before the rows are: what happens in between is told again, never lost.
    seen = live.latest_id(channel_of(pit_id))
    found = _read(reader, pit_id=pit_id, table_id=table_id)
    reader.note_sights(
        (session for session in found.sessions.values() if reader.sees_tray_of(session)), at=now
    )
    return tuple(_row(reader, found, table, seen=seen, now=now) for table in found.tables)


def _read(reader: Reader, *, pit_id: int, table_id: int | None) -> Floor:
    # The latest of each by one step of its index: a row costs the same as history grows.
    latest = TableSession.objects.filter(table=OuterRef("pk")).order_by("-number")
    tables = Table.objects.filter(property=reader.casino, pit_id=pit_id).select_related("profile")
    if table_id is not None:
        tables = tables.filter(pk=table_id)
    tables = tables.annotate(latest=Subquery(latest.values("pk")[:1])).order_by("code")
    keys = [table.latest for table in tables if table.latest]
    last = Round.objects.filter(session=OuterRef("pk")).order_by("-number", "-version")
    sessions = {
        session.table_id: session
        for session in TableSession.objects.filter(pk__in=keys)
        .select_related("opener", "profile", "table")
        .annotate(last_round=Subquery(last.values("pk")[:1]))
    }
    rounds = {
        each.session_id: each
        for each in Round.objects.filter(
            pk__in=[session.last_round for session in sessions.values()]
        ).only("session", "number", "version", "actor", "occurred_at")
    }
    bought = BuyIn.objects.filter(session__in=keys, voiding=None).values("session")
    seated = SeatOccupancy.objects.filter(session__in=keys, until=None).values("session")
    totals = SessionTotals.objects.filter(run__session__in=keys).select_related("run")
    return Floor(
        tables=list(tables),
        sessions=sessions,
        rounds=rounds,
        boxes=dict(bought.annotate(sum=Sum("amount")).values_list("session", "sum")),
        patrons=dict(seated.annotate(number=Count("pk")).values_list("session", "number")),
        totals={each.run.session_id: each for each in totals.order_by("run__version")},
        trays=ledger.balances(reader.casino.pk, Number.TRAY),
        bands={
            day: get_percent_band(reader.casino.pk, "tray_band", day=day)
            for day in {
                session.gaming_day for session in sessions.values() if session.state in LIVE
            }
        },
        own=frozenset(reader.sessions().filter(pk__in=keys).values_list("pk", flat=True)),
        names=name_actors(each.actor for each in rounds.values()),
    )


def _row(reader: Reader, found: Floor, table: Table, *, seen: str, now: datetime) -> FloorRow:
    session = found.sessions.get(table.pk)
    blank = FloorRow(
        code=table.code,
        game=game_title((session or table).profile.game),
        state=_("not opened yet"),
        level=Level.PLAIN,
        currency=reader.casino.currency,
        table_id=table.pk,
        refresh=reverse("pit:row", args=[table.pk]),
        seen=seen,
    )
    if session is None:
        return blank
    return _with_figures(
        reader, found, session, _with_last_round(reader, found, session, blank, now=now)
    )


def _with_last_round(
    reader: Reader, found: Floor, session: TableSession, row: FloorRow, *, now: datetime
) -> FloorRow:
    last = found.rounds.get(session.pk)
    clock = WallClock(reader.casino.zone)
    return replace(
        row,
        state=SessionState(session.state).label,
        level=SESSION_LEVELS[session.state],
        address=reverse("pit:session", args=[session.pk]) if session.pk in found.own else "",
        dealer=found.names.actor(last.actor) if last else "",
        round_number=last.number if last else None,
        last_at=clock.on(clock.wall_date(now), last.occurred_at) if last else "",
        patrons=found.patrons.get(session.pk, 0) if session.state in LIVE else None,
    )


def _with_figures(reader: Reader, found: Floor, session: TableSession, row: FloorRow) -> FloorRow:
    if session.state in LIVE:
        return _with_estimates(reader, found, session, row)
    totals = found.totals.get(session.pk)
    if totals is None:
        return row
    return replace(row, win=totals.estimated_win, drop=totals.drop, hold=hold_text(totals.hold_bps))


def _with_estimates(reader: Reader, found: Floor, session: TableSession, row: FloorRow) -> FloorRow:
    tray = found.trays.get(f"{Number.TRAY}/{session.table.ref}", 0)
    box = found.boxes.get(session.pk, 0)
    opener = session.opener.total if session.opener else None
    band = band_of(tray, opener=opener or 0, band=found.bands[session.gaming_day])
    row = replace(row, band=band, drop=box)
    if not reader.sees_tray_of(session):
        return row
    if opener is None:
        return replace(row, tray=tray)
    # W = C + CR + D − O − F (table-operations.md 7), with the expected tray as the closer.
    win = tray + box - opener
    return replace(row, tray=tray, win=win, hold=hold_text(hold_bps(win, box)))
