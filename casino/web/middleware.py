"""Every answer names its request, and every answer of the API the version that it follows."""

from __future__ import annotations

import re
import uuid
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from casino.web import versions
from casino.web.problems import is_api

VISIBLE = re.compile(r"[\x21-\x7e]{1,64}")

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


def _request_id(sent: str) -> str:
    return sent if VISIBLE.fullmatch(sent) else f"req_{uuid.uuid4().hex}"


def _named(response: HttpResponseBase, request_id: str) -> HttpResponseBase:
    response["Request-Id"] = request_id
    return response
