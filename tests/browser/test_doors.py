"""The doors as people use them: a keypad at the table, a choice of roles."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from casino.properties.services import open_property
from casino.staff.models import Employee
from casino.staff.roles import Role
from casino.staff.services.devices import make_enrolment

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AT = datetime(2026, 3, 14, 20, tzinfo=UTC)


@pytest.fixture
def enrolment(server):
    house = open_property(
        code="golden-gate",
        name="Golden Gate",
        time_zone="America/Los_Angeles",
        currency="USD",
        is_sandbox=True,
        at=AT,
    )
    Employee.objects.create_employee(
        property=house,
        number="DL-210",
        name="Mei Tan",
        roles=(Role.DEALER, Role.FLOOR_SUPERVISOR),
        pin="2580",
    )
    token = make_enrolment(property=house, place="table:3", name="Table 3", at=AT)
    return f"{server}/tablet/enrol/{token}"


def press(page: Page, keys: str) -> None:
    for key in keys:
        page.get_by_role("button", name=key, exact=True).click()


def test_a_dealer_signs_in_with_the_keypad_alone(page, enrolment):
    page.goto(enrolment)
    expect(page.get_by_text("Table 3")).to_be_visible()
    number, pin = page.get_by_label("Employee number"), page.get_by_label("PIN")
    press(page, "219")
    page.get_by_role("button", name="Delete the last digit").click()
    press(page, "0")
    expect(number).to_have_value("210")
    pin.click()
    press(page, "2580")
    expect(pin).to_have_value("2580")
    expect(number).to_have_value("210")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Choose your role")).to_be_visible()
    expect(page.get_by_role("radio", name="Dealer")).not_to_be_checked()
    expect(page.get_by_role("radio", name="Floor supervisor")).not_to_be_checked()
    expect(page.get_by_role("radio")).to_have_count(2)
