"""The API describes itself, to programs and to people; both descriptions are public.

A description is drawn from the views once for each process, since they do not change while it runs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse, HttpResponseBase
from django.urls import get_urlconf
from django.utils import translation
from django.utils.cache import get_conditional_response
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer, TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from typing_extensions import override

from casino.web.versions import follow_version

KEPT = "public, max-age=300"
"""A release changes the description; whoever asks after that long finds the new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """An OpenAPI document and the tag that changes when it does."""

    document: bytes
    etag: str


@cache
def describe(urlconf: str) -> Description:
    """Return the description of the API whose addresses stand in *urlconf*."""
    generator = SchemaGenerator(urlconf=urlconf)  # type: ignore[no-untyped-call]  # ships none
    # Whoever asks first does not choose the language in which all others read it.
    with translation.override(settings.LANGUAGE_CODE):
        schema = generator.get_schema(public=True)  # type: ignore[no-untyped-call]  # ships none
    document: bytes = OpenApiJsonRenderer2().render(schema)
    return Description(document=document, etag=f'"{hashlib.sha256(document).hexdigest()}"')


class PublicView(APIView):
    """What needs no token; whatever it shows, its refusals are problem documents."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()
    http_method_names = ["get", "head"]

    @override
    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        if getattr(response, "exception", False):
            request.accepted_renderer = JSONRenderer()
        finished: Response = super().finalize_response(request, response, *args, **kwargs)
        return finished


@extend_schema(exclude=True)
class DescriptionView(PublicView):
    """The OpenAPI document."""

    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer)

    def get(self, request: Request) -> HttpResponseBase:
        """Answer the document, or 304 where the caller has it already."""
        follow_version(request)
        found = describe(get_urlconf() or settings.ROOT_URLCONF)
        response: HttpResponseBase | None = get_conditional_response(
            request._request,
            etag=found.etag,
            response=HttpResponse(
                found.document,
                content_type=request.accepted_media_type,
                headers={"Cache-Control": KEPT, "ETag": found.etag},
            ),
        )
        assert response is not None, "it is given one"
        return response


@extend_schema(exclude=True)
class DocumentationView(PublicView):
    """The page on which people read the description and try it."""

    renderer_classes = (TemplateHTMLRenderer,)

    def get(self, request: Request) -> Response:
        """Answer the page; no script stands in it (content security policy)."""
        return Response(template_name="web/api_docs.html")
