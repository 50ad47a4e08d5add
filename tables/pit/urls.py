"""Addresses of the pit: the floor, and the way down from sessions to entries and rounds."""

from django.urls import include, path

from tables.pit import views

app_name = "pit"
urlpatterns = [
    path("", views.floor, name="floor"),
    path("events/", views.events, name="events"),
    path("tables/<int:table_id>/row/", views.row, name="row"),
    path("sessions/", views.list_sessions, name="sessions"),
    path("sessions/<int:session_id>/", views.session, name="session"),
    path("entries/<int:entry_id>/", views.entry, name="entry"),
    path("books/", include("tables.pit.books.urls")),
    path("rounds/<int:round_id>/", views.round_, name="round"),
    path("rounds/<int:round_id>/replay/", views.replay, name="replay"),
]
