"""Screens of a count: blind until dealer and floor have signed, then beside the books."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.web.amounts import amount_text, minor_digits
from tables.art.wording import game_title
from tables.chips.models import Count, CountKind, Denomination
from tables.chips.services.counts import can_count, can_recount
from tables.floor.guards import limits_at
from tables.floor.models import TableSession
from tables.floor.states import SessionState
from tables.tablet.desk import Desk
from tables.tablet.forms import PIECES
from tables.tablet.records import (
    Chip,
    ClosedTable,
    Compared,
    Counted,
    CountedRow,
    Counting,
    CountRow,
    CountSheet,
    Fact,
)

TITLES: Final = {
    CountKind.OPENER: gettext_lazy("Opening count"),
    CountKind.CLOSER: gettext_lazy("Closing count"),
}


def chip_of(denomination: Denomination, currency: str) -> Chip:
    """Return the chip as it looks; whole amounts are written without decimals, as on the chip."""
    text = amount_text(denomination.value, currency)
    digits = minor_digits(currency)
    if digits and denomination.value % 10**digits == 0:
        text = text[: -digits - 1]
    return Chip(value=denomination.value, text=text, colour=denomination.colour)


def chips_of(session: TableSession, currency: str) -> tuple[Chip, ...]:
    """Return the chips of the session's set, smallest first."""
    used = session.chip_set.denominations.filter(in_use=True).order_by("value")
    return tuple(chip_of(denomination, currency) for denomination in used)


def counting(
    desk: Desk, kind: CountKind, *, given: Mapping[str, str], errors: Mapping[str, str]
) -> Counting:
    """Return the sheet to be filled in; what was given stays after a refusal."""
    session = desk.in_session()
    rows = tuple(
        CountRow(
            chip=chip,
            name=f"{PIECES}{chip.value}",
            pieces=given.get(f"{PIECES}{chip.value}", ""),
            error=errors.get(f"{PIECES}{chip.value}", ""),
        )
        for chip in chips_of(session, desk.currency)
    )
    is_first = not session.counts.filter(kind=kind).exists()
    return Counting(
        title=TITLES[kind] if is_first else _("Recount"),
        sheet=CountSheet(
            rows=rows, currency=desk.currency, digits=minor_digits(desk.currency), total=0
        ),
        can_count=can_count(desk.actor),
        can_abort=session.state == SessionState.OPENING and is_first,
        can_resume=session.state == SessionState.CLOSING and is_first,
    )


def counted(desk: Desk, count: Count) -> Counted:
    """Return what the floor is asked to sign."""
    lines = count.lines.select_related("denomination").order_by("denomination__value")
    return Counted(
        title=TITLES[CountKind(count.kind)],
        rows=tuple(
            CountedRow(
                chip=chip_of(line.denomination, desk.currency),
                pieces=line.pieces,
                sum=line.pieces * line.denomination.value,
            )
            for line in lines
        ),
        total=count.total,
        currency=desk.currency,
        counted_by=f"{count.counted_by.name} {count.counted_by.number}",
    )


def compared(desk: Desk, count: Count) -> Compared:
    """Return the signed count beside what the books say."""
    is_opener = count.kind == CountKind.OPENER
    return Compared(
        title=TITLES[CountKind(count.kind)],
        currency=desk.currency,
        counted=count.total,
        expected=count.expected,
        can_recount=can_recount(count),
        is_opener=is_opener,
        facts=_frozen(desk, count) if is_opener else (),
    )


def closed(desk: Desk) -> ClosedTable:
    """Return what is told of the last session, once it is closed.

    Not its closer: that is what the next opener is expected to be, and the count is blind.
    """
    session = desk.session
    if session is None or session.state != SessionState.CLOSED_PROVISIONAL:
        return ClosedTable()
    assert session.closer is not None, "a closed session was counted"
    rounds = session.rounds.filter(result__isnull=False).count()
    return ClosedTable(
        facts=(
            Fact(term=_("Gaming day"), value=session.gaming_day.isoformat()),
            Fact(term=_("Rounds"), value=str(rounds)),
            Fact(
                term=_("Counted less expected"),
                value=amount_text(session.closer.difference, desk.currency),
            ),
        )
    )


def _frozen(desk: Desk, count: Count) -> tuple[Fact, ...]:
    session = desk.in_session()
    options = session.profile.options
    limits = limits_at(session.table, count.counted_at)
    currency = desk.currency
    return (
        Fact(term=_("Game"), value=game_title(session.profile.game)),
        Fact(term=_("Rules"), value=str(session.profile)),
        Fact(term=_("House way"), value=str(options["house_way"])),
        Fact(term=_("Commission"), value=_percent(options["commission_rate"])),
        Fact(
            term=_("Wagers"),
            value=_("%(least)s to %(most)s")
            % {
                "least": amount_text(limits.wager_min, currency),
                "most": amount_text(limits.wager_max, currency),
            },
        ),
    )


def _percent(rate: str) -> str:
    return f"{(Decimal(rate) * 100).normalize():f}%"
