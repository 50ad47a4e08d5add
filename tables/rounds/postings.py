"""From transfers to legs: the one place where a settled round becomes a ledger entry.

Seats are summed: one pair of legs for each kind of table-operations.md 18. What passes between
patrons posts nothing, since at a live table a patron's own chips have no account.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ledger.services.posting import Leg
from ledger.services.templates import EventKind, Places, pair
from tables.floor.models import TableSession
from tables.games import COMMISSION, MAIN, Transfer

HOUSE_PARTIES = frozenset({"house", "bank"})
"""Who the house is in a round that it banks: games with other banks join with their issue."""


def legs_of(transfers: Iterable[Transfer], *, places: Places) -> tuple[Leg, ...]:
    """Return the legs of what the transfers move to and from the house; they sum to zero."""
    amounts: Counter[EventKind] = Counter()
    for transfer in transfers:
        kind = kind_of(transfer)
        if kind is not None:
            amounts[kind] += transfer.amount
    return tuple(
        leg for kind, amount in amounts.items() for leg in pair(kind, amount, places=places)
    )


def kind_of(transfer: Transfer) -> EventKind | None:
    """Return which row of the postings table a transfer is; None between patrons."""
    to_house = transfer.payee in HOUSE_PARTIES
    if to_house == (transfer.payer in HOUSE_PARTIES):
        return None
    match transfer.reason:
        case reason if reason == MAIN:
            return EventKind.MAIN_WAGER_LOST if to_house else EventKind.MAIN_WAGER_WON
        case reason if reason == COMMISSION and to_house:
            return EventKind.COMMISSION_TAKEN
    raise AssertionError(f"no posting is drawn for a transfer for {transfer.reason}")


def house_net(transfers: Iterable[Transfer]) -> int:
    """Return what the house gained over the transfers, in minor units."""
    return sum(
        transfer.amount * ((transfer.payee in HOUSE_PARTIES) - (transfer.payer in HOUSE_PARTIES))
        for transfer in transfers
    )


def places_of(session: TableSession) -> Places:
    """Return where the money of a session lies: its table's tray, its own win accounts."""
    return Places(table=session.table_id, session=session.pk)
