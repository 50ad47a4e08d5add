"""Addresses of the event feed, below `/api/v1/`."""

from django.urls import path

from casino.events.api.views import EventListView, EventView

app_name = "events"
urlpatterns = [
    path("events", EventListView.as_view(), name="list"),
    path("events/<str:event_id>", EventView.as_view(), name="detail"),
]
