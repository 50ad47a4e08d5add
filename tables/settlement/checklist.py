"""The closing checklist (table-operations.md 3.3): what must be finished before a table closes.

Each item answers with one sentence for each thing that is still open. Fills, lammers, disputes
and markers bring their items along when they are built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from django.utils.translation import gettext as _

from ledger import selectors as ledger
from ledger.chart import Number
from tables.floor.models import TableSession
from tables.rounds.states import UNFINISHED

Item = Callable[[TableSession], Iterator[str]]


def _rounds_without_a_result(session: TableSession) -> Iterator[str]:
    for number in session.rounds.filter(state__in=UNFINISHED).values_list("number", flat=True):
        yield _("Round %(number)d has no result: settle or void it.") % {"number": number}


def _commission_owed(session: TableSession) -> Iterator[str]:
    owed = ledger.balances(session.property_id, f"{Number.COMMISSION_RECEIVABLE}/{session.ref}")
    for account, balance in owed.items():
        if balance:
            yield _("Commission is still owed on %(account)s.") % {"account": account}


ITEMS: Final[tuple[Item, ...]] = (_rounds_without_a_result, _commission_owed)


def open_items(session: TableSession) -> list[str]:
    """Return what is still open, as sentences; none means that the table may close."""
    return [sentence for item in ITEMS for sentence in item(session)]
