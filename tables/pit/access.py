"""Who reads what at the pit: nobody who will count a tray learns what should be in it.

Source: table-operations.md 15, "Ledger read" and "View exact expected tray before the tray count".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.http import HttpRequest

from casino.properties.models import Property
from casino.staff.actors import Actor
from casino.staff.models import Signature
from casino.staff.roles import Role
from casino.staff.sessions import actor_of, device_of, employee_of
from ledger.chart import Number, Place
from tables.chips.models import Count
from tables.floor.models import TableSession, TraySight
from tables.floor.selectors import find_table
from tables.floor.services.sessions import note_tray_sight
from tables.floor.states import LIVE

WHOLE_PIT: Final = (Role.PIT_BOSS, Role.SURVEILLANCE, Role.AUDITOR)
"""They read every table of the property, and see the exact expected tray."""
READERS: Final = (*WHOLE_PIT, Role.FLOOR_SUPERVISOR)
"""A floor supervisor reads the books of own tables alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who looks, and from where."""

    actor: Actor
    casino: Property
    own_table_id: int | None
    """The table at whose tablet a person sits; None at a console."""

    @property
    def employee_id(self) -> int:
        """Return the person's key."""
        assert self.actor.employee_id is not None, "pages are shown to people"
        return self.actor.employee_id

    @property
    def reads_whole_pit(self) -> bool:
        """Return whether every table is this person's to read."""
        return self.actor.role in WHOLE_PIT

    def sees_tray_of(self, session: TableSession) -> bool:
        """Tell whether this person may know what should be in the tray of *session*."""
        return self.reads_whole_pit or session.state not in LIVE

    def sessions(self) -> QuerySet[TableSession]:
        """Return the sessions whose books this person reads.

        A floor supervisor's own are those whose tray this person has signed for, and the one
        that runs at the table where this person sits.
        """
        sessions = TableSession.objects.filter(property=self.casino).select_related(
            "table__pit", "profile", "property", "opener", "closer"
        )
        if self.reads_whole_pit:
            return sessions
        signed = Signature.objects.filter(
            property=self.casino,
            employee_id=self.employee_id,
            document=Concat(Value("count:"), Cast(OuterRef("pk"), CharField())),
        )
        counts = Count.objects.filter(Exists(signed), session=OuterRef("pk"))
        return sessions.filter(Q(Exists(counts)) | Q(table_id=self.own_table_id, state__in=LIVE))

    def note_trays(self, codes: Iterable[str], *, at: datetime) -> None:
        """Remember that this person was shown what the accounts *codes* hold (SOD-14).

        A balance of a tray tells the exact tray of the session that runs there; the sum of all
        trays (`1120`) tells of each of them, to who knows the others.
        """
        self.note_sights(running_at(self.casino, codes), at=at)

    def note_sights(self, sessions: Iterable[TableSession], *, at: datetime) -> None:
        """Remember that this person was shown the exact trays of running *sessions* (SOD-14)."""
        running = {session.pk: session for session in sessions if session.state in LIVE}
        noted = TraySight.objects.filter(session__in=running, employee_id=self.employee_id)
        for known in noted.values_list("session_id", flat=True):
            del running[known]
        for session in running.values():
            note_tray_sight(session=session, employee_id=self.employee_id, at=at)


def running_at(casino: Property, codes: Iterable[str]) -> list[TableSession]:
    """Return the running sessions of whose trays the accounts *codes* tell."""
    trays = [code for code in codes if code.split("/")[0] == Number.TRAY]
    if not trays:
        return []
    running = TableSession.objects.filter(property=casino, state__in=LIVE)
    tables = [table for table in map(table_of, trays) if table is not None]
    if len(tables) == len(trays):
        running = running.filter(table_id__in=tables)
    return list(running.order_by("pk"))


def table_of(code: str) -> int | None:
    """Return the key of the table whose account *code* is; None where it is no table's."""
    for part in code.split("/"):
        kind, _colon, key = part.partition(":")
        if kind == Place.TABLE:
            return int(key)
    return None


def reader_of(request: HttpRequest) -> Reader:
    """Return the signed-in person as a reader of the books."""
    employee, device = employee_of(request), device_of(request)
    assert employee is not None, "page_for lets only people in"
    table = find_table(device.property_id, device.place) if device else None
    return Reader(
        actor=actor_of(request),
        casino=employee.property,
        own_table_id=table.pk if table else None,
    )
