"""Every request is text that can be stored; every answer names its request.

An answer of the API names the version that it follows, too.
"""

from __future__ import annotations

import re
import uuid
from base64 import b64decode
from collections.abc import Awaitable, Callable, Iterator

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from casino.web import versions
from casino.web.problems import bad_request, is_api

VISIBLE = re.compile(r"[\x21-\x7e]{1,64}")

NUL = "\0"
"""The one character that PostgreSQL's text has not."""
BASIC = re.compile(r"basic +(\S+)", re.IGNORECASE)

Answer = HttpResponseBase | Awaitable[HttpResponseBase]


class RequestIdMiddleware:
    """Put the request's id on `request.request_id`, in the logs and on the answer.

    It is the `Request-Id` that the caller sent, or a new one.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Answer]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Answer:
        # Not by `request.headers`, which would be made now and miss the line added below.
        request_id = _request_id(request.META.get("HTTP_REQUEST_ID", ""))
        request.request_id = request_id  # type: ignore[attr-defined]  # what views and problems read
        # django-structlog looks here, so that a log line and the answer carry the same id.
        request.META["HTTP_X_REQUEST_ID"] = request_id
        answer = self.get_response(request)
        if isinstance(answer, HttpResponseBase):
            return _named(answer, request_id)
        return self._later(answer, request_id)

    async def _later(
        self, answer: Awaitable[HttpResponseBase], request_id: str
    ) -> HttpResponseBase:
        return _named(await answer, request_id)


class ApiVersionMiddleware(MiddlewareMixin):
    """Say on every answer of the API, refusals of any layer included, which version it follows."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add the header."""
        if is_api(request):
            response[versions.HEADER] = versions.version_of(request)
        return response


class StorableTextMiddleware(MiddlewareMixin):
    """Refuse what no field could hold, before anything looks it up in the database.

    Forms and serializers refuse U+0000 in the fields that they know; cookies, addresses, names of
    fields and credentials come to the database without them.
    """

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        """Answer 400 where U+0000 is, or credentials that are no text."""
        try:
            credentials = _credentials(request)
        except ValueError:
            return _refused(request, "The credentials are not Base64.")
        if NUL in credentials or any(NUL in text for text in _texts(request)):
            return _refused(request, "The character U+0000 is not taken.")
        return None


def _refused(request: HttpRequest, detail: str) -> HttpResponseBase:
    # Not raised: what a client sends is no fault of ours that is worth a traceback.
    return bad_request(request, SuspiciousOperation(detail))


def _credentials(request: HttpRequest) -> str:
    basic = BASIC.fullmatch(request.META.get("HTTP_AUTHORIZATION", ""))
    return b64decode(basic[1]).decode("latin-1") if basic else ""


def _texts(request: HttpRequest) -> Iterator[str]:
    yield request.path
    yield from request.COOKIES.values()
    # The API's own parser and parameters name the member that is at fault.
    if is_api(request):
        return
    for given in (request.GET, request.POST):
        for name, values in given.lists():
            yield from (name, *values)


def _request_id(sent: str) -> str:
    return sent if VISIBLE.fullmatch(sent) else f"req_{uuid.uuid4().hex}"


def _named(response: HttpResponseBase, request_id: str) -> HttpResponseBase:
    response["Request-Id"] = request_id
    return response
