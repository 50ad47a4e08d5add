"""Whether a token reaches as far as a view asks, and whose property it stands in.

Apart from `casino.web.api`, because REST framework reads its default permission while its views
are still being imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from django.http import HttpRequest
from oauth2_provider.contrib.rest_framework import OAuth2Authentication, TokenHasScope
from rest_framework.request import Request

from casino.web.errors import Refusal
from casino.web.models import ApiClient


class ScopedView(Protocol):
    """A view that states its scopes."""

    required_scopes: Mapping[str, Iterable[str]]
    http_method_names: Sequence[str]


class InsufficientScopeError(Refusal):
    """The token is valid, and does not carry the scope that this needs."""

    code = "insufficient_scope"
    status = 403
    title = "The token does not carry the scope that this needs"


class BearerAuthentication(OAuth2Authentication):  # type: ignore[misc]  # no types
    """A token in the `Authorization` header, and nowhere else."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return no user and the token, or None where there is none that is valid."""
        # The toolkit would also read address and body, where a token must not be looked for and
        # where a form that cannot be read would be a fault of ours.
        alone = HttpRequest()
        alone.method, alone.path = request.method, request.path
        alone.META = {**request.META, "QUERY_STRING": ""}
        found: tuple[Any, Any] | None = super().authenticate(alone)
        # Read for the challenge.
        request.oauth2_error = getattr(alone, "oauth2_error", {})  # type: ignore[attr-defined]
        return found


class HasScope(TokenHasScope):  # type: ignore[misc]  # the toolkit ships no types
    """The token carries what the view's `required_scopes` asks for the method.

    A method that the view does not name is refused, so a forgotten line opens nothing.
    """

    def has_permission(self, request: Request, view: ScopedView) -> bool:
        """Return whether there is a token at all.

        Raises:
            InsufficientScopeError: its scopes or its client do not reach that far.
        """
        token: Any = request.auth
        if token is None:
            return False
        scopes = self.get_scopes(request, view)
        if not token.allow_scopes(scopes):
            raise InsufficientScopeError(
                f"This needs {' and '.join(scopes)}.", required_scopes=scopes
            )
        request_client(request)
        return True

    def get_scopes(self, request: Request, view: ScopedView) -> list[str]:
        """Return the scopes that *request* needs; HEAD needs those of GET."""
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method in view.required_scopes:
            return list(view.required_scopes[method])
        # Nothing answers this method: after any token it gets the 405 that says so.
        is_answered = method.lower() in view.http_method_names and hasattr(view, method.lower())
        assert not is_answered, f"{view} names no scopes for {method}"
        return []


def request_client(request: Request) -> ApiClient:
    """Return the client that the request's token belongs to.

    Raises:
        InsufficientScopeError: the token was given to no client of a property.
    """
    client = getattr(request, "_api_client", None)
    if client is None:
        token: Any = request.auth
        client = ApiClient.objects.filter(application_id=token.application_id).first()
        if client is None:
            raise InsufficientScopeError("This client serves no property.", required_scopes=[])
        request._api_client = client  # type: ignore[attr-defined]  # one query for a request
    return client


def request_property_id(request: Request) -> int:
    """Return the one property whose records the request may see."""
    return request_client(request).property_id


def request_actor(request: Request) -> str:
    """Return who acts, as ledger, audit trail and events say it: `client:cage-1`."""
    return request_client(request).actor


def reaches(request: Request, scope: str) -> bool:
    """Return whether the request's token carries *scope* besides what its view needs."""
    token: Any = request.auth
    return bool(token.allow_scopes([scope]))
