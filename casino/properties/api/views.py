"""The property that a client belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.timezone import now
from rest_framework.request import Request
from typing_extensions import override

from casino.properties.api.serializers import PropertyOutput, PropertyParameters
from casino.properties.selectors import Calendar, get_calendar
from casino.web.api import ReadView, request_property_id


class PropertyView(ReadView):
    """Zone, day start, shift table and the bounds of recent gaming days."""

    required_scopes = {"GET": ["tables:read"]}
    parameters = PropertyParameters
    output = PropertyOutput

    @override
    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> Calendar:
        """Return the client's own property."""
        return get_calendar(request_property_id(request), at=now(), days_shown=asked["days"])
