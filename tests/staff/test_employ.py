"""`manage.py employ`: secrets are typed, never arguments, and no number has two owners."""

from __future__ import annotations

import io
import sys

import pytest
from django.core.management import CommandError, call_command

from casino.staff.models import AuditRow, Employee
from casino.staff.roles import Role


@pytest.fixture
def employ(house, monkeypatch):
    def employ_one(*arguments, typed=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        call_command("employ", house.code, *arguments)

    return employ_one


def test_a_person_is_employed_with_pin_and_password(employ, house):
    employ(
        *("fs-1", "Grace Liu", "--role", "floor_supervisor", "--role", "pit_boss"),
        *("--pin", "--password"),
        typed="3101\na long password\n",
    )

    employee = Employee.objects.get(number="FS-1")
    assert (employee.property, employee.name) == (house, "Grace Liu")
    assert employee.held_roles() == {Role.FLOOR_SUPERVISOR, Role.PIT_BOSS}
    assert employee.has_pin("3101")
    assert employee.check_password("a long password")
    row = AuditRow.objects.get(action="employee.employed")
    assert (row.actor, row.subject) == ("system:operator", f"employee:{employee.pk}")
    assert row.after == {
        "number": "FS-1",
        "name": "Grace Liu",
        "roles": ["floor_supervisor", "pit_boss"],
        "signs_in_by": ["pin", "password"],
    }


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (["FS-1", "Grace", "--role", "dealer"], "", "--pin: a person signs in by"),
        (["FS-1", "Grace", "--role", "dealer", "--pin"], "31\n", "--pin: a PIN is 4 to 8 digits"),
        (["FS-1", "Grace", "--role", "dealer", "--pin"], "", "--pin: a PIN is 4 to 8 digits"),
        (["FS-1", "Grace", "--role", "admin", "--password"], "short\n", "--password: a password"),
        (["FS-1", " ", "--role", "dealer", "--pin"], "3101\n", "name: a person has a name"),
        (["F S", "Grace", "--role", "dealer", "--pin"], "3101\n", "number: 'F S' is none"),
        (["dl-210", "Grace", "--role", "dealer", "--pin"], "3101\n", "number: DL-210 is somebody"),
        (
            ["FS-1", "Grace", "--role", "dealer", "--pin", "--by", "DL-210"],
            "3101\n",
            "--by: DL-210 is no admin",
        ),
    ],
)
def test_who_cannot_be_employed_is_not(employ, dealer, arguments, typed, said):
    with pytest.raises(CommandError) as refused:
        employ(*arguments, typed=typed)

    assert str(refused.value).startswith(said)
    assert list(Employee.objects.all()) == [dealer]
    assert not AuditRow.objects.filter(action="employee.employed").exists()
