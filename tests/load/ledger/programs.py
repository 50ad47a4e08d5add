"""A round that a program sends, by HTTP and by the service behind it, in the same process.

The ledger has no endpoint that posts an entry: what moves is told by rounds and events of the
floor, so `POST /rounds` is the nearest. Both ways check, settle, write and post the same round;
by HTTP come the middleware, the token, the key of the request, the validation and the answer.
"""

from __future__ import annotations

import itertools
import random
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from django.utils.timezone import now

from casino.staff.actors import client_actor
from casino.staff.roles import Role
from tables.demo.loading import furnish, signer_at
from tables.demo.shift import Crew, TableShift
from tables.floor.models import Patron, Table, TableSession
from tables.rounds.models import Source
from tables.rounds.services.settling import record_round
from tests.load.ledger.worker import Act
from tests.programs import Program

ROUND: Final[dict[str, Any]] = {
    "bank": {"holder": "house", "hand": ["65", "55", "62", "51"], "set": "house_way"},
    "seats": [
        {"seat": 1, "wager": 10_000, "hand": ["42", "21", "31", "41"], "set": "house_way"},
        {
            "seat": 2,
            "wager": 5_000,
            "hand": ["43", "22", "63", "31"],
            "set": {"low": ["43", "22"], "high": ["63", "31"]},
        },
    ],
}
"""Tiles: the house pays one seat and takes the other's wager; six postings of one entry."""

OPENED_BEFORE: Final = timedelta(minutes=30)
"""The opening of a table takes some minutes of the floor's clock."""


def rest(*, seed: str) -> Act:
    """Send rounds through the whole of Django's stack, without a network."""
    session = open_session(seed)
    program = Program(scopes=["rounds:write"], property_id=session.property_id, name=uuid4().hex)
    numbers = itertools.count()

    def act() -> int:
        body = {
            "table_session": f"ses_{session.pk}",
            "occurred_at": now().isoformat(),
            "round": ROUND,
        }
        answer = program.post("/rounds", body, key=f"{program.name}-{next(numbers)}")
        assert answer.status_code == 201, answer.content
        return 1

    return act


def service(*, seed: str) -> Act:
    """Record the same rounds by the service that the endpoint calls."""
    session = open_session(seed)
    actor = client_actor(name="bench", property_id=session.property_id)

    def act() -> int:
        at = now()
        record_round(
            session_id=session.pk,
            given=ROUND,
            source=Source.API,
            actor=actor,
            occurred_at=at,
            at=at,
        )
        return 1

    return act


def open_session(seed: str) -> TableSession:
    """Return the open session of the demo casino's tiles table, opened at the first call."""
    found = TableSession.objects.filter(table__code="T1").first()
    if found is not None:
        return found
    casino = furnish(now())
    table = Table.objects.select_related("profile", "property").get(property=casino, code="T1")
    crew = Crew(
        dealer=signer_at(table, "DL-210", Role.DEALER).actor,
        floor=signer_at(table, "FS-031", Role.FLOOR_SUPERVISOR),
        pit_boss=signer_at(table, "PB-004", Role.PIT_BOSS),
    )
    patrons = Patron.objects.filter(property=casino).order_by("ref")
    shift = TableShift(
        table=table,
        crew=crew,
        patrons=dict(enumerate(patrons[:3], start=1)),
        random=random.Random(seed),
        clock=now() - OPENED_BEFORE,
    )
    shift.open()
    return shift.session
