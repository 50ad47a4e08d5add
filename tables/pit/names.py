"""Who and what the books name by plain string, looked up together: a page asks once for each kind.

A name that finds nothing is shown as the books hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.staff.models import Employee
from ledger.chart import Place
from ledger.selectors import EntryDetail, EntryRow, StatementRow
from tables.art.records import Words
from tables.chips.models import Count, CountKind
from tables.floor.models import Table, TableSession
from tables.money.models import BuyIn
from tables.pit.words import PLACES, VALUES
from tables.rounds.models import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What an entry came from, and the page that shows it."""

    words: Words
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Everything that one page names."""

    employees: Mapping[int, str] = field(default_factory=dict)
    tables: Mapping[int, str] = field(default_factory=dict)
    sessions: Mapping[int, str] = field(default_factory=dict)
    causes: Mapping[int, Cause] = field(default_factory=dict)
    """By the key of the entry."""

    def actor(self, actor: str) -> str:
        """Return `employee:12` as its person, a program or a part of the service by name."""
        kind, _colon, ref = actor.partition(":")
        match kind:
            case "employee" if ref.isdecimal():
                return self.employees.get(int(ref), actor)
            case "client":
                return _("program %(name)s") % {"name": ref}
            case "system":
                return _("service, %(part)s") % {"part": ref}
        return actor

    def place(self, code: str) -> str:
        """Return the sub-account of *code* in words: `1220/session:7/seat:3`."""
        return ", ".join(self._part(part) for part in code.split("/")[1:])

    def table(self, ref: str) -> str:
        """Return `table:3` as people call it."""
        kind, _colon, key = ref.partition(":")
        if kind != Place.TABLE or not key.isdecimal():
            return ref
        return self.tables.get(int(key), ref)

    def session_key(self, ref: str) -> int | None:
        """Return the key behind `session:7`, where that session is named here."""
        return next(iter(_keys([ref], Place.SESSION) & self.sessions.keys()), None)

    def _part(self, part: str) -> str:
        kind, _colon, ref = part.partition(":")
        if kind == Place.TABLE and ref.isdecimal():
            ref = self.tables.get(int(ref), ref)
        elif kind == Place.SESSION and ref.isdecimal():
            ref = self.sessions.get(int(ref), ref)
        word = PLACES[Place(kind)] if kind in PLACES else kind
        return f"{word} {VALUES.get((kind, ref), ref)}"


def name_actors(actors: Iterable[str]) -> Names:
    """Return the names of *actors*."""
    return Names(employees=_employees(actors))


def name_entries(property_id: int, entries: Iterable[EntryDetail]) -> Names:
    """Return the names of everything that *entries* mention."""
    entries = list(entries)
    rows = [each.entry for each in entries]
    codes = {line.account for each in entries for line in each.lines}
    return _names(property_id, rows, codes, {row.id: row.source for row in rows})


def name_lines(property_id: int, code: str, lines: Sequence[StatementRow]) -> Names:
    """Return the names of everything that a statement of the account *code* mentions."""
    return _names(property_id, lines, {code}, {line.entry_id: line.source for line in lines})


def name_codes(property_id: int, codes: Iterable[str]) -> Names:
    """Return the names of what the accounts *codes* belong to."""
    return _names(property_id, (), codes, {})


def session_title(table: str, number: int) -> str:
    """Return how people call a session: its table, and which of its sessions it is."""
    return f"{table} #{number}"


def round_title(number: int, version: int) -> str:
    """Return how people call a round; its version is said once it was played again."""
    if version == 1:
        return _("Round %(number)d") % {"number": number}
    return _("Round %(number)d, version %(version)d") % {"number": number, "version": version}


def count_title(kind: str, attempt: int) -> str:
    """Return how people call a count; the second of a kind is a recount."""
    titles = {
        (CountKind.OPENER, 1): _("Opener"),
        (CountKind.OPENER, 2): _("Opener, recount"),
        (CountKind.CLOSER, 1): _("Closer"),
        (CountKind.CLOSER, 2): _("Closer, recount"),
    }
    return titles[CountKind(kind), attempt]


def _names(
    property_id: int,
    rows: Sequence[EntryRow | StatementRow],
    codes: Iterable[str],
    sources: Mapping[int, str],
) -> Names:
    parts = {part for code in codes for part in code.split("/")}
    return Names(
        employees=_employees(actor for row in rows for actor in (row.actor, row.approver)),
        tables=_tables(property_id, parts | {row.table for row in rows}),
        sessions=_sessions(property_id, parts | {row.session for row in rows}),
        causes=_causes(property_id, sources),
    )


def _keys(names: Iterable[str], kind: str) -> set[int]:
    found = (name.split(":") for name in names)
    return {int(name[1]) for name in found if name[0] == kind and name[1].isdecimal()}


def _employees(actors: Iterable[str]) -> dict[int, str]:
    people = Employee.objects.filter(pk__in=_keys(actors, "employee"))
    return {person.pk: f"{person.name} {person.number}" for person in people}


def _tables(property_id: int, parts: Iterable[str]) -> dict[int, str]:
    found = Table.objects.filter(property_id=property_id, pk__in=_keys(parts, Place.TABLE))
    return dict(found.values_list("pk", "code"))


def _sessions(property_id: int, parts: Iterable[str]) -> dict[int, str]:
    found = TableSession.objects.filter(property_id=property_id, pk__in=_keys(parts, Place.SESSION))
    rows = found.values_list("pk", "table__code", "number")
    return {pk: session_title(table, number) for pk, table, number in rows}


def _causes(property_id: int, sources: Mapping[int, str]) -> dict[int, Cause]:
    by_source = _rounds(property_id, sources.values()) | _counts(property_id, sources.values())
    # The books name a buy-in by its seat, so its own row is found by the entry.
    by_entry = _buy_ins(property_id, sources)
    return {
        key: by_entry.get(key) or by_source.get(source) or Cause(words=source)
        for key, source in sources.items()
    }


def _rounds(property_id: int, sources: Iterable[str]) -> dict[str, Cause]:
    found = Round.objects.filter(property_id=property_id, pk__in=_keys(sources, "round"))
    return {
        f"round:{pk}": Cause(
            words=_("%(round)s, table %(table)s")
            % {"round": round_title(number, version), "table": table},
            address=reverse("pit:round", args=[pk]),
        )
        for pk, number, version, table in found.values_list(
            "pk", "number", "version", "session__table__code"
        )
    }


def _counts(property_id: int, sources: Iterable[str]) -> dict[str, Cause]:
    found = Count.objects.filter(session__property_id=property_id, pk__in=_keys(sources, "count"))
    return {
        f"count:{pk}": Cause(
            words=_("%(count)s of session %(session)s")
            % {"count": count_title(kind, attempt), "session": session_title(table, number)},
            address=f"{reverse('pit:session', args=[session])}#count-{pk}",
        )
        for pk, kind, attempt, session, table, number in found.values_list(
            "pk", "kind", "attempt", "session_id", "session__table__code", "session__number"
        )
    }


def _buy_ins(property_id: int, entry_ids: Iterable[int]) -> dict[int, Cause]:
    ids = list(entry_ids)
    found = BuyIn.objects.filter(
        Q(entry_id__in=ids) | Q(voiding__entry_id__in=ids), property_id=property_id
    ).select_related("patron", "voiding")
    causes = {}
    for buy_in in found:
        cause = Cause(
            words=_("Buy-in of %(patron)s, seat %(seat)d")
            % {"patron": buy_in.patron.name, "seat": buy_in.seat},
            address=f"{reverse('pit:session', args=[buy_in.session_id])}#buy-in-{buy_in.pk}",
        )
        causes[buy_in.entry_id] = cause
        voiding = getattr(buy_in, "voiding", None)
        if voiding is not None:
            causes[voiding.entry_id] = cause
    return causes
