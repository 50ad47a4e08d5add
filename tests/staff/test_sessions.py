"""Pages know who may see them, in which role and at which device; acts carry all three."""

from __future__ import annotations

from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from casino.staff.errors import NotSignedInError
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import RoleChoice
from casino.staff.roles import Role
from casino.staff.services.roles import choose_role
from casino.staff.sessions import actor_of, page_for, role_of, tablet_page

from .conftest import PASSWORD, PIN, enrol_tablet


@page_for(Role.PIT_BOSS, Role.AUDITOR)
def pit_page(request, table):
    return HttpResponse(f"{table}: {actor_of(request).role}")


@page_for(Role.PIT_BOSS)
async def live_page(request):
    return HttpResponse("live")


@tablet_page
def table_page(request):
    return HttpResponse(f"{request.device.place}: {actor_of(request)}")


def visit(view, browser, *args, device=None, method="get", htmx=False, **kwargs):
    """Call *view* as the person and device that *browser* has signed in with."""
    request = getattr(RequestFactory(), method)("/pit/?all=1")
    request.session = browser.session
    request.user = get_user(request)
    request.device = device
    request.htmx = htmx
    response = view(request, *args, **kwargs)
    request.session.save()
    return response, request


@pytest.fixture
def console(client, pit_boss):
    client.post("/sign-in/", {"number": "PB-007", "password": PASSWORD})
    return client


@pytest.fixture
def at_table(tablet, dealer):
    tablet.browser.post("/sign-in/tablet/", {"number": "DL-210", "pin": PIN})
    return tablet


def test_a_page_opens_for_the_roles_it_names(console):
    response, _ = visit(pit_page, console, table="T1")
    assert response.text == "T1: pit_boss"


def test_an_actor_carries_person_role_property_and_device(at_table, dealer):
    response, request = visit(table_page, at_table.browser, device=at_table.device)
    assert response.text == f"table:3: employee:{dealer.pk}"
    actor = actor_of(request)
    assert (actor.employee_id, actor.role, actor.property_id, actor.device_id) == (
        dealer.pk,
        "dealer",
        dealer.property_id,
        at_table.device.pk,
    )


def test_another_role_is_refused_in_words(at_table):
    with pytest.raises(PermissionDenied, match="signed in as Dealer, who may not do this"):
        visit(pit_page, at_table.browser, device=at_table.device, table="T1")


def test_a_console_is_no_tablet(console):
    response, _ = visit(table_page, console)
    assert response.url == "/sign-in/tablet/"


def test_a_password_is_no_pin_at_an_enrolled_tablet_either(tablet, floor):
    tablet.browser.post("/sign-in/", {"number": "FS-031", "password": PASSWORD})
    response, _ = visit(table_page, tablet.browser, device=tablet.device)
    assert response.url == "/sign-in/tablet/"


def test_nobody_is_signed_in_at_a_tablet_of_another_property(client, other_house, pit_boss):
    client.post("/sign-in/", {"number": "PB-007", "password": PASSWORD})
    foreign = enrol_tablet(other_house).browser.cookies[DEVICE_COOKIE].value
    client.cookies[DEVICE_COOKIE] = foreign
    assert client.get("/tablet/").url.startswith("/sign-in/tablet/")
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db
def test_nobody_is_sent_to_the_door_and_then_on(client):
    response, request = visit(pit_page, client, table="T1")
    assert (response.status_code, response.url) == (302, "/sign-in/?next=/pit/%3Fall%3D1")
    with pytest.raises(NotSignedInError):
        actor_of(request)


def test_nobody_at_a_tablet_is_sent_to_its_own_door(client, tablet):
    response, _ = visit(table_page, client, device=tablet.device)
    assert response.url.startswith("/sign-in/tablet/?next=")


@pytest.mark.django_db
def test_a_partial_sends_the_whole_page_to_the_door(client):
    response, _ = visit(pit_page, client, htmx=True, table="T1")
    assert response["HX-Redirect"].startswith("/sign-in/?next=")


def test_an_async_page_is_guarded_alike(console, client):
    live = async_to_sync(live_page)
    assert visit(live, console)[0].text == "live"
    client.logout()
    assert visit(live, client)[0].status_code == 302


def test_without_a_role_one_has_to_be_chosen(client, two_roles):
    client.post("/sign-in/", {"number": "FS-040", "password": PASSWORD})
    response, _ = visit(pit_page, client, table="T1")
    assert response.url == "/sign-in/role/"


def test_a_new_shift_goes_on_in_the_same_role_and_writes_it_down(console, pit_boss):
    _begin_new_shift(console, pit_boss)
    response, request = visit(pit_page, console, table="T1")
    assert response.text == "T1: pit_boss"
    assert request.session["role_until"] > timezone.now().isoformat()
    assert [choice.role for choice in RoleChoice.objects.all()] == ["pit_boss", "pit_boss"]


def test_sod_10_another_choice_elsewhere_ends_the_role_here(client, two_roles):
    client.post("/sign-in/", {"number": "FS-040", "password": PASSWORD})
    client.post("/sign-in/role/", {"role": "pit_boss"})
    _begin_new_shift(client, two_roles)
    choose_role(employee=two_roles, role=Role.FLOOR_SUPERVISOR, at=timezone.now())
    response, request = visit(pit_page, client, table="T1")
    assert response.url == "/sign-in/role/"
    assert role_of(request) is None


def _begin_new_shift(browser, employee):
    """Rename the shifts and let the session's end be past: the shift that runs is another."""
    for shift in employee.property.shifts.all():
        shift.name = f"next {shift.name}"
        shift.save()
    session = browser.session
    session["role_until"] = (timezone.now() - timedelta(seconds=1)).isoformat()
    session.save()
