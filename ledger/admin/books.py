"""Which columns, filters and neighbours the pages of each table of the books show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID

from django.contrib.admin import display
from django.db.models import Model, Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from casino.web.amounts import amount_text
from ledger import models
from ledger.admin import parts
from ledger.admin.base import (
    AccountNumberFilter,
    BookPages,
    DayFilter,
    EntryDayFilter,
    KindFilter,
    ListPages,
    NumberFilter,
    number_named,
    property_of,
)
from ledger.admin.columns import (
    NOTHING,
    account_link,
    amount,
    day,
    digest,
    entry_link,
    moment,
    row_link,
)
from ledger.admin.parts import Part
from ledger.chart import CHART


class CurrencyPages(ListPages):
    """Currencies, which no property owns."""

    list_display = ("code", "exponent")
    ordering = ("code",)
    property_path = ""


class AccountPages(BookPages):
    """Accounts, each with what it holds, its last postings and its last closings."""

    list_display = (
        "code",
        "name",
        "currency_code",
        "type",
        "instrument",
        "shards",
        moment("closed_at"),
    )
    list_filter = (NumberFilter,)
    ordering = ("code",)
    search_fields = ("code",)
    search_help_text = _("The beginning of a code: 1120/table:")
    shown = (
        *("code", "number", "parent", "name", "property", "currency_code", "side_word", "type"),
        *("instrument", "shards", moment("opened_at"), moment("closed_at")),
    )

    @display(description=_("currency"))
    def currency_code(self, row: models.Account) -> str:
        """Return the currency without reading its row."""
        return str(row.currency_id)

    @override
    def heading(self, row: models.Account) -> str:
        return str(row.code)

    @display(description=_("increased by"))
    def side_word(self, row: models.Account) -> Any:
        """Return which side increases it."""
        return _("debits") if row.side == 1 else _("credits")

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        return rows.filter(code__startswith=term)

    @override
    def parts(self, row: models.Account) -> Iterable[Part]:
        return (parts.balances(row), parts.last_postings(row), parts.closings(row))


class BalancePages(ListPages):
    """What every account holds now."""

    list_display = (
        *(account_link, "shard", "currency", amount("debit"), amount("credit"), "held"),
        *(amount("floor"), amount("ceiling"), "is_open", "version"),
    )
    list_filter = (AccountNumberFilter,)
    neighbours = ("account",)
    ordering = ("account__code", "shard")
    property_path = "account__property_id"
    search_fields = ("account__code",)
    search_help_text = _("The beginning of an account's code: 1120/table:")

    @display(description=_("held"))
    def held(self, row: models.Balance) -> str:
        """Return the balance on the account's own side."""
        return amount_text(row.side * (row.debit - row.credit), row.currency)

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        return rows.filter(account__code__startswith=term)


class EntryPages(BookPages):
    """Entries of a gaming day, each with its postings."""

    list_display = (
        *("id", day("gaming_day"), moment("effective_at"), "kind", "source", "actor", "approver"),
        *("table_ref", "legs", "refers_to"),
    )
    list_filter = (DayFilter, KindFilter)
    ordering = ("-id",)
    search_fields = ("id", "public_id", "source")
    search_help_text = _("A number, a public id, or a source such as round:812, in all days.")
    shown = (
        *("id", "public_id", "kind", "source", day("gaming_day"), "shift", moment("effective_at")),
        *(moment("recorded_at"), day("late_day"), "refers_to", "rate", "actor", "approver"),
        *("table_ref", "session_ref", "legs", "memo"),
    )

    @display(description=_("refers to"))
    def refers_to(self, row: models.Entry) -> str:
        """Return the entry that this one takes back, tells anew or corrects."""
        for word, other in (
            (_("reverses"), row.reverses_id),
            (_("restates"), row.restates_id),
            (_("corrects"), row.corrects_id),
        ):
            if other is not None:
                return format_html("{} {}", word, row_link(models.Entry, other))
        return NOTHING

    @display(description=_("rate"))
    def rate(self, row: models.Entry) -> str:
        """Return how many minor units were bought for how many sold."""
        return NOTHING if row.rate_sold is None else f"{row.rate_bought} : {row.rate_sold}"

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        number = number_named(term)
        if number is not None:
            return rows.filter(pk=number)
        public_id = _uuid(term.removeprefix("ent_"))
        return rows.filter(public_id=public_id) if public_id else rows.filter(source=term)

    @override
    def parts(self, row: models.Entry) -> Iterable[Part]:
        return (parts.lines(row), parts.later_entries(row))


