"""One session with everything that made its figures, and the list of past ones.

Figures come from the services that settle: the same sums stand in the totals and on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Count as CountRows
from django.db.models import Sum
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.staff.models import Signature
from casino.staff.roles import Role, SignerGroup, SigningMethod
from casino.staff.services.signatures import is_intact
from ledger import selectors as ledger
from ledger.selectors import EntryRow
from tables.art.records import Words
from tables.art.wording import game_title
from tables.chips.models import Count
from tables.chips.selectors import expected_tray, what_is_due
from tables.chips.services.counts import content_of, document_of
from tables.floor.models import TableSession
from tables.floor.states import RecordDepth, SessionState
from tables.money.models import BuyIn
from tables.pit.access import Reader
from tables.pit.clock import WallClock
from tables.pit.entries import entry_views, trays_told
from tables.pit.hold import hold_text
from tables.pit.names import count_title, name_actors, round_title, session_title
from tables.pit.paging import Page
from tables.pit.records import (
    BuyInRow,
    CountView,
    DenominationRow,
    FigureRow,
    Level,
    Proof,
    RoundRow,
    SessionRow,
    SessionView,
    SettlementView,
    SignatureRow,
    StepRow,
)
from tables.pit.words import ROUND_LEVELS, SESSION_LEVELS, SETTLEMENT_STEPS, due_words
from tables.rounds.models import Round, Wager
from tables.rounds.states import RoundState
from tables.settlement import figures
from tables.settlement.models import RunState, SessionTotals, SettlementRun
from tables.settlement.services.steps import hold_bps

PER_PAGE = 25
SIGNERS_OF_A_COUNT = frozenset({SignerGroup.DEALER, SignerGroup.FLOOR})
RUN_LEVELS = {
    RunState.RUNNING: Level.NEUTRAL,
    RunState.DONE: Level.GOOD,
    RunState.FAILED: Level.BAD,
}


def session_view(
    reader: Reader,
    session: TableSession,
    *,
    rounds: Page[Round],
    entries: Page[EntryRow],
) -> SessionView:
    """Return all of one session, with one page of its rounds and one of its entries."""
    sees_tray = reader.sees_tray_of(session)
    booked = ledger.details(entries.rows)
    run = session.runs.order_by("-version").first()
    totals = SessionTotals.objects.filter(run=run).first() if run else None
    sums = _sums(session, totals, sees_tray=sees_tray)
    counts = list(session.counts.select_related("counted_by").order_by("counted_at", "pk"))
    return SessionView(
        title=session_title(session.table.code, session.number),
        state=SessionState(session.state).label,
        level=SESSION_LEVELS[session.state],
        address=reverse("pit:session", args=[session.pk]),
        table_id=session.table_id,
        currency=reader.casino.currency,
        facts=_facts(reader, session),
        counts=_counts(reader, session, counts),
        denominations=_denominations(session, counts),
        figures=figure_rows(sums),
        figures_note=_note(sums),
        proof=_proof(session, sums),
        settlement=_settlement(reader, run) if run else None,
        rounds=_rounds(reader, rounds.rows),
        more_rounds=rounds.more,
        entries=entry_views(reader, booked, told=trays_told(reader, booked)),
        more_entries=entries.more,
        buy_ins=_buy_ins(reader, session),
    )


def read_rounds(session: TableSession, after: int | None, limit: int) -> list[Round]:
    """Return rounds of the session, the newest first, before the round *after*."""
    rounds = session.rounds.order_by("-pk")
    return list((rounds.filter(pk__lt=after) if after else rounds)[:limit])


def read_sessions(
    reader: Reader, *, day: date | None, after: int | None, limit: int
) -> list[TableSession]:
    """Return sessions that this reader may open, the newest first, before the session *after*."""
    sessions = reader.sessions().order_by("-pk")
    if day is not None:
        sessions = sessions.filter(gaming_day=day)
    return list((sessions.filter(pk__lt=after) if after else sessions)[:limit])


def session_rows(reader: Reader, sessions: Sequence[TableSession]) -> tuple[SessionRow, ...]:
    """Return rows of the list of sessions."""
    found = SessionTotals.objects.filter(run__session__in=sessions).select_related("run")
    totals = {each.run.session_id: each for each in found.order_by("run__version")}
    clock = WallClock(reader.casino.zone)
    rows = (
        SessionRow(
            address=reverse("pit:session", args=[session.pk]),
            title=session_title(session.table.code, session.number),
            gaming_day=session.gaming_day.isoformat(),
            game=game_title(session.profile.game),
            state=SessionState(session.state).label,
            level=SESSION_LEVELS[session.state],
            opened_at=clock.on(session.gaming_day, session.opened_at),
            closed_at=clock.on(session.gaming_day, session.closed_at),
            rounds=session.rounds_started,
        )
        for session in sessions
    )
    return tuple(
        _with_totals(row, totals.get(session.pk))
        for row, session in zip(rows, sessions, strict=True)
    )


def _with_totals(row: SessionRow, totals: SessionTotals | None) -> SessionRow:
    if totals is None:
        return row
    return replace(
        row,
        drop=totals.drop,
        win=totals.estimated_win,
        hold=hold_text(totals.hold_bps) if totals.drop is not None else "",
        variance=totals.chip_variance,
    )


# --- the figures of table-operations.md 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """The symbols of section 7 in minor units; None where a figure is not there yet."""

    opener: int | None
    closer: int | None
    """Counted; None until the session is settled."""
    tray: int | None
    """E; None also for whoever may not know it."""
    is_tray_hidden: bool
    box: int
    hands: figures.Hands

    @property
    def variance(self) -> int | None:
        """Return V; a tray that is not counted yet has none."""
        if self.closer is None or self.tray is None:
            return None
        return self.closer - self.tray

    @property
    def win(self) -> int | None:
        """Return W, with the tray's estimate as the closer until there is one."""
        closing = self.closer if self.closer is not None else self.tray
        if closing is None or self.opener is None:
            return None
        return closing + self.box - self.opener


