"""Every answer of the API follows one dated version of the contract, and says which.

Source: cage-integration.md 8.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from casino.web.access import request_client
from casino.web.errors import Refusal

HEADER: Final = "TableOps-Version"


class UnknownVersionError(Refusal):
    """The request names a date at which no version of the contract was made."""

    code = "unknown_version"
    status = 400
    title = "There is no such version of the contract"


def follow_version(request: Request) -> str:
    """Return the dated version that the answer to *request* follows.

    It is the one that the request names, else the one that its client is pinned to; without a
    client the newest.

    Raises:
        UnknownVersionError: it names none that is served.
    """
    named = request.headers.get(HEADER)
    if named is None:
        version = request_client(request).api_version if request.auth else settings.API_VERSION
    elif named in settings.API_VERSIONS:
        version = named
    else:
        raise UnknownVersionError(
            f"{HEADER} is one of {', '.join(settings.API_VERSIONS)}.",
            errors=[{"header": HEADER, "detail": "There is no version of this date."}],
            versions=list(settings.API_VERSIONS),
        )
    request._request.api_version = version  # type: ignore[attr-defined]  # see version_of
    return version


def version_of(request: HttpRequest) -> str:
    """Return the dated version that the answer follows; where none was decided, the newest."""
    followed: Any = getattr(request, "api_version", settings.API_VERSION)
    return str(followed)
