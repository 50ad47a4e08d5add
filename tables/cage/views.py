"""The door for programs: tables, sessions and rounds to read, and a round to record and settle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.timezone import now
from rest_framework import serializers
from rest_framework.request import Request
from typing_extensions import override

from casino.staff.actors import client_actor
from casino.web.access import reaches
from casino.web.api import (
    ListView,
    PageParameters,
    ReadView,
    WriteView,
    request_client,
    request_property_id,
)
from casino.web.errors import NotFoundError
from casino.web.ids import read_id
from casino.web.inputs import DayField
from casino.web.once import Answer
from tables.cage.serializers import (
    RoundDetailOutput,
    RoundInput,
    RoundOutput,
    SegmentsOutput,
    SessionOutput,
    TableOutput,
    TotalsOutput,
    show_round,
    show_round_detail,
    show_segment,
    show_session,
    show_table,
    show_totals,
)
from tables.floor.models import Table, TableSession
from tables.floor.states import LIVE, SessionState
from tables.rounds.models import Round, Source
from tables.rounds.services.settling import record_round
from tables.rounds.states import RoundState
from tables.settlement.models import SessionTotals

READ_TABLES = {"GET": ["tables:read"]}
ROUNDS = {"GET": ["rounds:read"], "POST": ["rounds:write"]}


def _tables(request: Request) -> QuerySet[Table]:
    return Table.objects.filter(property_id=request_property_id(request)).select_related(
        "pit", "profile", "property"
    )


def _sessions(request: Request) -> QuerySet[TableSession]:
    return TableSession.objects.filter(property_id=request_property_id(request)).select_related(
        "table", "profile", "property", "opener"
    )


def _rounds(request: Request) -> QuerySet[Round]:
    return Round.objects.filter(property_id=request_property_id(request)).select_related(
        "session__table", "session__property", "profile"
    )


def _session(request: Request, session_id: str) -> TableSession:
    found = _sessions(request).filter(pk=read_id("ses", session_id)).first()
    if found is None:
        raise NotFoundError(f"There is no {session_id!r}.")
    return found


def _show_tables(request: Request, tables: Iterable[Table]) -> list[dict[str, Any]]:
    tables = list(tables)
    live = {
        session.table_id: session
        for session in _sessions(request).filter(table__in=tables, state__in=LIVE)
    }
    exact = reaches(request, "ledger:read")
    at = now()
    return [
        show_table(table, live.get(table.pk), at=at, exact=exact) | {"place": table.pk}
        for table in tables
    ]


class TableListView(ListView):
    """The tables of the client's property."""

    required_scopes = READ_TABLES
    output = TableOutput

    @override
    def page(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        after: int | None,
        limit: int,
        **path: Any,
    ) -> Iterable[Any]:
        return _show_tables(
            request, _tables(request).filter(pk__gt=after or 0).order_by("pk")[:limit]
        )


class TableView(ReadView):
    """One table."""

    required_scopes = READ_TABLES
    output = TableOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> Any:
        found = _show_tables(request, _tables(request).filter(pk=read_id("tbl", path["table_id"])))
        if not found:
            raise NotFoundError(f"There is no {path['table_id']!r}.")
        return found[0]


class SessionParameters(PageParameters):
    """Which sessions to list."""

    table = serializers.CharField(required=False, max_length=20, help_text="`T1`")
    gaming_day = DayField(required=False)
    status = serializers.ChoiceField(required=False, choices=SessionState.values)


class SessionListView(ListView):
    """The table sessions of the client's property, in the order in which they began."""

    required_scopes = READ_TABLES
    parameters = SessionParameters
    output = SessionOutput

    @override
    def page(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        after: int | None,
        limit: int,
        **path: Any,
    ) -> Iterable[Any]:
        columns = {"table": "table__code", "gaming_day": "gaming_day", "status": "state"}
        filters = {columns[name]: value for name, value in asked.items()}
        found = _sessions(request).filter(pk__gt=after or 0, **filters).order_by("pk")[:limit]
        return [show_session(session) for session in found]


class SessionView(ReadView):
    """One table session with the rules that it froze."""

    required_scopes = READ_TABLES
    output = SessionOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> Any:
        return show_session(_session(request, path["session_id"]))


class SegmentListView(ReadView):
    """The segments of a session."""

    required_scopes = READ_TABLES
    output = SegmentsOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> Any:
        session = _session(request, path["session_id"])
        segments = session.segments.select_related("opener", "closer").order_by("number")
        currency = session.property.currency
        return {"segments": [show_segment(segment, currency) for segment in segments]}


class TotalsView(ReadView):
    """The totals of a session, once it is settled provisionally."""

    required_scopes = {"GET": ["ledger:read"]}
    output = TotalsOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> Any:
        session = _session(request, path["session_id"])
        totals = (
            SessionTotals.objects.filter(run__session=session, estimated_win__isnull=False)
            .select_related("run")
            .order_by("-run__version")
            .first()
        )
        if totals is None:
            raise NotFoundError(f"{path['session_id']!r} is not settled yet.")
        return show_totals(totals, session.property.currency)


class RoundParameters(PageParameters):
    """Which rounds to list."""

    table_session = serializers.CharField(required=False, max_length=40, help_text="`ses_12`")
    table = serializers.CharField(required=False, max_length=20, help_text="`T1`")
    gaming_day = DayField(required=False)
    status = serializers.ChoiceField(required=False, choices=RoundState.values)


class RoundListView(ListView):
    """The rounds of the client's property, in the order in which they began."""

    required_scopes = ROUNDS
    parameters = RoundParameters
    output = RoundOutput

    @override
    def page(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        after: int | None,
        limit: int,
        **path: Any,
    ) -> Iterable[Any]:
        columns = {"table": "session__table__code", "gaming_day": "gaming_day", "status": "state"}
        filters = {columns[name]: value for name, value in asked.items() if name in columns}
        if "table_session" in asked:
            filters["session_id"] = read_id("ses", asked["table_session"])
        found = _rounds(request).filter(pk__gt=after or 0, **filters).order_by("pk")[:limit]
        return [show_round(round_) for round_ in found]


class RoundsView(RoundListView, WriteView):
    """The rounds, and the door for a new one: recorded and settled in one call."""

    input = RoundInput
    written = RoundDetailOutput

    @override
    def act(
        self, request: Request, data: Mapping[str, Any], *, at: datetime, **path: Any
    ) -> Answer:
        session = _session(request, data["table_session"])
        settled = record_round(
            session_id=session.pk,
            given=data["round"],
            source=Source.API,
            actor=client_actor(name=request_client(request).name, property_id=session.property_id),
            occurred_at=data["occurred_at"],
            at=at,
        )
        return self.answer(show_round_detail(settled.round))


class RoundView(ReadView):
    """One round with its record, its result and the written steps."""

    required_scopes = {"GET": ["rounds:read"]}
    output = RoundDetailOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> Any:
        round_ = _rounds(request).filter(pk=read_id("rnd", path["round_id"])).first()
        if round_ is None:
            raise NotFoundError(f"There is no {path['round_id']!r}.")
        return show_round_detail(round_)
