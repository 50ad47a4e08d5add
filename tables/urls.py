"""Addresses."""

urlpatterns: list[object] = []
