"""What stands beside a row on its own page: what an account holds, the lines of an entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Prefetch, Q
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.web.amounts import amount_text
from ledger import models
from ledger.admin.columns import NOTHING, account_link, moment_text, row_link

NEIGHBOURS: Final = 50
"""Rows on the page of another row, where history makes them many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A table on the page of one row."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    numbers: frozenset[int] = frozenset()
    """Which columns, counted from 0, are amounts and counts."""
    more: SafeString | None = None
    """The way to the rest, where the rows are the newest alone."""


def balances(account: models.Account) -> Part:
    """Return what *account* holds, by the rows that share its load."""
    currency, side = account.currency_id, account.side
    return Part(
        title=_("Balance"),
        headings=(_("shard"), _("debit"), _("credit"), _("held"), _("floor"), _("postings")),
        numbers=frozenset({0, 1, 2, 3, 4, 5}),
        rows=tuple(
            (
                row.shard,
                amount_text(row.debit, currency),
                amount_text(row.credit, currency),
                amount_text(side * (row.debit - row.credit), currency),
                NOTHING if row.floor is None else amount_text(row.floor, currency),
                row.version,
            )
            for row in account.balances.order_by("shard")
        ),
    )


def last_postings(account: models.Account) -> Part:
    """Return the newest postings of *account*, in its own order."""
    # One shard is what the index leads to; of most accounts it is the only one.
    shard = account.shards - 1
    rows = account.postings.filter(shard=shard).order_by("-account_version")[:NEIGHBOURS]
    statement = reverse("admin:ledger_posting_changelist", query={"q": account.code})
    return Part(
        title=_("Last postings") if shard == 0 else _("Last postings of its last shard"),
        headings=(_("posting"), _("gaming day"), _("entry"), _("event"), _("amount"), _("after")),
        numbers=frozenset({4, 5}),
        rows=tuple(
            (
                row_link(models.Posting, row.pk),
                row.gaming_day.isoformat(),
                row_link(models.Entry, row.entry_id),
                row.event,
                amount_text(row.amount, row.currency),
                NOTHING
                if row.balance_after is None
                else amount_text(row.balance_after, row.currency),
            )
            for row in rows
        ),
        more=format_html('<a href="{}">{}</a>', statement, _("The statement")),
    )


def closings(account: models.Account) -> Part:
    """Return what *account* had come to when days closed, the newest first."""
    shard = account.shards - 1
    rows = account.snapshots.filter(shard=shard).order_by("-gaming_day")[:NEIGHBOURS]
    return Part(
        title=_("Last closings") if shard == 0 else _("Last closings of its last shard"),
        headings=(_("gaming day"), _("debit"), _("credit"), _("up to version"), _("taken at")),
        numbers=frozenset({1, 2, 3}),
        rows=tuple(
            (
                row.gaming_day.isoformat(),
                amount_text(row.debit, account.currency_id),
                amount_text(row.credit, account.currency_id),
                row.upto_version,
                moment_text(row.taken_at),
            )
            for row in rows
        ),
    )


def lines(entry: models.Entry) -> Part:
    """Return the postings of *entry* with their counted chips."""
    rows = entry.postings.select_related("account").prefetch_related(
        Prefetch("denominations", models.Denomination.objects.order_by("-denomination"))
    )
    return Part(
        title=_("Postings"),
        headings=(
            *(_("line"), _("account"), _("name"), _("event"), _("currency"), _("debit")),
            *(_("credit"), _("after"), _("counted chips")),
        ),
        numbers=frozenset({5, 6, 7}),
        rows=tuple(_line(row) for row in rows.order_by("line")),
    )


def _line(row: models.Posting) -> tuple[Any, ...]:
    size = amount_text(abs(row.amount), row.currency)
    return (
        row_link(models.Posting, row.pk, str(row.line)),
        account_link(row),
        row.account.name,
        row.event,
        row.currency,
        size if row.amount > 0 else "",
        size if row.amount < 0 else "",
        NOTHING if row.balance_after is None else amount_text(row.balance_after, row.currency),
        ", ".join(
            f"{each.pieces} × {amount_text(each.denomination, row.currency)}"
            for each in row.denominations.all()
        ),
    )


def later_entries(entry: models.Entry) -> Part:
    """Return the entries that take back, tell anew or correct *entry*."""
    later = models.Entry.objects.filter(
        Q(reverses=entry) | Q(restates=entry) | Q(corrects=entry)
    ).order_by("pk")
    return Part(
        title=_("Later entries about this one"),
        headings=(_("entry"), _("gaming day"), _("kind"), _("actor"), _("approver"), _("memo")),
        rows=tuple(
            (
                row_link(models.Entry, row.pk),
                *(row.gaming_day.isoformat(), row.kind, row.actor, row.approver, row.memo),
            )
            for row in later
        ),
    )


def counted_chips(posting: models.Posting) -> Part:
    """Return the chips that make up the amount of *posting*."""
    return Part(
        title=_("Counted chips"),
        headings=(_("denomination"), _("pieces")),
        numbers=frozenset({0, 1}),
        rows=tuple(
            (amount_text(each.denomination, posting.currency), each.pieces)
            for each in posting.denominations.order_by("-denomination")
        ),
    )


def findings(inspection: models.Inspection) -> Part:
    """Return what *inspection* found; in all books at once it may be another property's."""
    of_others = inspection.property_id is None and inspection.findings
    told = [_("Whoever runs the database has them: they may be of another property.")]
    return Part(
        title=_("Findings"),
        headings=(_("finding"),),
        rows=tuple((each,) for each in (told if of_others else inspection.findings)),
    )