def _sums(session: TableSession, totals: SessionTotals | None, *, sees_tray: bool) -> Sums:
    if totals is not None:
        tray: int | None = totals.expected_tray
    else:
        tray = expected_tray(session) if session.opener and sees_tray else None
    return Sums(
        opener=session.opener.total if session.opener else None,
        closer=totals.closer if totals else None,
        tray=tray,
        is_tray_hidden=not sees_tray,
        box=totals.box_recorded if totals else figures.box_recorded(session),
        hands=figures.hands_of(session),
    )


def figure_rows(sums: Sums) -> tuple[FigureRow, ...]:
    """Return every figure with its formula; those that would tell a hidden tray are left out."""
    hands = sums.hands
    rows = [
        FigureRow(symbol="O", name=_("Opener"), amount=sums.opener),
        FigureRow(symbol="F", name=_("Fills"), amount=0),
        FigureRow(symbol="CR", name=_("Credits"), amount=0),
        FigureRow(symbol="DB", name=_("Drop box, recorded buy-ins"), amount=sums.box),
        FigureRow(
            symbol="D", name=_("Drop, recorded"), formula="DB + MI − MR + FM", amount=sums.box
        ),
        FigureRow(
            symbol="DS",
            name=_("Statistical drop, recorded"),
            formula="DB + MI + FM − MRc",
            amount=sums.box,
        ),
        FigureRow(
            symbol="", name=_("Handle: all wagers of rounds that were paid"), amount=hands.handle
        ),
        FigureRow(symbol="", name=_("Rounds paid"), text=str(hands.rounds)),
    ]
    return (*rows, *(() if sums.is_tray_hidden else _winnings(sums)))


def _winnings(sums: Sums) -> Iterable[FigureRow]:
    hands, win = sums.hands, sums.win
    return (
        FigureRow(symbol="Hm", name=_("Main wagers, net"), amount=hands.main_net),
        FigureRow(symbol="Hs", name=_("Side wagers, net"), amount=hands.side_net),
        FigureRow(symbol="K", name=_("Commission taken"), amount=hands.commission),
        FigureRow(
            symbol="E",
            name=_("Expected tray"),
            formula="O + F − CR − DB + Hm + Hs + K",
            amount=sums.tray,
        ),
        FigureRow(symbol="C", name=_("Closer, counted"), amount=sums.closer),
        FigureRow(symbol="V", name=_("Chip variance"), formula="C − E", amount=sums.variance),
        FigureRow(
            symbol="W",
            name=_("Win, estimated"),
            formula="C + CR + D − O − F" if sums.closer is not None else "E + CR + D − O − F",
            amount=win,
        ),
        FigureRow(
            symbol="H",
            name=_("Hold, estimated"),
            formula="W ÷ DS",
            text=hold_text(hold_bps(win, sums.box)) if win is not None else "—",
        ),
    )


def _note(sums: Sums) -> str:
    if sums.is_tray_hidden:
        return _("What tells the expected tray is not shown to who will count it.")
    if sums.closer is None:
        return _("Estimated: the expected tray stands for the closer until it is counted.")
    return _("Estimated: recorded buy-ins stand for the drop box until it is counted.")


def _proof(session: TableSession, sums: Sums) -> Proof | None:
    if sums.is_tray_hidden or sums.win is None:
        return None
    hands = sums.hands
    return Proof(
        by_rounds=hands.main_net + hands.side_net + hands.commission + (sums.variance or 0),
        by_formula=sums.win,
        by_ledger=figures.revenue(session),
    )


# --- what stands around the figures


def _facts(reader: Reader, session: TableSession) -> tuple[tuple[Words, Words], ...]:
    clock = WallClock(reader.casino.zone)
    profile = session.profile
    return (
        (_("Gaming day"), session.gaming_day.isoformat()),
        (_("Opened"), clock.moment(session.opened_at)),
        (_("Play ended"), clock.moment(session.closing_at)),
        (_("Closed"), clock.moment(session.closed_at)),
        (
            _("Rules"),
            _("%(game)s, %(code)s version %(version)d")
            % {
                "game": game_title(profile.game),
                "code": profile.code,
                "version": profile.version,
            },
        ),
        (_("Digest of the rules"), profile.digest),
        (_("Depth"), RecordDepth(session.record_depth).label),
        (_("Settlement version"), str(session.settlement_version)),
    )