class PostingPages(BookPages):
    """Postings of a gaming day, in the order of their entries."""

    list_display = (
        *("id", entry_link, "line", account_link, "event", "currency", amount("amount")),
        *(amount("balance_after"), "shard", "account_version"),
    )
    list_filter = (EntryDayFilter, AccountNumberFilter)
    neighbours = ("account",)
    ordering = ("-entry_id", "line")
    property_path = "entry__property_id"
    search_fields = ("account__code", "id")
    search_help_text = _("The code of one account, 1120/table:3, for its statement; or a number.")
    shown = (
        *(entry_link, "line", account_link, "event", "currency", amount("amount")),
        *(amount("balance_after"), "shard", "account_version", day("gaming_day")),
    )

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        # What is a number of the chart is meant as one, though a row may have it too.
        number = None if term in CHART else number_named(term)
        if number is not None:
            return rows.filter(pk=number)
        # By the account's key, which leads to the index of its own order; its code would not.
        account = models.Account.objects.filter(property_id=property_id, code=term).first()
        return rows.filter(account=account).order_by("-shard", "-account_version")

    @override
    def parts(self, row: models.Posting) -> Iterable[Part]:
        return (parts.counted_chips(row),)


class DenominationPages(ListPages):
    """Counted chips beside postings."""

    list_display = (
        *("of_posting", "event", "currency"),
        *(amount("denomination", currency="posting.currency"), "pieces"),
    )
    neighbours = ("posting",)
    ordering = ("-posting_id", "-denomination")
    search_fields = ("posting_id",)
    search_help_text = _("The number of a posting.")

    @display(description=_("posting"))
    def of_posting(self, row: models.Denomination) -> SafeString:
        """Return the way to the posting."""
        return row_link(models.Posting, row.posting_id)

    @display(description=_("event"))
    def event(self, row: models.Denomination) -> str:
        """Return what the posting is of."""
        return str(row.posting.event)

    @display(description=_("currency"))
    def currency(self, row: models.Denomination) -> str:
        """Return the currency of the posting."""
        return str(row.posting.currency)

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        number = number_named(term)
        return rows.none() if number is None else rows.filter(posting_id=number)


class KeyPages(ListPages):
    """Keys of events, each with the entry that it made."""

    list_display = ("key", entry_link)
    ordering = ("key",)
    search_fields = ("key",)
    search_help_text = _("The beginning of a key: round:812:")

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        return rows.filter(key__startswith=term)


class PeriodPages(ListPages):
    """Gaming days and their shifts, with who closed them and what was then fixed."""

    list_display = (
        *(
            day("gaming_day"),
            "shift",
            "status",
            moment("opened_at"),
            "opened_by",
            moment("closed_at"),
        ),
        *("closed_by", "approved_by", moment("recorded_at"), "to_entries", "last"),
        *("anchor_seal", digest("report_hash")),
    )
    ordering = ("-gaming_day", "shift")

    @display(description=_("entries"))
    def to_entries(self, row: models.Period) -> SafeString:
        """Return the way to the entries of the day."""
        address = reverse("admin:ledger_entry_changelist", query={"day": row.gaming_day})
        return format_html('<a href="{}">{}</a>', address, _("of this day"))

    @display(description=_("last entry"))
    def last(self, row: models.Period) -> str:
        """Return the way to the last entry of the period."""
        return row_link(models.Entry, row.last_entry_id) if row.last_entry_id else NOTHING


