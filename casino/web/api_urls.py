"""The API's description of itself, for programs and for people; both are public."""

from typing import Any

from django.urls import path
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

PUBLIC: dict[str, Any] = {"authentication_classes": [], "permission_classes": []}

urlpatterns = [
    path(
        "openapi.json",
        SpectacularAPIView.as_view(
            renderer_classes=[OpenApiJsonRenderer2, OpenApiJsonRenderer], **PUBLIC
        ),
        name="openapi",
    ),
    # The split view: the other one's inline script is what our content security policy forbids.
    path(
        "docs", SpectacularSwaggerSplitView.as_view(url_name="openapi", **PUBLIC), name="api-docs"
    ),
]
