"""The one place where an error becomes an HTTP answer; it tells nothing that is not the caller's.

Source: RFC 9457; cage-integration.md 6.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Protocol

from django.conf import settings
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.core.signals import got_request_exception
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.template.loader import render_to_string
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from casino.web.errors import Refusal

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
API_PREFIX = "/api/"

FRAMEWORK_CODES: Mapping[type[exceptions.APIException], tuple[str, str]] = {
    exceptions.ParseError: ("malformed_json", "The body is not JSON"),
    exceptions.NotAuthenticated: ("invalid_token", "A valid access token is needed"),
    exceptions.AuthenticationFailed: ("invalid_token", "A valid access token is needed"),
    exceptions.PermissionDenied: ("forbidden", "This client may not do this"),
    exceptions.NotFound: ("not_found", "Not found"),
    exceptions.MethodNotAllowed: ("method_not_allowed", "The resource has no such method"),
    exceptions.NotAcceptable: ("not_acceptable", "Answers are JSON"),
    exceptions.UnsupportedMediaType: ("unsupported_media_type", "Bodies are JSON"),
    exceptions.Throttled: ("rate_limited", "Too many requests"),
    exceptions.ValidationError: (
        "validation_failed",
        "A member of the request is not valid",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What went wrong, before it is dressed for one request."""

    status: int
    code: str
    title: str
    detail: str
    errors: tuple[Mapping[str, Any], ...] = ()
    retryable: bool = False
    members: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self, *, instance: str, request_id: str) -> dict[str, Any]:
        """Return the problem document for the request *request_id* to the path *instance*."""
        # The standard members come last: what a refusal adds can never stand in for one.
        return {
            **self.members,
            "type": settings.PROBLEM_TYPES_URL + self.code.replace("_", "-"),
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "instance": instance,
            "code": self.code,
            "request_id": request_id,
            "retryable": self.retryable,
            "errors": list(self.errors),
        }


