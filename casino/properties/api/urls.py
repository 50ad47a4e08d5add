"""Addresses of the property."""

urlpatterns: list[object] = []
