"""Addresses of the floor for programs, below `/api/v1/`."""

from django.urls import path

from tables.cage import views

app_name = "cage"
urlpatterns = [
    path("tables", views.TableListView.as_view(), name="tables"),
    path("tables/<str:table_id>", views.TableView.as_view(), name="table"),
    path("table-sessions", views.SessionListView.as_view(), name="sessions"),
    path("table-sessions/<str:session_id>", views.SessionView.as_view(), name="session"),
    path(
        "table-sessions/<str:session_id>/segments",
        views.SegmentListView.as_view(),
        name="segments",
    ),
    path("table-sessions/<str:session_id>/totals", views.TotalsView.as_view(), name="totals"),
    path("rounds", views.RoundsView.as_view(), name="rounds"),
    path("rounds/<str:round_id>", views.RoundView.as_view(), name="round"),
]
