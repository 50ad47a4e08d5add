"""A property with a tablet and people of several roles."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import NamedTuple

import pytest
from django.test import Client

from casino.properties.models import Property
from casino.properties.services import open_property
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Device, Employee
from casino.staff.roles import Role
from casino.staff.services.devices import enrol, make_enrolment

AT = datetime(2026, 3, 14, 20, tzinfo=UTC)
"""13:00 on the wall: day shift of gaming day 2026-03-14."""

PIN, PASSWORD = "2580", "a long password of one's own"


class Tablet(NamedTuple):
    """An enrolled tablet and the browser that it is."""

    device: Device
    browser: Client


@pytest.fixture
def house(db) -> Property:
    return open_property(
        code="golden-gate",
        name="Golden Gate",
        time_zone="America/Los_Angeles",
        currency="USD",
        shifts={"day": time(6), "swing": time(14), "grave": time(22)},
        at=AT,
    )


@pytest.fixture
def other_house(db) -> Property:
    return open_property(
        code="bay", name="Bay", time_zone="America/Los_Angeles", currency="USD", at=AT
    )


def hire(house, number, *roles, pin=PIN, password=PASSWORD) -> Employee:
    return Employee.objects.create_employee(
        property=house,
        number=number,
        name=f"Person {number}",
        roles=roles,
        pin=pin,
        password=password,
    )


@pytest.fixture
def dealer(house):
    return hire(house, "DL-210", Role.DEALER, password=None)


@pytest.fixture
def floor(house):
    return hire(house, "FS-031", Role.FLOOR_SUPERVISOR, pin="1379")


@pytest.fixture
def pit_boss(house):
    return hire(house, "PB-007", Role.PIT_BOSS, pin="4826")


@pytest.fixture
def two_roles(house):
    return hire(house, "FS-040", Role.FLOOR_SUPERVISOR, Role.PIT_BOSS)


def enrol_tablet(house, *, place="table:3", name="Table 3", at=AT) -> Tablet:
    enrolled = enrol(token=make_enrolment(property=house, place=place, name=name, at=at), at=at)
    browser = Client()
    browser.cookies[DEVICE_COOKIE] = enrolled.secret
    return Tablet(device=enrolled.device, browser=browser)


@pytest.fixture
def tablet(house) -> Tablet:
    return enrol_tablet(house)
