"""A tablet at a table of the demo casino, with whoever is signed in there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from casino.properties.models import Property
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.services.devices import enrol, make_enrolment
from tables.demo import house
from tables.floor.models import Table, TableSession
from tables.floor.selectors import latest_session
from tests import factories

PINS = {person.number: person.pin for person in house.STAFF}


@dataclass
class Tablet:
    """An enrolled browser at one table."""

    table: Table
    client: Client = field(default_factory=Client)
    answer: Any = None

    def sign_in(self, number: str) -> Tablet:
        """Sign in by number and PIN."""
        given = {"number": number, "pin": PINS[number]}
        assert self.client.post("/sign-in/tablet/", given).status_code == 302
        return self

    def look(self, query: str = "") -> str:
        """Return the screen as text."""
        self.answer = self.client.get(f"/tablet/{query}")
        return self.answer.content.decode()

    def do(self, act: str, *, key: str | None = None, **given: object) -> HttpResponse:
        """Send an act as the page's own script does, with a key of its own."""
        self.answer = self.client.post(
            f"/tablet/{act}/",
            {"key": key or str(uuid4()), **given},
            headers={"HX-Request": "true"},
        )
        return self.answer

    def done(self, act: str, **given: object) -> str:
        """Send an act that is not refused; return the screen that follows."""
        answer = self.do(act, **given)
        text = answer.content.decode()
        assert answer.status_code == 200, text
        return text

    @property
    def session(self) -> TableSession:
        """Return the session as it stands now."""
        found = latest_session(self.table)
        assert found is not None
        return found

    def open(self, *, pieces: dict[int, int] | None = None) -> Tablet:
        """Count what the demo tray holds, sign, and open the table."""
        spec = next(spec for spec in house.TABLES if spec.code == self.table.code)
        self.done("open")
        self.done("count", **as_fields(pieces or spec.tray))
        self.sign("count/witness")
        self.done("open/confirm")
        return self

    def sign(self, act: str, **given: object) -> str:
        """Send an act that the floor signs."""
        return self.done(act, floor_number="FS-031", floor_pin=PINS["FS-031"], **given)

    def seat(self, *seats: int) -> Tablet:
        """Seat one of the demo's patrons at each seat."""
        for seat in seats:
            patron = factories.a_patron(self.table.property, f"P{seat}")
            self.done("seat", seat=seat, patron=patron.pk)
        return self


def as_fields(pieces: dict[int, int]) -> dict[str, int]:
    """Return a count as its form sends it."""
    return {f"pieces_{value}": number for value, number in pieces.items()}


@pytest.fixture
def casino(db: None) -> Property:
    """Furnish the demo casino; nothing was played in it."""
    return factories.a_casino()


@pytest.fixture
def enrolled(casino: Property) -> Callable[[str], Tablet]:
    """Return a factory of tablets, by the code of their table."""

    def at(code: str) -> Tablet:
        table = factories.a_table(casino, code)
        now = timezone.now()
        token = make_enrolment(property=casino, place=table.ref, name=f"Tablet {code}", at=now)
        tablet = Tablet(table=table)
        tablet.client.cookies[DEVICE_COOKIE] = enrol(token=token, at=now).secret
        return tablet

    return at


@pytest.fixture
def tiles(enrolled: Callable[[str], Tablet]) -> Tablet:
    """Return the tablet of the tiles table, a dealer signed in."""
    return enrolled("T1").sign_in("DL-210")


@pytest.fixture
def cards(enrolled: Callable[[str], Tablet]) -> Tablet:
    """Return the tablet of the card table, a dealer signed in."""
    return enrolled("T2").sign_in("DL-214")
