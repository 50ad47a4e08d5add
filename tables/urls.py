"""Addresses of the doors through which people come; each door has its own list."""

from django.urls import include, path

urlpatterns = [
    path("pit/", include("tables.pit.urls")),
    path("tablet/", include("tables.tablet.urls")),
]
