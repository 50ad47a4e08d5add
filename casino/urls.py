"""Which address belongs to which app; apps are named by string, never imported."""

from django.urls import include, path

urlpatterns = [
    path("", include("casino.web.urls")),
    path("", include("casino.staff.urls")),
    path("o/", include("casino.web.oauth_urls")),
    path(
        "api/v1/",
        include(
            [
                path("", include("casino.web.api_urls")),
                path("", include("casino.properties.api.urls")),
                path("", include("casino.events.api.urls")),
                path("", include("ledger.api.urls")),
                path("", include("tables.cage.urls")),
            ]
        ),
    ),
    path("", include("tables.urls")),
]
