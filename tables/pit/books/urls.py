"""Addresses of the books, within those of the pit."""

from django.urls import path, register_converter
from django.views.generic import RedirectView

from tables.pit.books.files import WRITERS
from tables.pit.books.views.accounts import accounts
from tables.pit.books.views.entries import entries, entries_file
from tables.pit.books.views.seals import seals
from tables.pit.books.views.statement import statement, statement_file
from tables.pit.books.views.trial_balance import trial_balance, trial_balance_file


class FileConverter:
    """The kind of a file: the name of a writer."""

    regex = "|".join(WRITERS)

    def to_python(self, value: str) -> str:
        """Return the kind as it is."""
        return value

    def to_url(self, value: str) -> str:
        """Return the kind as it is."""
        return value


register_converter(FileConverter, "books_file")

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="pit:books-entries"), name="books"),
    path("entries/", entries, name="books-entries"),
    path("entries.<books_file:form>", entries_file, name="books-entries-file"),
    path("accounts/", accounts, name="books-accounts"),
    path("statement/", statement, name="books-statement"),
    path("statement.<books_file:form>", statement_file, name="books-statement-file"),
    path("trial-balance/", trial_balance, name="books-trial-balance"),
    path(
        "trial-balance.<books_file:form>",
        trial_balance_file,
        name="books-trial-balance-file",
    ),
    path("seals/", seals, name="books-seals"),
]
