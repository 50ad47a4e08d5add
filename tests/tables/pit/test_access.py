"""Ledger read and the exact expected tray, by role (table-operations.md 15)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from casino.properties.services import open_property
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Employee
from casino.staff.roles import Role
from casino.staff.services.devices import enrol, make_enrolment
from casino.web.amounts import amount_text
from tables.chips.selectors import expected_tray
from tables.demo import house
from tables.floor.models import TraySight
from tests import factories

from .conftest import read

WHOLE_PIT = ["PB-004", "SV-009", "AU-002"]


@pytest.fixture
def played(open_table):
    """Return T1 in play; FS-031 signed its opener."""
    shift = open_table()
    shift.play(2)
    return shift


@pytest.fixture
def pages(played):
    """Return the address of every page that tells of T1."""
    last = played.session.rounds.latest("pk")
    return {
        "floor": "/pit/",
        "row": f"/pit/tables/{played.table.pk}/row/",
        "sessions": "/pit/sessions/",
        "session": f"/pit/sessions/{played.session.pk}/",
        "entry": f"/pit/entries/{last.entry_id}/",
        "round": f"/pit/rounds/{last.pk}/",
        "replay": f"/pit/rounds/{last.pk}/replay/",
    }


def tray_of(shift) -> str:
    return amount_text(expected_tray(shift.session), "USD")


@pytest.mark.parametrize("number", ["CC-117", "AD-001"])
def test_cage_and_administrator_read_nothing_here(sign_in, pages, number):
    browser = sign_in(number)
    for address in [*pages.values(), "/pit/events/"]:
        response = browser.get(address)
        assert response.status_code == 403, address
        assert "who may not do this. Nothing was changed." in response.text


def test_nobody_is_sent_to_the_door(client, pages):
    for address in pages.values():
        assert client.get(address).url == f"/sign-in/?next={address}"


@pytest.mark.parametrize("number", WHOLE_PIT)
def test_pit_boss_surveillance_and_auditor_read_the_whole_pit(sign_in, played, pages, number):
    browser = sign_in(number)
    for address in pages.values():
        assert browser.get(address).status_code == 200, address
    assert tray_of(played) in read(browser.get("/pit/"))


@pytest.mark.parametrize("number", WHOLE_PIT)
@pytest.mark.parametrize("page", ["floor", "row", "session", "entry", "round"])
def test_sod_14_who_was_shown_the_exact_tray_is_remembered(sign_in, played, pages, number, page):
    browser = sign_in(number)
    assert TraySight.objects.count() == 0
    browser.get(pages[page])
    browser.get(pages[page])
    sight = TraySight.objects.get()
    assert (sight.session, sight.employee.number) == (played.session, number)


def test_a_closed_tray_is_counted_so_its_sight_matters_to_nobody(sign_in, played, pages):
    played.close()
    sign_in("PB-004").get(pages["session"])
    assert TraySight.objects.count() == 0


def test_the_floor_supervisor_reads_the_own_table_by_its_band(sign_in, played, pages):
    browser = sign_in("FS-031")
    for page in pages:
        assert tray_of(played) not in read(browser.get(pages[page])), page
    floor = read(browser.get("/pit/"))
    assert "Tray normal — " in floor
    assert pages["session"] in browser.get("/pit/").text
    session = read(browser.get(pages["session"]))
    assert "What tells the expected tray is not shown to who will count it." in session
    assert "Win, estimated" not in session
    assert "Proved" not in session
    assert TraySight.objects.count() == 0


def test_the_floor_supervisor_reads_all_of_it_once_it_is_counted(sign_in, played, pages):
    played.close(variance=-2_500)
    text = read(sign_in("FS-031").get(pages["session"]))
    assert "Chip variance = C − E −25.00" in text


def test_another_floor_supervisors_table_is_seen_from_afar(sign_in, casino, pages):
    Employee.objects.create_employee(
        property=casino,
        number="FS-040",
        name="Ines Duarte",
        roles=(Role.FLOOR_SUPERVISOR,),
        password=house.PASSWORD,
    )
    browser = sign_in("FS-040")
    assert "Mei Tran DL-210" in read(browser.get("/pit/"))
    assert pages["session"] not in browser.get("/pit/").text
    assert "no session here for you to read" in read(browser.get("/pit/sessions/"))
    for page in ("session", "entry", "round", "replay"):
        assert browser.get(pages[page]).status_code == 404, page


def test_who_stands_in_at_a_tablet_reads_the_session_that_runs_there(casino, played, pages):
    Employee.objects.create_employee(
        property=casino,
        number="FS-040",
        name="Ines Duarte",
        roles=(Role.FLOOR_SUPERVISOR,),
        pin="4401",
    )
    token = make_enrolment(property=casino, place=played.table.ref, name="Spare", at=timezone.now())
    tablet = Client()
    tablet.cookies[DEVICE_COOKIE] = enrol(token=token, at=timezone.now()).secret
    tablet.post("/sign-in/tablet/", {"number": "FS-040", "pin": "4401"})
    assert tablet.get(pages["session"]).status_code == 200
    played.close()
    assert tablet.get(pages["session"]).status_code == 404


def test_another_property_is_not_there(client, casino, pages):
    other = open_property(
        code="bay", name="Bay", time_zone="Asia/Macau", currency="MOP", at=factories.NOON
    )
    Employee.objects.create_employee(
        property=other,
        number="PB-900",
        name="Rui Lam",
        roles=(Role.PIT_BOSS,),
        password=house.PASSWORD,
    )
    client.post("/sign-in/", {"number": "PB-900", "password": house.PASSWORD})
    for page in ("row", "session", "entry", "round", "replay"):
        assert client.get(pages[page]).status_code == 404, page
    assert client.get("/pit/").status_code == 404
    assert "no session here" in read(client.get("/pit/sessions/"))
