"""Whom a name or a number on a badge means."""

from __future__ import annotations

from casino.properties.models import Property
from casino.staff.models import Employee
from casino.staff.selectors import full_number


def find_people(casino: Property, text: str) -> list[Employee]:
    """Return who has this number, or else everybody whose name contains *text*.

    Those who left are found too: their entries stand.
    """
    people = Employee.objects.filter(property=casino).order_by("number")
    by_number = list(people.filter(number=full_number(casino.pk, text)))
    return by_number or list(people.filter(name__icontains=text.strip()))
