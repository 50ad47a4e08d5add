"""What every page of the books has in common: it reads, of one property, a bounded part.

A list counts and reads no more than its first rows, sorts by an index alone, and is searched for
exact values, so that no page costs more as the books grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, ClassVar, Final

from django.contrib.admin import ModelAdmin, ShowFacets, SimpleListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from casino.staff.sessions import employee_of
from ledger.admin.columns import NOTHING, Column
from ledger.admin.parts import Part
from ledger.chart import CHART
from ledger.models import Entry, Period

MOST: Final = 2_000
"""Rows that a list leads to; who wants others filters or searches."""

DAYS: Final = 14
"""Gaming days that a filter offers; another one is named in the address: `?day=2026-03-14`."""

LARGEST: Final = 2**63 - 1


class FirstRows(Paginator):  # type: ignore[type-arg]  # takes none when run
    """Pages of the first `MOST` rows, counted no further: a million rows are not walked."""

    @cached_property
    @override
    def count(self) -> int:
        """Return how many rows there are, `MOST` at most."""
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # never a plain list here
        return rows.order_by()[:MOST].count()

    @property
    def is_cut(self) -> bool:
        """Return whether there may be more than is counted."""
        return self.count == MOST


def property_of(request: HttpRequest) -> int:
    """Return the property whose books the signed-in person reads."""
    employee = employee_of(request)
    assert employee is not None, "the site lets nobody in who is not signed in"
    return employee.property_id


class BookPages(ModelAdmin):  # type: ignore[type-arg]  # takes none when run
    """The list of a table's rows, and a page for each."""

    actions = None
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    paginator = FirstRows
    list_per_page = 100
    empty_value_display = NOTHING
    list_max_show_all = 0
    # Another order than the index's would sort the whole table.
    sortable_by = ()
    change_list_template = "ledger/admin/list.html"
    change_form_template = "ledger/admin/row.html"
    property_path: ClassVar[str] = "property_id"
    """Where the property of a row lies, so that an index leads from it; empty: it is nobody's."""
    neighbours: ClassVar[tuple[str, ...]] = ()
    """Rows that the list reads along, in the same query."""
    shown: ClassVar[tuple[str | Column, ...]] = ()
    """What the page of a row shows of it."""

    @override
    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the list and of a row: nothing is added, deleted, or logged."""
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        show = self.admin_site.admin_view
        return [
            path("", show(self.changelist_view), name=f"{name}_changelist"),
            path("<int:object_id>/", show(self.row_view), name=f"{name}_change"),
        ]

    @override
    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    @override
    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @override
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of the signed-in person's property."""
        rows = super().get_queryset(request)
        if not self.property_path:
            return rows
        return rows.filter(**{self.property_path: property_of(request)})

    @override
    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether a filter of this list has that name; nothing else narrows it."""
        return lookup in {each.parameter_name for each in self.list_filter}  # type: ignore[union-attr]

    @override
    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows that *search_term* names exactly, whatever the filters say."""
        term = search_term.strip()
        if not term:
            return queryset, False
        rows = self.get_queryset(request).select_related(*self.neighbours)
        rows = rows.order_by(*self.get_ordering(request))
        return self.found(rows, term, property_id=property_of(request)), False

    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        """Return those of *rows* that *term* names, by an index; a list with a search says how."""
        return rows.none()

    @override
    def get_list_select_related(self, request: HttpRequest) -> tuple[str, ...]:
        return self.neighbours

    @override
    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown

    @override
    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown

    def heading(self, row: Any) -> str:
        """Return what names *row* among others of its table."""
        return str(row.pk)

    def parts(self, row: Any) -> Iterable[Part]:
        """Return what stands beside *row* in the books."""
        return ()

    def row_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Show one row of this property, or say that there is none."""
        if not self.get_queryset(request).filter(pk=object_id).exists():
            raise Http404
        return self.change_view(request, str(object_id))

    @override
    def render_change_form(
        self, request: Any, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Put the row's name and neighbours on its page."""
        row = context["original"]
        context |= {"heading": self.heading(row), "parts": tuple(self.parts(row))}
        return super().render_change_form(request, context, *args, **kwargs)


class ListPages(BookPages):
    """A list alone: its rows have a composite key, which no address of Django's can name."""

    list_display_links = None

    @override
    def get_urls(self) -> list[URLPattern]:
        """Return the address of the list."""
        return super().get_urls()[:1]


def number_named(term: str) -> int | None:
    """Return the key that *term* is, if it is one."""
    if not (term.isascii() and term.isdigit() and len(term) <= len(str(LARGEST))):
        return None
    return int(term) if int(term) <= LARGEST else None


class Filter(SimpleListFilter):
    """A filter by one value; which one, its class says."""

    def __init__(self, request: HttpRequest, params: Any, model: Any, model_admin: Any) -> None:
        """Know the request, since what is offered is of one property."""
        self.property_id = property_of(request)
        super().__init__(request, params, model, model_admin)


class DayFilter(Filter):
    """One gaming day, the newest unless another is named: a day is what an index leads to."""

    title = _("gaming day")
    parameter_name = "day"
    field = "gaming_day"

    @override
    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        days = Period.objects.filter(property_id=self.property_id, shift="")
        newest = days.order_by("-gaming_day").values_list("gaming_day", flat=True)[:DAYS]
        return [(day.isoformat(), day.isoformat()) for day in newest]

    @override
    def value(self) -> str | None:
        """Return the day that is shown."""
        named = super().value()
        return named or (self.lookup_choices[0][0] if self.lookup_choices else None)

    @override
    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the days, and first the one that is named if it is an older one."""
        shown = self.value()
        offered = [str(value) for value, _title in self.lookup_choices]
        for day in offered if shown in offered else [shown, *offered]:
            yield {
                "selected": day == shown,
                "query_string": changelist.get_query_string({"day": day}),
                "display": day,
            }

    @override
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.field: day_named(self.value())})


class EntryDayFilter(DayFilter):
    """The same for what belongs to an entry."""

    field = "entry__gaming_day"


class KindFilter(Filter):
    """One kind of entry, of those that the shown day has."""

    title = _("kind")
    parameter_name = "kind"

    @override
    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        day = DayFilter(request, dict(request.GET.lists()), Entry, model_admin).value()
        if day is None:
            return []
        of_day = Entry.objects.filter(property_id=self.property_id, gaming_day=day_named(day))
        kinds = of_day.order_by("kind").values_list("kind", flat=True).distinct()
        return [(kind, kind.replace("_", " ")) for kind in kinds]

    @override
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class NumberFilter(Filter):
    """One account of the chart with its sub-accounts, which the index of codes holds together."""

    title = _("number")
    parameter_name = "number"
    field = "code__startswith"

    @override
    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(number, f"{number} {rule.name}") for number, rule in CHART.items()]

    @override
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.field: self.value()}) if self.value() else queryset


class AccountNumberFilter(NumberFilter):
    """The same for what belongs to an account."""

    field = "account__code__startswith"


def day_named(text: str | None) -> date:
    """Return the gaming day that an address names.

    Raises:
        IncorrectLookupParameters: it is no date.
    """
    try:
        return date.fromisoformat(text or "")
    except ValueError as error:
        raise IncorrectLookupParameters(error) from error
