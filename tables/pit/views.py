"""The pit: the floor as it stands, and the way down from a session to a round's written steps.

Everything here is read. Translate in, read, draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.staff.sessions import page_for
from casino.web import live
from ledger import selectors as ledger
from tables.floor.models import Pit, Table
from tables.floor.states import LIVE
from tables.pit import entries, sessions
from tables.pit.access import READERS, Reader, reader_of
from tables.pit.books.pages import BooksPage, draw
from tables.pit.books.way_back import from_there, way_back
from tables.pit.clock import WallClock
from tables.pit.floor import channel_of, floor_rows
from tables.pit.frame import frame
from tables.pit.paging import page_of
from tables.pit.replay import can_replay
from tables.pit.rounds import entries_of, find_round, replay_view, round_view


@never_cache
@require_GET
@page_for(*READERS)
def floor(request: HttpRequest) -> HttpResponse:
    """Show the tables of a pit as they stand; where `pit` names none, of the first."""
    reader, now = reader_of(request), timezone.now()
    pits = list(Pit.objects.filter(property=reader.casino).order_by("code"))
    pit = _choose(pits, request.GET.get("pit"))
    context = {
        "pit": pit,
        "pits": pits if len(pits) > 1 else [],
        "rows": floor_rows(reader, pit_id=pit.pk, now=now),
        "stream": reverse("pit:events", query={"pit": pit.code}),
    }
    return _page(request, reader, "floor", context, now=now)


@never_cache
@require_GET
@page_for(*READERS)
def row(request: HttpRequest, table_id: int) -> HttpResponse:
    """Draw the row of one table anew."""
    reader = reader_of(request)
    table = Table.objects.filter(property=reader.casino, pk=table_id).first()
    if table is None:
        raise Http404(_("There is no such table."))
    rows = floor_rows(reader, pit_id=table.pit_id, table_id=table.pk, now=timezone.now())
    return render(request, "tables/pit/_floor_row.html", {"row": rows[0]})


@require_GET
@page_for(*READERS)
async def events(request: HttpRequest) -> HttpResponseBase:
    """Stream what happens in a pit."""
    pit = await sync_to_async(_pit_of)(request)
    return await live.sse_response(request, channel_of(pit.pk))


@never_cache
@require_GET
@page_for(*READERS)
def list_sessions(request: HttpRequest) -> HttpResponse:
    """List sessions, the newest first; `day` asks for those of one gaming day."""
    reader, now = reader_of(request), timezone.now()
    asked = request.GET.get("day", "")
    day, refusal = _read_day(asked)
    page = page_of(
        request,
        name="sessions",
        bound_to={"property": reader.casino.pk, "day": day},
        read=lambda after, limit: sessions.read_sessions(reader, day=day, after=after, limit=limit),
        place=lambda session: session.pk,
        size=sessions.PER_PAGE,
        at=now,
    )
    context = {
        "rows": sessions.session_rows(reader, page.rows),
        "more": page.more,
        "day": asked,
        "day_refusal": refusal,
        "refusal": page.refusal,
        "currency": reader.casino.currency,
    }
    status = 400 if refusal or page.refusal else 200
    return _page(request, reader, "sessions", context, now=now, status=status)


@never_cache
@require_GET
@page_for(*READERS)
def session(request: HttpRequest, session_id: int) -> HttpResponse:
    """Show one session: counts, figures, settlement, rounds, entries, buy-ins."""
    reader, now = reader_of(request), timezone.now()
    found = reader.sessions().filter(pk=session_id).first()
    if found is None:
        raise Http404(_("There is no such session for you to read."))
    if reader.sees_tray_of(found):
        reader.note_sights([found], at=now)
    bound_to = {"session": found.pk}
    rounds = page_of(
        request,
        name="rounds",
        bound_to=bound_to,
        read=lambda after, limit: sessions.read_rounds(found, after, limit),
        place=lambda round_: round_.pk,
        size=sessions.PER_PAGE,
        at=now,
    )
    booked = page_of(
        request,
        name="entries",
        bound_to=bound_to,
        read=lambda after, limit: ledger.entries(
            reader.casino.pk, session=found.ref, after=after, limit=limit
        ),
        place=lambda entry: entry.id,
        size=entries.PER_PAGE,
        at=now,
    )
    context = {
        "session": sessions.session_view(reader, found, rounds=rounds, entries=booked),
        "as_of": WallClock(reader.casino.zone).moment(now) if found.state in LIVE else "",
        "refusal": rounds.refusal or booked.refusal,
    }
    status = 400 if context["refusal"] else 200
    return _page(request, reader, "session", context, now=now, status=status)


@never_cache
@require_GET
@page_for(*READERS)
def entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    """Show one entry with its legs, its cause and what took it back."""
    reader, now = reader_of(request), timezone.now()
    found = entries.find_entry(reader, entry_id)
    if found is None:
        raise Http404(_("There is no such entry for you to read."))
    told = entries.trays_told(reader, [found])
    _note(reader, told, now=now)
    view = entries.entry_views(reader, [found], told=told)[0]
    view = entries.with_seal(entries.with_related(reader, view, found), found)
    context = {"entry": view}
    if not reader.reads_whole_pit:
        return _page(request, reader, "entry", context, now=now)
    page = BooksPage(
        name="entry",
        tab="entries",
        title=_("Ledger entry %(number)s") % {"number": view.number},
        has_files=False,
    )
    way = {"way_back": way_back(request), "came_from": from_there(request)}
    return draw(request, reader, page, {**context, **way}, now=now)


@never_cache
@require_GET
@page_for(*READERS)
def round_(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show one round down to its written steps; `replay` settles it again at once."""
    reader, now = reader_of(request), timezone.now()
    found = find_round(reader, round_id)
    if found is None:
        raise Http404(_("There is no such round for you to read."))
    details = entries_of(found)
    told = entries.trays_told(reader, details)
    if reader.sees_tray_of(found.session):
        reader.note_sights([found.session], at=now)
    _note(reader, told, now=now)
    views = entries.entry_views(reader, details, told=told)
    context = {
        "round": round_view(
            reader,
            found,
            entries=tuple(
                entries.with_related(reader, view, detail)
                for view, detail in zip(views, details, strict=True)
            ),
        ),
        "session_id": found.session_id,
        "replay": replay_view(found) if "replay" in request.GET and can_replay(found) else None,
    }
    return _page(request, reader, "round", context, now=now)


