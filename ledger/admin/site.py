"""Who sees the books and where: two roles, by the project's own doors, to read alone."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.admin import AdminSite, ModelAdmin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, include, path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from typing_extensions import override

from casino.staff.roles import Role
from casino.staff.sessions import page_for, role_of

READERS: Final = (Role.AUDITOR, Role.PIT_BOSS)


class BooksSite(AdminSite):
    """Django's administration without its doors, its passwords and its forms."""

    site_title = _("The books")
    site_header = _("The books")
    index_title = _("The books")
    site_url = "/pit/"
    enable_nav_sidebar = False
    index_template = "ledger/admin/index.html"

    def show(self, model: type[Model], pages: type[ModelAdmin[Any]]) -> None:
        """Show *model* by *pages*, whatever its key is.

        Django refuses to `register` a model of a composite key, since an address names one row by
        one value. Its list needs no such address, so `pages` of such a model have a list alone.
        """
        self._registry[model] = pages(model, self)

    @override
    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the session's role reads the books; `admin_view` has checked the rest."""
        return role_of(request) in READERS

    @override
    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Let readers alone see *view*, and nobody send anything to it."""
        return never_cache(require_safe(page_for(*READERS)(view)))

    @override
    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the addresses of the lists and their rows, and no others."""
        return [
            path("", self.admin_view(self.index), name="index"),
            path("<slug:app_label>/", self.admin_view(_to_index), name="app_list"),
            *(
                path(f"{model._meta.app_label}/{model._meta.model_name}/", include(pages.urls))
                for model, pages in self._registry.items()
            ),
        ]


def _to_index(_request: HttpRequest, app_label: str) -> HttpResponse:
    # Templates of Django's lead to a page of each app; there is one app, and the index shows it.
    return redirect("admin:index")


site: Final = BooksSite()
