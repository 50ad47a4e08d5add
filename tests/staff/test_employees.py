"""Employees: a number, at least one role, and never a PIN beside administration."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from casino.staff.models import Employee
from casino.staff.roles import Role
from casino.staff.selectors import full_number

from .conftest import hire


def test_a_number_is_kept_in_capitals(house):
    assert hire(house, " dl-77 ", Role.DEALER).number == "DL-77"


def test_two_people_never_share_a_number(house, other_house, dealer):
    with pytest.raises(IntegrityError), transaction.atomic():
        hire(other_house, "dl-210", Role.DEALER)
    assert Employee.objects.count() == 1


def test_nobody_is_employed_without_a_role(house):
    with pytest.raises(ValueError, match="DL-77 needs a role"):
        hire(house, "DL-77")
    assert not Employee.objects.exists()


def test_an_unknown_role_leaves_nobody_behind(house):
    with pytest.raises(IntegrityError, match="staff_employeerole_known"), transaction.atomic():
        hire(house, "DL-77", "king")
    assert not Employee.objects.exists()


@pytest.mark.parametrize("number", ["", "-1", "DL 210", "dl-210", "DL-210\n"])
def test_the_database_refuses_what_is_no_number(dealer, number):
    with (
        pytest.raises(IntegrityError, match="staff_employee_number"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE staff_employee SET number = %s", [number])
    dealer.refresh_from_db()
    assert dealer.number == "DL-210"


def test_the_database_refuses_a_pin_beside_administration(dealer):
    with pytest.raises(IntegrityError, match="no_pin_for_admins"), transaction.atomic():
        Employee.objects.update(is_staff=True)
    dealer.refresh_from_db()
    assert not dealer.is_staff


def test_who_has_no_pin_is_known_by_none(house):
    person = hire(house, "AU-2", Role.AUDITOR, pin=None)
    assert not person.has_pin("")
    assert not person.has_pin("0000")


@pytest.mark.parametrize(
    ("typed", "number"),
    [("210", "DL-210"), ("dl-210", "DL-210"), ("10", "10"), ("031", "031"), ("²10", "²10")],
)
def test_digits_mean_the_one_badge_of_the_property_that_ends_with_them(
    house, other_house, dealer, typed, number
):
    hire(other_house, "FS-031", Role.FLOOR_SUPERVISOR)
    assert full_number(house.pk, typed) == number
