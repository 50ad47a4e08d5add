"""The published contract says every status that can come, problem documents included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.contrib.django_oauth_toolkit import DjangoOAuthToolkitScheme
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiParameter

from casino.web.api import ListView, WriteView
from casino.web.problems import MEDIA_TYPE

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
    "405": "The resource has no such method",
    "406": "Answers are JSON",
    "429": "Too many requests",
    "500": "A fault of the service",
    "503": "The database does not answer",
}
OF_A_PATH_WITH_PARTS: Final = {"404": "There is none in this client's property"}
OF_A_WRITE: Final = {
    "404": "Something that the request names does not exist in this client's property",
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


class BearerScheme(DjangoOAuthToolkitScheme):  # type: ignore[misc]  # ships no types
    """Describes `BearerAuthentication` as the toolkit's own is described."""

    target_class = "casino.web.access.BearerAuthentication"


class ProblemAutoSchema(AutoSchema):  # type: ignore[misc]  # drf-spectacular ships no types
    """Describes the views of `casino.web.api` from their class attributes."""

    def get_override_parameters(self) -> list[Any]:
        """Return query parameters and headers that the view states."""
        if self._is_write():
            return [IDEMPOTENCY_KEY]
        stated = getattr(self.view, "parameters", None)
        return [stated] if stated and stated._declared_fields else []

    def get_request_serializer(self) -> Any:
        """Return what the body must be."""
        return getattr(self.view, "input", None) if self.method == "POST" else None

    def get_response_serializers(self) -> Any:
        """Return what a success looks like, by status."""
        output = getattr(self.view, "output", None)
        if output is None:
            return super().get_response_serializers()
        if self._is_write():
            written = self.view.written or output
            return dict.fromkeys(map(str, self.view.success), written)
        if isinstance(self.view, ListView):
            return {"200": self._page_of(output)}
        return {"200": output}

    def _is_list_view(self, serializer: Any = None) -> bool:
        return isinstance(self.view, ListView) and not self._is_write()

    def _is_write(self) -> bool:
        return self.method == "POST" and isinstance(self.view, WriteView)

    def _page_of(self, output: Any) -> dict[str, Any]:
        row = self.resolve_serializer(output(), "response")
        page = ResolvedComponent(
            name=f"{row.name}Page",
            type=ResolvedComponent.SCHEMA,
            object=f"{row.name}Page",
            schema={
                "type": "object",
                "required": ["data", "next_cursor", "has_more"],
                "properties": {
                    "data": {"type": "array", "items": row.ref},
                    "next_cursor": {"type": ["string", "null"]},
                    "has_more": {"type": "boolean"},
                },
            },
        )
        self.registry.register_on_missing(page)
        return page.ref

    def _get_response_bodies(self, direction: str = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        problem = ResolvedComponent(
            name="Problem", type=ResolvedComponent.SCHEMA, object="Problem", schema=PROBLEM
        )
        self.registry.register_on_missing(problem)
        content = {MEDIA_TYPE: {"schema": problem.ref}}
        for status, description in self._problems().items():
            bodies.setdefault(status, {"description": description, "content": content})
        return dict(sorted(bodies.items()))

    def _problems(self) -> Mapping[str, str]:
        return {
            **OF_EVERY_REQUEST,
            **(OF_A_PATH_WITH_PARTS if "{" in self.path else {}),
            **(OF_A_WRITE if self.method == "POST" else {}),
        }