def problem(
    status: int,
    code: str,
    title: str,
    detail: str,
    *,
    request: HttpRequest,
    pointer: str | None = None,
    errors: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return one problem document about *request*.

    Args:
        pointer: the JSON pointer to the one member at fault; *errors* where there are several.
    """
    if pointer is not None:
        errors = [{"pointer": pointer, "detail": detail}]
    found = Problem(status=status, code=code, title=title, detail=detail, errors=tuple(errors))
    return found.body(instance=request.path, request_id=request_id_of(request))


def refusal_message(refusal: Refusal) -> str:
    """Return the sentence that a page shows beside the act."""
    return refusal.detail


def is_api(request: HttpRequest) -> bool:
    """Return whether a program asks, who is answered in JSON whatever happens."""
    return f"{request.path}/".startswith(API_PREFIX)


def request_id_of(request: HttpRequest) -> str:
    """Return the id that `RequestIdMiddleware` gave the request."""
    return str(getattr(request, "request_id", ""))


def find_problem(error: Exception) -> Problem | None:
    """Return what *error* means to the caller, or None where it is a fault of ours."""
    for kind, translate in TRANSLATIONS:
        if isinstance(error, kind):
            return translate(error)
    return None


INTERNAL = Problem(
    status=500,
    code="internal",
    title="The service failed",
    detail="Nothing was changed. Quote the request id when you report this.",
    retryable=True,
)


def handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """Answer any exception of an API view (REST framework's EXCEPTION_HANDLER)."""
    request: HttpRequest = context["request"]._request
    set_rollback()
    found = find_problem(error)
    if found is None or found.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.error("%s %s failed", request.method, request.path, exc_info=error)
    if found is None:
        # Error reporters and the test client listen to this signal, as for any Django view.
        got_request_exception.send(sender=handler, request=request)
        found = INTERNAL
    return Response(
        found.body(instance=request.path, request_id=request_id_of(request)),
        status=found.status,
        headers=dict(found.headers),
        content_type=MEDIA_TYPE,
    )


def _of_refusal(refusal: Refusal) -> Problem:
    errors = [{"pointer": refusal.pointer, "detail": refusal.detail}] if refusal.pointer else []
    return Problem(
        status=refusal.status,
        code=refusal.code,
        title=refusal.title,
        detail=refusal.detail,
        errors=tuple(refusal.members.get("errors", errors)),
        retryable=refusal.retryable,
        members=refusal.members,
        headers={"Retry-After": "1"} if refusal.retryable else {},
    )


def _of_framework(error: exceptions.APIException) -> Problem:
    known = next(
        (FRAMEWORK_CODES[kind] for kind in type(error).__mro__ if kind in FRAMEWORK_CODES), None
    )
    code, title = known or (error.default_code, error.default_detail)
    status, detail = error.status_code, str(error.detail)
    errors: tuple[Mapping[str, Any], ...] = ()
    if isinstance(error, exceptions.ValidationError):
        # REST framework says 400; this contract keeps that for what is not even JSON.
        status = 422
        errors = tuple(_faults(error.detail, ""))
        detail = " ".join(f"{fault['pointer'] or 'body'}: {fault['detail']}" for fault in errors)
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        status = 401
        if "expired" in getattr(error, "auth_header", ""):
            code, title = "expired_token", "The access token has expired"
    return Problem(
        status=status,
        code=code,
        title=str(title),
        detail=detail,
        errors=errors,
        retryable=isinstance(error, exceptions.Throttled),
        headers=_framework_headers(error),
    )


def _framework_headers(error: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return headers


def _faults(detail: Any, pointer: str) -> Iterator[dict[str, Any]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            whole = name == "non_field_errors"
            yield from _faults(inner, pointer if whole else f"{pointer}/{_escaped(str(name))}")
    elif isinstance(detail, list):
        for place, inner in enumerate(detail):
            nested = isinstance(inner, Mapping | list)
            yield from _faults(inner, f"{pointer}/{place}" if nested else pointer)
    else:
        yield {"pointer": pointer, "detail": str(detail), "code": detail.code}


def _escaped(member: str) -> str:
    return member.replace("~", "~0").replace("/", "~1")  # RFC 6901


class _Diagnosed(Protocol):
    constraint_name: str | None


def _of_constraint(error: IntegrityError) -> Problem:
    diagnosis: _Diagnosed | None = getattr(error.__cause__, "diag", None)
    name = diagnosis.constraint_name if diagnosis else None
    return Problem(
        status=409,
        code="conflict",
        title="The request contradicts what is stored",
        detail=f"The database refused it by its rule {name}."
        if name
        else "The database refused it.",
        members={"constraint": name},
    )


def _of_lost_database(_error: BaseException) -> Problem:
    return Problem(
        status=503,
        code="unavailable",
        title="The service cannot answer now",
        detail="The database did not answer in time; send the request again.",
        retryable=True,
        headers={"Retry-After": "1"},
    )


def _of_large_body(_error: RequestDataTooBig) -> Problem:
    return Problem(
        status=413,
        code="body_too_large",
        title="The body is too large",
        detail=f"A body has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes.",
    )


def _of_bad_request(error: SuspiciousOperation) -> Problem:
    return Problem(
        status=400,
        code="malformed_request",
        title="The request is not well formed",
        detail=str(error),
    )


LOST_DATABASE = (OperationalError, InterfaceError)
"""What Django raises when PostgreSQL goes away: while it is asked, or between two questions."""

TRANSLATIONS: Sequence[tuple[type[Exception], Callable[[Any], Problem]]] = (
    (Refusal, _of_refusal),
    (exceptions.APIException, _of_framework),
    (Http404, lambda _error: _of_framework(exceptions.NotFound())),
    (PermissionDenied, lambda _error: _of_framework(exceptions.PermissionDenied())),
    (IntegrityError, _of_constraint),
    *((kind, _of_lost_database) for kind in LOST_DATABASE),
    (RequestDataTooBig, _of_large_body),
    (SuspiciousOperation, _of_bad_request),
)
"""The first that fits; kinds stand before what they derive from."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer what Django itself refuses before a view (handler400)."""
    if not is_api(request):
        return defaults.bad_request(request, exception)
    found = find_problem(exception)
    assert found is not None
    return _outside_views(request, found)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer a refusal outside the API's views (handler403)."""
    if not is_api(request):
        return defaults.permission_denied(request, exception)
    return _outside_views(request, _of_framework(exceptions.PermissionDenied()))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer an address that nothing has (handler404)."""
    if not is_api(request):
        return defaults.page_not_found(request, exception)
    return _outside_views(request, _of_framework(exceptions.NotFound()))


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a fault outside the API's views (handler500); Django has logged it.

    A database that is away for a moment is no fault: the same may be sent again.
    """
    # As Django does, which hands this error to its own page but not to a handler.
    error = sys.exc_info()[1]
    found = _of_lost_database(error) if isinstance(error, LOST_DATABASE) else INTERNAL
    if is_api(request):
        return _outside_views(request, found)
    if found is INTERNAL:
        return defaults.server_error(request)
    page = render_to_string("503.html", {"again": _address_again(request)})
    return HttpResponse(page, status=found.status, headers=dict(found.headers))


def _address_again(request: HttpRequest) -> str:
    # A form is sent again from the page before, which still holds it, key and all.
    return request.get_full_path() if request.method == "GET" else ""


def _outside_views(request: HttpRequest, found: Problem) -> JsonResponse:
    return JsonResponse(
        found.body(instance=request.path, request_id=request_id_of(request)),
        status=found.status,
        headers=dict(found.headers),
        content_type=MEDIA_TYPE,
    )
