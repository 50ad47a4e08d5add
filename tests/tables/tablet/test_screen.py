"""Who sees the tablet's screen, and how it answers with and without its scripts."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.services.devices import enrol, make_enrolment
from tables.floor.models import TableSession
from tests.tables.tablet.conftest import Tablet

HTMX = {"HX-Request": "true"}


def test_a_browser_that_is_no_tablet_is_sent_away(casino):
    answer = Client().get("/tablet/")
    assert answer.status_code == 302
    assert answer.url == "/sign-in/tablet/"


def test_nobody_signed_in_is_sent_to_the_door(enrolled):
    tablet = enrolled("T1")
    tablet.look()
    assert tablet.answer.status_code == 302
    assert tablet.answer.url == "/sign-in/tablet/?next=/tablet/"
    answer = tablet.do("open")
    assert "sign-in/tablet" in answer.headers["HX-Redirect"]
    assert not TableSession.objects.exists()


@pytest.mark.parametrize("place", ["table:999", "cage:1", "table:x"])
def test_a_tablet_at_no_table_shows_none(casino, tiles, place):
    now = timezone.now()
    token = make_enrolment(property=casino, place=place, name="Lost tablet", at=now)
    lost = Tablet(table=tiles.table)
    lost.client.cookies[DEVICE_COOKIE] = enrol(token=token, at=now).secret
    lost.sign_in("DL-214").look()
    assert lost.answer.status_code == 404


def test_the_screen_names_table_dealer_and_gaming_day(tiles):
    screen = tiles.look()
    assert "Table T1" in screen
    assert "Pai Gow" in screen
    assert "Mei Tran" in screen
    assert 'data-stream="/tablet/events/"' in screen


def test_an_act_without_scripts_leads_back_to_the_screen(tiles):
    answer = tiles.client.post("/tablet/open/", {"key": str(uuid4())})
    assert answer.status_code == 302
    assert answer.url == "/tablet/"
    assert "Count the tray." in tiles.look()


def test_a_refusal_without_scripts_is_a_whole_page(tiles):
    tiles.open().seat(1)
    answer = tiles.client.post("/tablet/wager/", {"key": str(uuid4()), "seat": 1, "amount": "5"})
    assert answer.status_code == 422
    assert "<!doctype html>" in answer.content.decode()
    assert "below the minimum" in answer.content.decode()


def test_an_act_with_scripts_answers_with_the_screen_alone(tiles):
    screen = tiles.done("open")
    assert "<!doctype html>" not in screen
    assert 'id="screen"' in screen
    assert '<div id="status" hx-swap-oob="innerHTML"><p>Count the tray.</p>' in screen


def test_an_act_without_a_key_is_refused(tiles):
    answer = tiles.client.post("/tablet/open/", headers=HTMX)
    assert answer.status_code == 422
    assert not TableSession.objects.exists()


def test_an_act_is_not_done_by_looking(tiles):
    assert tiles.client.get("/tablet/open/").status_code == 405
    assert not TableSession.objects.exists()


def test_a_form_from_elsewhere_is_refused(tiles):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = tiles.client.cookies
    answer = strict.post("/tablet/open/", {"key": str(uuid4())})
    assert answer.status_code == 403
    assert not TableSession.objects.exists()


def test_every_screen_says_which_event_it_shows_already(tiles):
    assert 'id="seen" data-seen="' in tiles.look()
    assert tiles.client.get("/tablet/", headers=HTMX).content.decode().count('id="seen"') == 1


@pytest.mark.parametrize("seat", ["0", "7", "99", "-1", "x", "9" * 5000])
def test_a_seat_that_cannot_be_is_not_looked_at(tiles, seat):
    tiles.open()
    assert "Table T1" in tiles.look(f"?seat={seat}")
    assert tiles.answer.status_code == 200
    assert tiles.do("seat/leave", seat=seat).status_code == 422
