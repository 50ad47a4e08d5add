"""Addresses of the API's description of itself, below `/api/v1/`."""

from django.urls import path

from casino.web.description import DescriptionView, DocumentationView

urlpatterns = [
    path("openapi.json", DescriptionView.as_view(), name="openapi"),
    path("docs", DocumentationView.as_view(), name="api-docs"),
]
