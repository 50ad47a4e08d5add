"""Which accounts an event moves: one row for each row of the chart's postings, as data.

Source: table-operations.md 18, "Postings for every event". A row that posts nothing stands
nowhere here; a new row is a new line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, NamedTuple

from ledger.chart import Instrument, Number, Place, account_code
from ledger.errors import InvalidEntryError
from ledger.services.posting import Leg


class EventKind(StrEnum):
    """What moves, in the words of the floor; each posting keeps the one it is of."""

    OPENING_BALANCE = "opening_balance"
    CHIPS_PLACED_IN_SERVICE = "chips_placed_in_service"
    CHIPS_DESTROYED = "chips_destroyed"
    VAULT_TO_CAGE = "vault_to_cage"
    CAGE_TO_VAULT = "cage_to_vault"
    OPENER_ABOVE_LAST_CLOSER = "opener_above_last_closer"
    OPENER_BELOW_LAST_CLOSER = "opener_below_last_closer"
    COUNT_ABOVE_EXPECTED = "count_above_expected"
    COUNT_BELOW_EXPECTED = "count_below_expected"
    FILL_DISPATCHED = "fill_dispatched"
    FILL_RECEIVED = "fill_received"
    FILL_RETURNED = "fill_returned"
    CREDIT_REMOVED = "credit_removed"
    CREDIT_RECEIVED = "credit_received"
    TRANSIT_FOUND_AT_CAGE = "transit_found_at_cage"
    TRANSIT_FOUND_AT_TABLE = "transit_found_at_table"
    TRANSIT_LOST = "transit_lost"
    CASH_BUY_IN = "cash_buy_in"
    VOUCHER_BUY_IN = "voucher_buy_in"
    MARKER_ISSUED = "marker_issued"
    MARKER_REDEEMED_IN_CHIPS = "marker_redeemed_in_chips"
    MARKER_REDEEMED_IN_CURRENCY = "marker_redeemed_in_currency"
    MARKER_REDEEMED_AT_CAGE = "marker_redeemed_at_cage"
    FRONT_MONEY_WITHDRAWN = "front_money_withdrawn"
    CHIP_SALE = "chip_sale"
    CASH_OUT = "cash_out"
    MAIN_WAGER_LOST = "main_wager_lost"
    MAIN_WAGER_WON = "main_wager_won"
    SIDE_WAGER_LOST = "side_wager_lost"
    SIDE_WAGER_WON = "side_wager_won"
    MONEY_PLAY_LOST = "money_play_lost"
    MONEY_PLAY_WON = "money_play_won"
    COMMISSION_TAKEN = "commission_taken"
    COMMISSION_ACCRUED = "commission_accrued"
    COMMISSION_COLLECTED = "commission_collected"
    COMMISSION_UNCOLLECTED = "commission_uncollected"
    COLLECTION_FEE = "collection_fee"
    TOKE_DROPPED = "toke_dropped"


class Template(NamedTuple):
    """The two sides of a posting; each resolves to the sub-account of its own sub-ledger."""

    debit: Number
    credit: Number


_N, _K = Number, EventKind

TEMPLATES: Final[Mapping[EventKind, Template]] = {
    _K.CHIPS_PLACED_IN_SERVICE: Template(_N.VAULT, _N.CHIPS_IN_SERVICE),
    _K.CHIPS_DESTROYED: Template(_N.CHIPS_IN_SERVICE, _N.VAULT),
    _K.VAULT_TO_CAGE: Template(_N.CAGE_CHIP_BANK, _N.VAULT),
    _K.CAGE_TO_VAULT: Template(_N.VAULT, _N.CAGE_CHIP_BANK),
    _K.OPENER_ABOVE_LAST_CLOSER: Template(_N.TRAY, _N.OVER_SHORT_BETWEEN_SESSIONS),
    _K.OPENER_BELOW_LAST_CLOSER: Template(_N.OVER_SHORT_BETWEEN_SESSIONS, _N.TRAY),
    _K.COUNT_ABOVE_EXPECTED: Template(_N.TRAY, _N.OVER_SHORT_CHIPS),
    _K.COUNT_BELOW_EXPECTED: Template(_N.OVER_SHORT_CHIPS, _N.TRAY),
    _K.FILL_DISPATCHED: Template(_N.CHIPS_IN_TRANSIT, _N.CAGE_CHIP_BANK),
    _K.FILL_RECEIVED: Template(_N.TRAY, _N.CHIPS_IN_TRANSIT),
    _K.FILL_RETURNED: Template(_N.CAGE_CHIP_BANK, _N.CHIPS_IN_TRANSIT),
    _K.CREDIT_REMOVED: Template(_N.CHIPS_IN_TRANSIT, _N.TRAY),
    _K.CREDIT_RECEIVED: Template(_N.CAGE_CHIP_BANK, _N.CHIPS_IN_TRANSIT),
    _K.TRANSIT_FOUND_AT_CAGE: Template(_N.CAGE_CHIP_BANK, _N.CHIPS_IN_TRANSIT),
    _K.TRANSIT_FOUND_AT_TABLE: Template(_N.TRAY, _N.CHIPS_IN_TRANSIT),
    _K.TRANSIT_LOST: Template(_N.OVER_SHORT_TRANSIT, _N.CHIPS_IN_TRANSIT),
    _K.CASH_BUY_IN: Template(_N.DROP_BOX_CURRENCY, _N.TRAY),
    _K.VOUCHER_BUY_IN: Template(_N.DROP_BOX_VOUCHERS, _N.TRAY),
    _K.MARKER_ISSUED: Template(_N.MARKERS_RECEIVABLE, _N.TRAY),
    _K.MARKER_REDEEMED_IN_CHIPS: Template(_N.TRAY, _N.MARKERS_RECEIVABLE),
    _K.MARKER_REDEEMED_IN_CURRENCY: Template(_N.DROP_BOX_CURRENCY, _N.MARKERS_RECEIVABLE),
    _K.MARKER_REDEEMED_AT_CAGE: Template(_N.CAGE_CASH, _N.MARKERS_RECEIVABLE),
    _K.FRONT_MONEY_WITHDRAWN: Template(_N.CUSTOMER_DEPOSITS, _N.TRAY),
    _K.CHIP_SALE: Template(_N.CAGE_CASH, _N.CAGE_CHIP_BANK),
    _K.CASH_OUT: Template(_N.CAGE_CHIP_BANK, _N.CAGE_CASH),
    _K.MAIN_WAGER_LOST: Template(_N.TRAY, _N.WIN_MAIN),
    _K.MAIN_WAGER_WON: Template(_N.WIN_MAIN, _N.TRAY),
    _K.SIDE_WAGER_LOST: Template(_N.TRAY, _N.WIN_SIDE),
    _K.SIDE_WAGER_WON: Template(_N.WIN_SIDE, _N.TRAY),
    _K.MONEY_PLAY_LOST: Template(_N.DROP_BOX_CURRENCY, _N.WIN_MAIN),
    _K.MONEY_PLAY_WON: Template(_N.WIN_MAIN, _N.TRAY),
    _K.COMMISSION_TAKEN: Template(_N.TRAY, _N.COMMISSION),
    _K.COMMISSION_ACCRUED: Template(_N.COMMISSION_RECEIVABLE, _N.COMMISSION),
    _K.COMMISSION_COLLECTED: Template(_N.TRAY, _N.COMMISSION_RECEIVABLE),
    _K.COMMISSION_UNCOLLECTED: Template(_N.COMMISSION_UNCOLLECTED, _N.COMMISSION_RECEIVABLE),
    _K.COLLECTION_FEE: Template(_N.DROP_BOX_CHIPS, _N.COLLECTION_FEES),
    _K.TOKE_DROPPED: Template(_N.TOKE_BOX_CHIPS, _N.TOKES_PAYABLE),
}
"""Opening balances are a list of accounts, not a pair: see `opening_legs`."""
assert TEMPLATES.keys() == set(EventKind) - {EventKind.OPENING_BALANCE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Whose sub-accounts an event moves; each value without its kind: `3`, not `table:3`."""

    window: str | None = "main"
    table: str | int | None = None
    session: str | int | None = None
    seat: str | int | None = None
    box: str | int | None = None
    document: str | None = None
    patron: str | None = None
    marker: str | None = None
    holder: str | None = None
    """`cage` for a marker that the pit has handed over."""
    chip_set: str | None = "main"
    meter: str | None = None
    pool: str | None = None
    """`reserve` for what a meter holds back."""
    wager: str | None = None
    """The side wager's type: `tiger9`."""
    campaign: str | None = None
    reason: str | None = None
    department: str | None = None
    pair: str | None = None
    """The currencies of an exchange: `HKD-MOP`."""
    instrument: Instrument | None = None
    """What the chips are, if no value chips."""
    currency: str | None = None
    """The currency, if not the property's own."""

    def given(self) -> dict[Place, str]:
        """Return the places that are known, as the chart asks for them."""
        values = {Place(each.name): getattr(self, each.name) for each in fields(self)}
        return {place: str(value) for place, value in values.items() if value is not None}