@never_cache
@require_GET
@page_for(*READERS)
def replay(request: HttpRequest, round_id: int) -> HttpResponse:
    """Settle one stored round again and say whether it comes to what is stored."""
    found = find_round(reader_of(request), round_id)
    if found is None or not can_replay(found):
        raise Http404(_("There is no such round to replay."))
    return render(request, "tables/pit/_replay.html", {"replay": replay_view(found)})


def _note(reader: Reader, told: entries.Told, *, now: datetime) -> None:
    seen = [each for each in entries.sessions_told(told) if reader.sees_tray_of(each)]
    reader.note_sights(seen, at=now)


def _page(
    request: HttpRequest,
    reader: Reader,
    name: str,
    context: Mapping[str, Any],
    *,
    now: datetime,
    status: int = 200,
) -> HttpResponse:
    here = "floor" if name == "floor" else "sessions"
    whole = {**frame(reader, here=here, now=now), **context}
    return render(request, f"tables/pit/{name}.html", whole, status=status)


def _pit_of(request: HttpRequest) -> Pit:
    reader = reader_of(request)
    pits = list(Pit.objects.filter(property=reader.casino).order_by("code"))
    return _choose(pits, request.GET.get("pit"))


def _choose(pits: Sequence[Pit], code: str | None) -> Pit:
    for pit in pits:
        if code in {None, pit.code}:
            return pit
    raise Http404(_("There is no such pit."))


def _read_day(text: str) -> tuple[date | None, str]:
    if not text:
        return None, ""
    try:
        return date.fromisoformat(text), ""
    except ValueError:
        return None, _("Write the gaming day as 2026-03-14.")
