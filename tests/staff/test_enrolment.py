"""Tablets become ours by an address that works once, and stop being ours at once."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from structlog.stdlib import ProcessorFormatter

from casino.staff.actors import system_actor
from casino.staff.errors import EnrolmentError
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import AuditRow, Device, Enrolment
from casino.staff.services.devices import enrol, make_enrolment, revoke_device

from .conftest import AT, PIN


def make(house, at=AT):
    return make_enrolment(property=house, place="table:3", name="Table 3", at=at)


def test_the_address_makes_the_browser_a_tablet(house, client):
    house.is_sandbox = True
    house.save()
    response = client.get(f"/tablet/enrol/{make(house)}")
    assert (response.status_code, response.url) == (302, "/sign-in/tablet/")
    cookie = response.cookies[DEVICE_COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    page = client.get("/sign-in/tablet/")
    assert page.status_code == 200
    assert "Table 3" in page.text


def test_an_address_works_once(house):
    token = make(house)
    enrol(token=token, at=AT)
    with pytest.raises(EnrolmentError, match="used already"):
        enrol(token=token, at=AT)
    assert Device.objects.count() == 1


def test_an_address_works_for_24_hours(house):
    token = make(house)
    with pytest.raises(EnrolmentError, match="too old"):
        enrol(token=token, at=AT + timedelta(hours=24))
    assert not Device.objects.exists()
    enrol(token=token, at=AT + timedelta(hours=24, microseconds=-1))
    assert Device.objects.count() == 1


def test_in_a_sandbox_an_address_works_again_and_again(house):
    house.is_sandbox = True
    house.save()
    token = make(house)
    devices = {enrol(token=token, at=AT + timedelta(days=days)).device.pk for days in (0, 1, 30)}
    assert len(devices) == 3


def test_the_address_of_a_sandbox_ends_with_the_sandbox(house):
    house.is_sandbox = True
    house.save()
    token = make(house)
    house.is_sandbox = False
    house.save()
    with pytest.raises(EnrolmentError, match="sandbox"):
        enrol(token=token, at=AT)
    assert not Device.objects.exists()


@pytest.mark.django_db
def test_an_unknown_address_is_refused_in_words(client):
    response = client.get("/tablet/enrol/nonsense")
    assert response.status_code == 404
    assert "This enrolment address is not known." in response.text
    assert DEVICE_COOKIE not in response.cookies


def test_two_tablets_that_open_one_address_together_become_one(together, house):
    token = make(house)
    answers = together(*[lambda: enrol(token=token, at=AT)] * 2)
    assert sorted(type(answer).__name__ for answer in answers) == ["Enrolled", "EnrolmentError"]
    assert Device.objects.count() == 1


def test_secrets_are_stored_as_hashes_alone(house):
    token = make(house)
    secret = enrol(token=token, at=AT).secret
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT string_agg(d::text, '') FROM staff_device d)"
            " || (SELECT string_agg(e::text, '') FROM staff_enrolment e)"
            " || (SELECT string_agg(a::text, '') FROM staff_auditrow a)"
        )
        (everything,) = cursor.fetchone()
    assert token not in everything
    assert secret not in everything
    assert "table:3" in everything


def test_enrolment_and_revocation_are_audited(house, tablet):
    actor = system_actor(name="test", property_id=house.pk)
    revoke_device(device=tablet.device, actor=actor, reason="Lost", at=AT)
    revoke_device(device=tablet.device, actor=actor, reason="Lost again", at=AT)
    device = f"device:{tablet.device.pk}"
    rows = AuditRow.objects.order_by("id").values_list("action", "subject", "reason")
    assert list(rows) == [
        ("enrolment.made", f"enrolment:{Enrolment.objects.get().pk}", ""),
        ("device.enrolled", device, ""),
        ("device.revoked", device, "Lost"),
    ]


def test_a_revoked_tablet_is_nobody_and_signs_out_who_was_there(house, tablet, dealer):
    browser = tablet.browser
    browser.post("/sign-in/tablet/", {"number": "DL-210", "pin": PIN})
    assert "_auth_user_id" in browser.session
    revoke_device(
        device=tablet.device,
        actor=system_actor(name="test", property_id=house.pk),
        reason="Lost",
        at=AT,
    )
    page = browser.get("/sign-in/tablet/")
    assert page.status_code == 403
    assert "This device is not enrolled" in page.text
    assert "_auth_user_id" not in browser.session


@pytest.mark.parametrize("secret", ["", "x", "ü" * 50])
@pytest.mark.django_db
def test_a_made_up_cookie_is_nobody(secret):
    browser = Client()
    browser.cookies[DEVICE_COOKIE] = secret
    assert browser.get("/sign-in/tablet/").status_code == 403


def test_the_secret_of_an_address_stands_in_no_log(house, caplog):
    """Whoever reads the logs makes no tablet, whether the address was opened or refused."""
    token = make(house, at=timezone.now())
    Client().get(f"/tablet/enrol/{token}?from=mail")
    Client().get(f"/tablet/enrol/{token}")
    (formatter,) = [
        handler.formatter
        for handler in logging.getLogger().handlers
        if isinstance(handler.formatter, ProcessorFormatter)
    ]
    written = "\n".join(formatter.format(record) for record in caplog.records)
    assert token not in written
    assert "GET /tablet/enrol/***?from=mail" in written


def test_the_cookie_of_a_tablet_is_its_own_and_no_scripts(house, client):
    client.get(f"/tablet/enrol/{make(house, at=timezone.now())}")
    cookie = client.cookies[DEVICE_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (
        True,
        "Lax",
        "/",
        "",
    )