def _counts(
    reader: Reader, session: TableSession, counts: Sequence[Count]
) -> tuple[CountView, ...]:
    documents = {document_of(count): count for count in counts}
    signatures: dict[int, list[Signature]] = {count.pk: [] for count in counts}
    found = Signature.objects.filter(property=reader.casino, document__in=documents)
    for signature in found.select_related("employee").order_by("pk"):
        signatures[documents[signature.document].pk].append(signature)
    return tuple(_count(reader, count, signatures[count.pk]) for count in counts)


def _count(reader: Reader, count: Count, signatures: Sequence[Signature]) -> CountView:
    clock, content = WallClock(reader.casino.zone), content_of(count)
    session = count.session
    is_accepted = count.pk in (session.opener_id, session.closer_id)
    is_signed = {signature.signer_group for signature in signatures} >= SIGNERS_OF_A_COUNT
    return CountView(
        id=count.pk,
        title=count_title(count.kind, count.attempt),
        at=clock.moment(count.counted_at),
        total=count.total,
        expected=count.expected if is_signed else None,
        due=due_words(what_is_due(count, count.difference)) if is_accepted else (),
        signatures=tuple(
            SignatureRow(
                who=f"{signature.employee.name} {signature.employee.number}",
                capacity=SignerGroup(signature.signer_group).label,
                role=Role(signature.role).label,
                method=SigningMethod(signature.method).label,
                at=clock.moment(signature.signed_at),
                is_intact=is_intact(signature, content),
            )
            for signature in signatures
        ),
    )


def _denominations(session: TableSession, counts: Sequence[Count]) -> tuple[DenominationRow, ...]:
    pieces: dict[tuple[int, int], int] = {}
    counted: dict[int, str] = {}
    for count_id, value, colour, number in (
        session.counts.filter(lines__isnull=False)
        .order_by()
        .values_list(
            "pk", "lines__denomination__value", "lines__denomination__colour", "lines__pieces"
        )
    ):
        pieces[count_id, value] = number
        counted[value] = colour
    return tuple(
        DenominationRow(
            value=value,
            colour=counted[value],
            counted=tuple(
                (pieces.get((count.pk, value), 0), pieces.get((count.pk, value), 0) * value)
                for count in counts
            ),
        )
        for value in sorted(counted, reverse=True)
    )


def _settlement(reader: Reader, run: SettlementRun) -> SettlementView:
    clock = WallClock(reader.casino.zone)
    done = dict(run.steps.values_list("step", "done_at"))
    return SettlementView(
        state=RunState(run.state).label,
        level=RUN_LEVELS[RunState(run.state)],
        steps=tuple(
            StepRow(
                step=step, words=words, done_at=clock.moment(done[step]) if step in done else ""
            )
            for step, words in SETTLEMENT_STEPS.items()
        ),
        exceptions=tuple(run.exceptions.order_by("pk").values_list("detail", flat=True)),
        failure=run.failure,
    )


def _rounds(reader: Reader, rounds: Sequence[Round]) -> tuple[RoundRow, ...]:
    clock = WallClock(reader.casino.zone)
    names = name_actors(round_.actor for round_ in rounds)
    wagered = {
        row["round"]: row
        for row in Wager.objects.filter(round__in=rounds)
        .values("round")
        .annotate(seats=CountRows("seat", distinct=True), handle=Sum("amount"))
    }
    nothing = {"seats": 0, "handle": 0}
    return tuple(
        RoundRow(
            address=reverse("pit:round", args=[round_.pk]),
            title=round_title(round_.number, round_.version),
            at=clock.moment(round_.occurred_at),
            dealer=names.actor(round_.actor),
            seats=wagered.get(round_.pk, nothing)["seats"],
            handle=wagered.get(round_.pk, nothing)["handle"],
            house_net=round_.house_net,
            state=RoundState(round_.state).label,
            level=ROUND_LEVELS[round_.state],
        )
        for round_ in rounds
    )


def _buy_ins(reader: Reader, session: TableSession) -> tuple[BuyInRow, ...]:
    clock = WallClock(reader.casino.zone)
    found: Sequence[BuyIn] = list(
        session.buy_ins.select_related("patron", "verified_by", "voiding").order_by("pk")
    )
    names = name_actors(buy_in.actor for buy_in in found)
    return tuple(
        BuyInRow(
            id=buy_in.pk,
            at=clock.moment(buy_in.occurred_at),
            seat=buy_in.seat,
            patron=buy_in.patron.name,
            amount=buy_in.amount,
            actor=names.actor(buy_in.actor),
            verified_by=(
                f"{buy_in.verified_by.name} {buy_in.verified_by.number}"
                if buy_in.verified_by
                else ""
            ),
            entry_address=reverse("pit:entry", args=[buy_in.entry_id]),
            voided=buy_in.voiding.reason if hasattr(buy_in, "voiding") else "",
        )
        for buy_in in found
    )
