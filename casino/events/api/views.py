"""The event feed: a client that lost sight of anything reads on from the last number it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from typing_extensions import override

from casino.events import selectors
from casino.events.api.serializers import EventOutput
from casino.events.models import OutboxEvent
from casino.web.api import ListView, PageParameters, ReadView, request_property_id
from casino.web.ids import LARGEST, read_id

SCOPES = {"GET": ["events:read"]}


class EventParameters(PageParameters):
    """Where to read on, and what to leave out."""

    after_sequence = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        default=0,
        help_text="Events above this number; 0 from the beginning.",
    )
    type = serializers.CharField(
        required=False,
        max_length=80,
        help_text="Events of this type only, e.g. `table_session.opened`.",
    )


class EventListView(ListView):
    """The numbered events of the client's property."""

    required_scopes = SCOPES
    parameters = EventParameters
    output = EventOutput

    @override
    def page(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        after: int | None,
        limit: int,
        **path: Any,
    ) -> Iterable[OutboxEvent]:
        """Return the events above the cursor, or else above `after_sequence`."""
        return selectors.feed(
            request_property_id(request),
            after_sequence=asked["after_sequence"] if after is None else after,
            types=[asked["type"]] if "type" in asked else [],
            limit=limit,
        )

    @override
    def place(self, row: OutboxEvent) -> int:
        """Return the event's number."""
        assert row.sequence is not None
        return row.sequence


class EventView(ReadView):
    """One event of the client's property."""

    required_scopes = SCOPES
    output = EventOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> OutboxEvent:
        """Return the event; until it is numbered there is none to be read."""
        return selectors.get_event(request_property_id(request), read_id("evt", path["event_id"]))
