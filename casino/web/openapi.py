"""The published contract says every status that can come, problem documents included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from drf_spectacular.contrib.django_oauth_toolkit import DjangoOAuthToolkitScheme
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction, OpenApiParameter
from typing_extensions import override

from casino.web.api import ListView, WriteView
from casino.web.problems import MEDIA_TYPE
from casino.web.versions import HEADER

FAULT: Final = {
    "type": "object",
    "required": ["detail"],
    "properties": {
        "pointer": {
            "type": "string",
            "description": "JSON pointer into the body; empty: all of it",
        },
        "parameter": {"type": "string", "description": "name of a query parameter"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
    },
}
PROBLEM_MEMBERS: Final = {
    "type": {"type": "string", "format": "uri"},
    "title": {"type": "string"},
    "status": {"type": "integer"},
    "detail": {"type": "string"},
    "instance": {"type": "string"},
    "code": {"type": "string"},
    "request_id": {"type": "string"},
    "retryable": {"type": "boolean"},
    "errors": {"type": "array", "items": FAULT},
}
PROBLEM: Final = {
    "type": "object",
    "description": "RFC 9457; a code may bring members of its own.",
    "required": list(PROBLEM_MEMBERS),
    "properties": PROBLEM_MEMBERS,
}

OF_EVERY_REQUEST: Final = {
    "400": "A parameter, header or body that cannot be read",
    "401": "No valid access token",
    "403": "The token does not reach that far",
    "404": "What the path or a filter names is not in this client's property",
    "405": "The resource has no such method",
    "406": "Answers are JSON",
    "429": "Too many requests",
    "500": "A fault of the service",
    "503": "The database does not answer",
}
OF_A_WRITE: Final = {
    "409": "The state of things forbids it",
    "412": "The document has changed since",
    "413": "The body is too large",
    "415": "The body is not JSON",
    "422": "A member of the body is not valid",
    "428": "The version of the document is needed",
}

IDEMPOTENCY_KEY: Final = OpenApiParameter(
    name="Idempotency-Key",
    location=OpenApiParameter.HEADER,
    required=True,
    type={"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]{1,64}$"},
    description="New for each act, the same when a request is sent again. Kept for 30 days.",
)
DATED: Final = {"type": "string", "format": "date"}
VERSION: Final = OpenApiParameter(
    name=HEADER,
    location=OpenApiParameter.HEADER,
    type={**DATED, "enum": list(settings.API_VERSIONS)},
    description="The dated version to answer by; else that of the client's registration.",
)
VERSION_SAID: Final = {
    "description": "The dated version that the answer follows",
    "required": True,
    "schema": DATED,
}
RETRY_AFTER: Final = {
    "description": "Seconds after which the same request may be sent again",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}
RETRYABLE: Final = frozenset({"429", "503"})


class BearerScheme(DjangoOAuthToolkitScheme):  # type: ignore[no-untyped-call]  # ships none
    """Describes `BearerAuthentication` as the toolkit's own is described."""

    target_class = "casino.web.access.BearerAuthentication"


class ProblemAutoSchema(AutoSchema):
    """Describes the views of `casino.web.api` from their class attributes."""

    @override
    def get_override_parameters(self) -> list[Any]:
        """Return query parameters and headers that the view states."""
        if self._is_write():
            return [VERSION, IDEMPOTENCY_KEY]
        stated = getattr(self.view, "parameters", None)
        return [VERSION, *([stated] if stated and stated._declared_fields else [])]

    @override
    def get_request_serializer(self) -> Any:
        """Return what the body must be."""
        return getattr(self.view, "input", None) if self.method == "POST" else None

    @override
    def get_response_serializers(self) -> Any:
        """Return what a success looks like, by status."""
        output = getattr(self.view, "output", None)
        if output is None:
            return super().get_response_serializers()
        if isinstance(self.view, WriteView) and self._is_write():
            written = self.view.written or output
            return dict.fromkeys(map(str, self.view.success), written)
        if isinstance(self.view, ListView):
            return {"200": self._page_of(output)}
        return {"200": output}

    @override
    def _is_list_view(self, serializer: Any = None) -> bool:
        # It would be described as a bare array; a page is an object.
        return False

    @override
    def get_operation_id(self) -> str:
        """Return a name that tells a list from one of its rows."""
        name: str = super().get_operation_id()
        is_list = isinstance(self.view, ListView) and not self._is_write()
        return f"{name.removesuffix('_retrieve')}_list" if is_list else name

    def _is_write(self) -> bool:
        return self.method == "POST" and isinstance(self.view, WriteView)

    def _page_of(self, output: Any) -> dict[str, Any]:
        row = self.resolve_serializer(output(), "response")
        members = {
            "data": {"type": "array", "items": row.ref},
            "next_cursor": {"type": ["string", "null"]},
            "has_more": {"type": "boolean"},
        }
        return self._component(
            f"{row.name}Page",
            {"type": "object", "required": list(members), "properties": members},
        )

    def _component(self, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        component = ResolvedComponent(  # type: ignore[no-untyped-call]  # ships no types
            name=name, type=ResolvedComponent.SCHEMA, object=name, schema=schema
        )
        self.registry.register_on_missing(component)
        return component.ref

    @override
    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        content = {MEDIA_TYPE: {"schema": self._component("Problem", PROBLEM)}}
        for status, description in self._problems().items():
            bodies.setdefault(status, {"description": description, "content": content})
        for status, body in bodies.items():
            body["headers"] = {**body.get("headers", {}), **_headers(status)}
        return dict(sorted(bodies.items()))

    def _problems(self) -> Mapping[str, str]:
        return {
            **OF_EVERY_REQUEST,
            **(OF_A_WRITE if self.method == "POST" else {}),
        }


def _headers(status: str) -> dict[str, Any]:
    retry = {"Retry-After": RETRY_AFTER} if status in RETRYABLE else {}
    return {HEADER: VERSION_SAID, **retry}
