"""Addresses that belong to the service itself."""

from django.urls import path

from casino.web.health import healthz

app_name = "web"
urlpatterns = [path("healthz", healthz, name="healthz")]
