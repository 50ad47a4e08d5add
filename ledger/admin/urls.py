"""Addresses of the books' pages."""

from ledger.admin.books import PAGES
from ledger.admin.site import site

for model, pages in PAGES.items():
    site.show(model, pages)

app_name = "admin"
urlpatterns = site.get_urls()