class SnapshotPages(ListPages):
    """What accounts had come to when a day closed."""

    list_display = (
        *(account_link, "shard", day("gaming_day")),
        *(
            amount(each, currency="account.currency_id")
            for each in ("debit", "credit", "held_debit", "held_credit")
        ),
        *("upto_version", moment("taken_at")),
    )
    list_filter = (AccountNumberFilter,)
    neighbours = ("account",)
    ordering = ("account__code", "shard", "-gaming_day")
    property_path = "account__property_id"
    search_fields = ("account__code",)
    search_help_text = _("The beginning of an account's code: 1120/table:")

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        return rows.filter(account__code__startswith=term)


class SeriesPages(ListPages):
    """Series of slip numbers."""

    list_display = ("series", "next")
    ordering = ("series",)


class SlipPages(ListPages):
    """Numbers of slips and the documents that bear them."""

    list_display = ("series", "number", "document", moment("drawn_at"), "drawn_by")
    ordering = ("series", "-number")
    search_fields = ("series",)
    search_help_text = _("A series, fill_slip, or a series and a number: fill_slip 41")

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        series, _blank, wanted = term.partition(" ")
        of_series = rows.filter(series=series)
        number = number_named(wanted)
        return of_series if number is None else of_series.filter(number=number)


class SealPages(ListPages):
    """The chain of seals, the newest first."""

    list_display = (
        *("number", "epoch", "entries", "first_entry", "last_entry", moment("sealed_at")),
        *(digest("prev_hash"), digest("hash")),
    )
    ordering = ("-number",)
    search_fields = ("number",)
    search_help_text = _("The number of a seal.")

    @override
    def get_queryset(self, request: Any) -> QuerySet[Any]:
        """Leave the digests where they are: a page of them is megabytes."""
        return super().get_queryset(request).defer("digests")

    @display(description=_("first entry"))
    def first_entry(self, row: models.Seal) -> SafeString:
        """Return the way to the lowest entry under the seal."""
        return row_link(models.Entry, min(row.entry_ids))

    @display(description=_("last entry"))
    def last_entry(self, row: models.Seal) -> SafeString:
        """Return the way to the highest entry under the seal."""
        return row_link(models.Entry, max(row.entry_ids))

    @override
    def found(self, rows: QuerySet[Any], term: str, *, property_id: int) -> QuerySet[Any]:
        number = number_named(term)
        return rows.none() if number is None else rows.filter(number=number)


class EpochPages(ListPages):
    """Stretches of the books within one database cluster."""

    list_display = ("epoch", "after_entry_id", moment("begun_at"), "begun_by", "reason")
    ordering = ("-epoch",)


class InspectionPages(BookPages):
    """What examinations of this property's books found, and of all books at once."""

    list_display = ("id", "kind", moment("at"), "actor", "of_all", "upto_seal", "count")
    ordering = ("-id",)
    shown = ("kind", moment("at"), "actor", "of_all", "upto_seal")
    property_path = ""

    @override
    def get_queryset(self, request: Any) -> QuerySet[Any]:
        """Return examinations of this property, and those of the whole database."""
        own = Q(property_id=property_of(request))
        return super().get_queryset(request).filter(own | Q(property_id=None))

    @display(description=_("of all properties"), boolean=True)
    def of_all(self, row: models.Inspection) -> bool:
        """Return whether the whole database was examined."""
        return row.property_id is None

    @display(description=_("findings"))
    def count(self, row: models.Inspection) -> int:
        """Return how many findings there were."""
        return len(row.findings)

    @override
    def parts(self, row: models.Inspection) -> Iterable[Part]:
        return (parts.findings(row),)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


PAGES: Final[Mapping[type[Model], type[BookPages]]] = {
    models.Entry: EntryPages,
    models.Posting: PostingPages,
    models.Denomination: DenominationPages,
    models.Key: KeyPages,
    models.Account: AccountPages,
    models.Balance: BalancePages,
    models.Currency: CurrencyPages,
    models.Period: PeriodPages,
    models.Snapshot: SnapshotPages,
    models.Series: SeriesPages,
    models.Slip: SlipPages,
    models.Seal: SealPages,
    models.Epoch: EpochPages,
    models.Inspection: InspectionPages,
}
"""Every table of the books."""
