"""Which address belongs to which app; apps are named by string, never imported."""

from django.urls import include, path

handler400 = "casino.web.problems.bad_request"
handler403 = "casino.web.problems.permission_denied"
handler404 = "casino.web.problems.page_not_found"
handler500 = "casino.web.problems.server_error"

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
    path("admin/", include("ledger.admin.urls")),
    path("", include("tables.urls")),
]