assert {each.name for each in fields(Places)} == set(Place)


def pair(
    kind: EventKind,
    amount: int,
    *,
    places: Places,
    pieces: tuple[tuple[int, int], ...] = (),
) -> tuple[Leg, Leg]:
    """Return the debit and the credit of one event.

    Args:
        amount: above zero, in minor units.
        pieces: where chips are counted, (denomination, pieces); both sides carry them.

    Raises:
        InvalidEntryError: the amount is not above zero; the template says the direction.
        MissingPlaceError: a sub-ledger needs a place that is not given.
    """
    if amount <= 0:
        raise InvalidEntryError("amount", f"{kind} moves {amount}, not an amount above zero")
    debit, credit = (account_code(number, places.given()) for number in TEMPLATES[kind])
    return (
        Leg(account=debit, amount=amount, event=kind, pieces=pieces),
        Leg(account=credit, amount=-amount, event=kind, pieces=pieces),
    )


def opening_legs(balances: Mapping[str, int]) -> tuple[Leg, ...]:
    """Return the legs of a property's opening balances; equity takes the difference.

    Args:
        balances: by account code; debit above zero, credit below.
    """
    equity = -sum(balances.values())
    whole = dict(balances) | ({Number.EQUITY.value: equity} if equity else {})
    return tuple(
        Leg(account=code, amount=amount, event=EventKind.OPENING_BALANCE)
        for code, amount in whole.items()
        if amount
    )
