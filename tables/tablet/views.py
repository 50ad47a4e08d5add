"""The dealer's tablet: one screen, drawn by the state of the table, and the acts on it.

Translate in, call, translate out. An act answers with the screen as it stands afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final
from uuid import uuid4

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import reswap

from casino.properties.selectors import gaming_day_of
from casino.staff.sessions import tablet_page
from casino.web import live
from tables.art.wording import game_title
from tables.tablet import deeds, forms
from tables.tablet.acts import Deed, Refused, perform
from tables.tablet.desk import Desk, desk_of
from tables.tablet.forms import ActForm
from tables.tablet.records import Dealing
from tables.tablet.screens import Asked, View, screen_of

SEAT_NUMBER: Final = re.compile(r"[0-9]{1,2}")

Act = Callable[[HttpRequest], HttpResponseBase]
Answer = Callable[..., HttpResponse]


@never_cache
@require_GET
@tablet_page
def screen(request: HttpRequest) -> HttpResponse:
    """Show the table at which this tablet stands."""
    return _show(request, desk_of(request), _asked(request.GET), at=timezone.now())


@require_GET
@tablet_page
async def events(request: HttpRequest) -> HttpResponseBase:
    """Stream what happens at this table."""
    desk = await sync_to_async(desk_of)(request)
    return await live.sse_response(request, desk.channel)


def act(deed: Deed, form_class: type[ActForm] = ActForm, *, answer: Answer | None = None) -> Act:
    """Return the view that does *deed* with what the form says, once for its key.

    Args:
        answer: makes the answer of an act that was done; else the screen is shown as it stands.
    """

    @never_cache
    @sensitive_post_parameters("floor_pin", "boss_pin")
    @require_POST
    @tablet_page
    def view(request: HttpRequest) -> HttpResponse:
        at = timezone.now()
        desk = desk_of(request)
        form = form_class(request.POST, desk=desk)
        done = perform(request=request, desk=desk, form=form, deed=deed, at=at)
        if isinstance(done, Refused):
            asked = _asked(request.POST, refused=done)
            return _show(request, desk_of(request), asked, at=at, status=done.status)
        messages.success(request, done)
        if not request.htmx:  # type: ignore[attr-defined]  # set by its middleware
            return redirect("tablet:screen")
        return (answer or _show_state)(request, desk_of(request), at=at)

    return view


def _show_state(request: HttpRequest, desk: Desk, *, at: datetime) -> HttpResponse:
    return _show(request, desk, Asked(), at=at)


def _stay_at_seat(request: HttpRequest, desk: Desk, *, at: datetime) -> HttpResponse:
    """Show the seat of the act again: whoever sits down buys in next."""
    return _show(request, desk, Asked(seat=_asked(request.POST).seat), at=at)


def _keep_hands(request: HttpRequest, desk: Desk, *, at: datetime) -> HttpResponse:
    """Leave the page alone while hands are missing: a swap would lose the taps of that moment."""
    context = _context(request, desk, Asked(), at=at)
    if not isinstance(context["at"], Dealing) or request.POST.get("way"):
        return _draw(request, context)
    # What was done is not worth a word after each hand; unread, it would be said later.
    list(messages.get_messages(request))
    return reswap(render(request, "tables/tablet/_hands_kept.html", context), "none")


take_seat = act(deeds.take_seat, forms.SeatPatronForm, answer=_stay_at_seat)
buy_in = act(deeds.buy_in, forms.BuyInForm, answer=_stay_at_seat)
hands = act(deeds.enter_hands, forms.HandsForm, answer=_keep_hands)


def _asked(given: Mapping[str, str], *, refused: Refused | None = None) -> Asked:
    view, seat = given.get("view", ""), given.get("seat", "")
    return Asked(
        view=View(view) if view in frozenset(View) else View.STATE,
        seat=int(seat) if SEAT_NUMBER.fullmatch(seat) else None,
        given={name: given[name] for name in given},
        refused=refused,
    )


def _show(
    request: HttpRequest, desk: Desk, asked: Asked, *, at: datetime, status: int = 200
) -> HttpResponse:
    return _draw(request, _context(request, desk, asked, at=at), status=status)


def _draw(request: HttpRequest, context: dict[str, object], *, status: int = 200) -> HttpResponse:
    template = "tables/tablet/_screen.html" if context["is_part"] else "tables/tablet/session.html"
    return render(request, template, context, status=status)


def _context(request: HttpRequest, desk: Desk, asked: Asked, *, at: datetime) -> dict[str, object]:
    # Read before the state is: what happens in between is told again, never lost.
    seen = live.latest_id(desk.channel)
    found = screen_of(desk, asked, at=at)
    return {
        "screen": f"tables/tablet/screens/{found.template}.html",
        "at": found.at,
        "notice": found.notice or (asked.refused.notice if asked.refused else ""),
        "errors": asked.errors,
        "given": asked.given if asked.refused else {},
        "view": asked.view,
        "key": asked.key or uuid4(),
        "seen": seen,
        "address": _address(asked),
        "is_part": bool(request.htmx),  # type: ignore[attr-defined]  # set by its middleware
        "table": desk.table.code,
        "game": game_title(_game(desk)),
        "gaming_day": gaming_day_of(desk.casino, at),
    }


def _game(desk: Desk) -> str:
    return (desk.session or desk.table).profile.game


def _address(asked: Asked) -> str:
    query = {"view": asked.view, "seat": asked.seat, "search": asked.given.get("search")}
    return reverse("tablet:screen", query={name: value for name, value in query.items() if value})
