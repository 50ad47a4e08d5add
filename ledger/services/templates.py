"""Which accounts an event moves: one row for each row of the chart's postings, as data.

Most events are a pair (`pair`); those of more legs stand in `LISTS`, each with its own function.

Source: table-operations.md 18, "Postings for every event", and the rows that "Decided while
building" adds at its end. A row that posts nothing stands nowhere here; a new row is a new line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from ledger.chart import (
    CHART,
    Instrument,
    MissingPlaceError,
    Number,
    Place,
    account_code,
    read_number,
)
from ledger.errors import InvalidEntryError
from ledger.money import Rounded
from ledger.services.posting import Leg

Pieces = tuple[tuple[int, int], ...]
"""Where chips are counted: (denomination in minor units, pieces)."""


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
    CREDIT_RETURNED = "credit_returned"
    TRANSIT_FOUND_AT_CAGE = "transit_found_at_cage"
    TRANSIT_FOUND_AT_TABLE = "transit_found_at_table"
    TRANSIT_LOST = "transit_lost"
    TRANSIT_EXCESS_FROM_CAGE = "transit_excess_from_cage"
    TRANSIT_EXCESS_FROM_TABLE = "transit_excess_from_table"
    TRANSIT_EXCESS_UNEXPLAINED = "transit_excess_unexplained"
    CASH_BUY_IN = "cash_buy_in"
    VOUCHER_BUY_IN = "voucher_buy_in"
    MARKER_ISSUED = "marker_issued"
    MARKER_REDEEMED_IN_CHIPS = "marker_redeemed_in_chips"
    MARKER_REDEEMED_IN_CURRENCY = "marker_redeemed_in_currency"
    MARKER_TRANSFERRED_TO_CAGE = "marker_transferred_to_cage"
    MARKER_REDEEMED_AT_CAGE = "marker_redeemed_at_cage"
    """In currency."""
    MARKER_REDEEMED_AT_CAGE_IN_CHIPS = "marker_redeemed_at_cage_in_chips"
    MARKER_WRITTEN_OFF = "marker_written_off"
    DEPOSIT_RECEIVED_IN_CURRENCY = "deposit_received_in_currency"
    DEPOSIT_RECEIVED_IN_CHIPS = "deposit_received_in_chips"
    DEPOSIT_RETURNED = "deposit_returned"
    FRONT_MONEY_WITHDRAWN = "front_money_withdrawn"
    COLOUR_CHANGED = "colour_changed"
    CHIP_SALE = "chip_sale"
    CASH_OUT = "cash_out"
    CURRENCY_EXCHANGED = "currency_exchanged"
    MAIN_WAGER_LOST = "main_wager_lost"
    MAIN_WAGER_WON = "main_wager_won"
    SIDE_WAGER_LOST = "side_wager_lost"
    SIDE_WAGER_WON = "side_wager_won"
    SIDE_WAGER_WON_TAXED = "side_wager_won_taxed"
    MONEY_PLAY_LOST = "money_play_lost"
    MONEY_PLAY_WON = "money_play_won"
    COMMISSION_TAKEN = "commission_taken"
    COMMISSION_ACCRUED = "commission_accrued"
    COMMISSION_COLLECTED = "commission_collected"
    COMMISSION_UNCOLLECTED = "commission_uncollected"
    COMMISSION_RECOVERED_AT_TABLE = "commission_recovered_at_table"
    COMMISSION_RECOVERED_AT_CAGE = "commission_recovered_at_cage"
    COLLECTION_FEE = "collection_fee"
    WAGER_BETWEEN_SEATS = "wager_between_seats"
    """Electronic seats alone: at a live table a patron's own chips have no account."""
    PLAYER_BANKED_HOUSE_WON = "player_banked_house_won"
    PLAYER_BANKED_HOUSE_LOST = "player_banked_house_lost"
    CO_BANK_HOUSE_WON = "co_bank_house_won"
    CO_BANK_HOUSE_LOST = "co_bank_house_lost"
    BANK_COMMISSION_TAKEN = "bank_commission_taken"
    PROGRESSIVE_CONTRIBUTION = "progressive_contribution"
    PROGRESSIVE_SEEDED = "progressive_seeded"
    PROGRESSIVE_SEEDED_FROM_RESERVE = "progressive_seeded_from_reserve"
    PROGRESSIVE_JACKPOT_AT_TABLE = "progressive_jackpot_at_table"
    PROGRESSIVE_JACKPOT_AT_CAGE = "progressive_jackpot_at_cage"
    PROMOTIONAL_COUPON_WON = "promotional_coupon_won"
    TOKE_DROPPED = "toke_dropped"
    TOKES_CASHED = "tokes_cashed"
    HAND_WIN_TOO_HIGH = "hand_win_too_high"
    """Found after the closer, as the next one: the record was wrong, the chips were right."""
    HAND_WIN_TOO_LOW = "hand_win_too_low"
    LATE_PAYMENT = "late_payment"
    LATE_RECOVERY = "late_recovery"
    COUNTERFEIT_CHIP = "counterfeit_chip"
    DROP_BOX_PULLED = "drop_box_pulled"
    DROP_COUNTED_IN_CURRENCY = "drop_counted_in_currency"
    DROP_COUNTED_IN_CHIPS = "drop_counted_in_chips"
    DROP_COUNT_SHORT = "drop_count_short"
    DROP_COUNT_OVER = "drop_count_over"
    COUNTERFEIT_NOTE = "counterfeit_note"
    COMP_EARNED = "comp_earned"
    COMP_USED = "comp_used"


At = Mapping[Place, str | None]
"""Places that a template gives itself; None is one that its account does without."""
_NOWHERE: Final[At] = MappingProxyType({})


class Template(NamedTuple):
    """The two sides of a posting; each resolves to the sub-account of its own sub-ledger."""

    debit: Number
    credit: Number
    debit_at: At = _NOWHERE
    credit_at: At = _NOWHERE


class Sides(NamedTuple):
    """The accounts of an event that is more than a pair, or not one of two accounts."""

    debits: tuple[Number, ...]
    credits: tuple[Number, ...]


_N, _K, _P = Number, EventKind, Place

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
    _K.CREDIT_RETURNED: Template(_N.TRAY, _N.CHIPS_IN_TRANSIT),
    _K.TRANSIT_FOUND_AT_CAGE: Template(_N.CAGE_CHIP_BANK, _N.CHIPS_IN_TRANSIT),
    _K.TRANSIT_FOUND_AT_TABLE: Template(_N.TRAY, _N.CHIPS_IN_TRANSIT),
    _K.TRANSIT_LOST: Template(_N.OVER_SHORT_TRANSIT, _N.CHIPS_IN_TRANSIT),
    _K.TRANSIT_EXCESS_FROM_CAGE: Template(_N.CHIPS_IN_TRANSIT, _N.CAGE_CHIP_BANK),
    _K.TRANSIT_EXCESS_FROM_TABLE: Template(_N.CHIPS_IN_TRANSIT, _N.TRAY),
    _K.TRANSIT_EXCESS_UNEXPLAINED: Template(_N.CHIPS_IN_TRANSIT, _N.OVER_SHORT_TRANSIT),
    _K.CASH_BUY_IN: Template(_N.DROP_BOX_CURRENCY, _N.TRAY),
    _K.VOUCHER_BUY_IN: Template(_N.DROP_BOX_VOUCHERS, _N.TRAY),
    _K.MARKER_ISSUED: Template(_N.MARKERS_RECEIVABLE, _N.TRAY),
    _K.MARKER_REDEEMED_IN_CHIPS: Template(_N.TRAY, _N.MARKERS_RECEIVABLE),
    _K.MARKER_REDEEMED_IN_CURRENCY: Template(_N.DROP_BOX_CURRENCY, _N.MARKERS_RECEIVABLE),
    _K.MARKER_TRANSFERRED_TO_CAGE: Template(
        _N.MARKERS_RECEIVABLE,
        _N.MARKERS_RECEIVABLE,
        debit_at={_P.HOLDER: "cage"},
        credit_at={_P.HOLDER: None},
    ),
    _K.MARKER_REDEEMED_AT_CAGE: Template(_N.CAGE_CASH, _N.MARKERS_RECEIVABLE),
    _K.MARKER_REDEEMED_AT_CAGE_IN_CHIPS: Template(_N.CAGE_CHIP_BANK, _N.MARKERS_RECEIVABLE),
    _K.MARKER_WRITTEN_OFF: Template(_N.MARKERS_WRITTEN_OFF, _N.MARKERS_RECEIVABLE),
    _K.DEPOSIT_RECEIVED_IN_CURRENCY: Template(_N.CAGE_CASH, _N.CUSTOMER_DEPOSITS),
    _K.DEPOSIT_RECEIVED_IN_CHIPS: Template(_N.CAGE_CHIP_BANK, _N.CUSTOMER_DEPOSITS),
    _K.DEPOSIT_RETURNED: Template(_N.CUSTOMER_DEPOSITS, _N.CAGE_CASH),
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
    _K.COMMISSION_RECOVERED_AT_TABLE: Template(_N.TRAY, _N.COMMISSION_UNCOLLECTED),
    _K.COMMISSION_RECOVERED_AT_CAGE: Template(_N.CAGE_CASH, _N.POST_CLOSE_ADJUSTMENTS),
    _K.COLLECTION_FEE: Template(_N.DROP_BOX_CHIPS, _N.COLLECTION_FEES),
    _K.PLAYER_BANKED_HOUSE_WON: Template(_N.TRAY, _N.WIN_MAIN),
    _K.PLAYER_BANKED_HOUSE_LOST: Template(_N.WIN_MAIN, _N.TRAY),
    _K.CO_BANK_HOUSE_WON: Template(_N.TRAY, _N.WIN_MAIN),
    _K.CO_BANK_HOUSE_LOST: Template(_N.WIN_MAIN, _N.TRAY),
    _K.BANK_COMMISSION_TAKEN: Template(_N.TRAY, _N.COMMISSION),
    _K.PROGRESSIVE_CONTRIBUTION: Template(_N.WIN_SIDE, _N.PROGRESSIVE_POOL),
    _K.PROGRESSIVE_SEEDED: Template(
        _N.WIN_SIDE,
        _N.PROGRESSIVE_POOL,
        debit_at={_P.SESSION: None},
        credit_at={_P.POOL: None},
    ),
    _K.PROGRESSIVE_SEEDED_FROM_RESERVE: Template(
        _N.PROGRESSIVE_POOL,
        _N.PROGRESSIVE_POOL,
        debit_at={_P.POOL: "reserve"},
        credit_at={_P.POOL: None},
    ),
    _K.PROGRESSIVE_JACKPOT_AT_TABLE: Template(
        _N.PROGRESSIVE_POOL, _N.TRAY, debit_at={_P.POOL: None}
    ),
    _K.PROGRESSIVE_JACKPOT_AT_CAGE: Template(
        _N.PROGRESSIVE_POOL, _N.CAGE_CASH, debit_at={_P.POOL: None}
    ),
    _K.PROMOTIONAL_COUPON_WON: Template(_N.PROMOTIONAL_PAYOUTS, _N.TRAY),
    _K.TOKE_DROPPED: Template(_N.TOKE_BOX_CHIPS, _N.TOKES_PAYABLE),
    _K.HAND_WIN_TOO_HIGH: Template(_N.WIN_MAIN, _N.OVER_SHORT_CHIPS),
    _K.HAND_WIN_TOO_LOW: Template(_N.OVER_SHORT_CHIPS, _N.WIN_MAIN),
    _K.LATE_PAYMENT: Template(_N.POST_CLOSE_ADJUSTMENTS, _N.CAGE_CASH),
    _K.LATE_RECOVERY: Template(_N.CAGE_CASH, _N.POST_CLOSE_ADJUSTMENTS),
    _K.COUNTERFEIT_CHIP: Template(
        _N.OVER_SHORT_CHIPS, _N.TRAY, debit_at={_P.REASON: "counterfeit"}
    ),
    _K.DROP_COUNTED_IN_CURRENCY: Template(_N.CAGE_CASH, _N.DROP_AWAITING_COUNT),
    _K.DROP_COUNTED_IN_CHIPS: Template(_N.CAGE_CHIP_BANK, _N.DROP_AWAITING_COUNT),
    _K.DROP_COUNT_SHORT: Template(_N.OVER_SHORT_COUNT, _N.DROP_AWAITING_COUNT),
    _K.DROP_COUNT_OVER: Template(_N.DROP_AWAITING_COUNT, _N.OVER_SHORT_COUNT),
    _K.COUNTERFEIT_NOTE: Template(
        _N.OVER_SHORT_COUNT, _N.DROP_AWAITING_COUNT, debit_at={_P.REASON: "counterfeit"}
    ),
    _K.COMP_EARNED: Template(_N.COMPLIMENTARIES, _N.COMPS_EARNED),
    _K.COMP_USED: Template(_N.COMPS_EARNED, _N.OWED_TO_DEPARTMENTS),
}
"""The events that are a pair; `pair` makes their legs."""

LISTS: Final[Mapping[EventKind, Sides]] = {
    _K.OPENING_BALANCE: Sides(
        (_N.CAGE_CASH, _N.VAULT, _N.CAGE_CHIP_BANK, _N.TRAY),
        (_N.CHIPS_IN_SERVICE, _N.CUSTOMER_DEPOSITS, _N.EQUITY),
    ),
    _K.COLOUR_CHANGED: Sides((_N.TRAY,), (_N.TRAY,)),
    _K.CURRENCY_EXCHANGED: Sides(
        (_N.CAGE_CASH, _N.CAGE_CHIP_BANK, _N.CURRENCY_TRADING),
        (_N.CAGE_CASH, _N.CAGE_CHIP_BANK, _N.CURRENCY_TRADING),
    ),
    _K.SIDE_WAGER_WON_TAXED: Sides((_N.WIN_SIDE,), (_N.TRAY, _N.TAX_WITHHELD)),
    _K.WAGER_BETWEEN_SEATS: Sides((_N.SEAT_BALANCE,), (_N.SEAT_BALANCE,)),
    _K.TOKES_CASHED: Sides(
        (_N.CAGE_CHIP_BANK, _N.TOKES_PAYABLE), (_N.TOKE_BOX_CHIPS, _N.CAGE_CASH)
    ),
    _K.DROP_BOX_PULLED: Sides(
        (_N.DROP_AWAITING_COUNT,),
        (_N.DROP_BOX_CURRENCY, _N.DROP_BOX_CHIPS, _N.DROP_BOX_VOUCHERS),
    ),
}
"""The events with a function of their own, below; that of an exchange is in `exchange.py`."""
assert TEMPLATES.keys().isdisjoint(LISTS)
assert TEMPLATES.keys() | LISTS.keys() == set(EventKind)

ELECTRONIC: Final = frozenset(
    {
        _K.CASH_BUY_IN,
        _K.VOUCHER_BUY_IN,
        _K.MARKER_ISSUED,
        _K.FRONT_MONEY_WITHDRAWN,
        _K.MAIN_WAGER_LOST,
        _K.MAIN_WAGER_WON,
        _K.SIDE_WAGER_LOST,
        _K.SIDE_WAGER_WON,
        _K.SIDE_WAGER_WON_TAXED,
        _K.COMMISSION_TAKEN,
        _K.COMMISSION_COLLECTED,
        _K.COMMISSION_RECOVERED_AT_TABLE,
        _K.COLLECTION_FEE,
        _K.PLAYER_BANKED_HOUSE_WON,
        _K.PLAYER_BANKED_HOUSE_LOST,
        _K.CO_BANK_HOUSE_WON,
        _K.CO_BANK_HOUSE_LOST,
        _K.BANK_COMMISSION_TAKEN,
        _K.PROGRESSIVE_JACKPOT_AT_TABLE,
        _K.PROMOTIONAL_COUPON_WON,
    }
)
"""A patron's wagers, wins, commissions, fees and buy-ins: at an electronic seat its balance stands
in the place of the tray, and of the box that takes the chips of a fee. A money play is currency
laid on the felt, which such a seat does not have."""


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
    pieces: Pieces = (),
    electronic_seat: bool = False,
) -> tuple[Leg, Leg]:
    """Return the debit and the credit of one event.

    Args:
        amount: above zero, in minor units.
        pieces: where chips are counted, (denomination, pieces); both sides carry them.
        electronic_seat: the balance of the seat in *places* moves, not the chips of a tray.

    Raises:
        InvalidEntryError: the amount is not above zero (the template says the direction), the
            event is more than a pair, or no electronic seat can have it.
        MissingPlaceError: a sub-ledger needs a place that is not given.
    """
    _require_above_zero(kind, amount)
    template = TEMPLATES.get(kind)
    if template is None:
        raise InvalidEntryError("kind", f"{kind} is more than a pair, so has its own function")
    debit, credit = template.debit, template.credit
    if electronic_seat:
        debit, credit = _seat_for_chips(kind, debit), _seat_for_chips(kind, credit)
    return (
        Leg(
            account=_code(debit, places, template.debit_at),
            amount=amount,
            event=kind,
            pieces=pieces,
        ),
        Leg(
            account=_code(credit, places, template.credit_at),
            amount=-amount,
            event=kind,
            pieces=pieces,
        ),
    )


def rounded_pair(
    kind: EventKind, rounded: Rounded, *, places: Places, electronic_seat: bool = False
) -> tuple[Leg, ...]:
    """Return the legs of an event whose chips moved *rounded* to the smallest one.

    What a hand holds, or an electronic seat, moves the rounded amount and the other side the exact
    one; the rest, if there is one, is the house's gain or loss on the rounding account. It stands
    with the session in *places*, or outside any.

    Raises:
        InvalidEntryError, MissingPlaceError: as `pair`; also where both sides or neither are what
            a hand holds, so that nothing says which of them was rounded.
    """
    exact = rounded.amount + rounded.rest
    sides = pair(kind, exact, places=places, electronic_seat=electronic_seat)
    in_hand = [_is_in_hand(leg) for leg in sides]
    if in_hand[0] == in_hand[1]:
        raise InvalidEntryError("kind", f"{kind} has no one side that is rounded")
    moved = (rounded.amount, -rounded.amount)
    legs = [
        replace(leg, amount=amount) if held else leg
        for leg, amount, held in zip(sides, moved, in_hand, strict=True)
    ]
    rest = -sum(leg.amount for leg in legs)
    code = account_code(Number.ROUNDING, places.given())
    legs.append(Leg(account=code, amount=rest, event=kind))
    return tuple(leg for leg in legs if leg.amount)


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


def colour_change_legs(
    amount: int, *, taken: Pieces, given: Pieces, places: Places
) -> tuple[Leg, Leg]:
    """Return the legs of chips *taken* into a tray for others of equal value *given* out of it.

    Raises:
        InvalidEntryError: the amount is not above zero, or one of the sides is not counted; that
            both add up to the amount is asked of every posting.
        MissingPlaceError: no table is given.
    """
    kind = EventKind.COLOUR_CHANGED
    _require_above_zero(kind, amount)
    if not taken or not given:
        raise InvalidEntryError("pieces", f"{kind} says which chips were taken and given")
    tray = _code(Number.TRAY, places)
    return (
        Leg(account=tray, amount=amount, event=kind, pieces=taken),
        Leg(account=tray, amount=-amount, event=kind, pieces=given),
    )


def taxed_payout_legs(
    gross: int, *, tax: int, places: Places, electronic_seat: bool = False
) -> tuple[Leg, ...]:
    """Return the legs of a side wager that won *gross*, of which the house keeps back *tax*.

    Raises:
        InvalidEntryError: the tax is not above zero, or leaves nothing of the gross amount.
        MissingPlaceError: a sub-ledger needs a place that is not given.
    """
    kind = EventKind.SIDE_WAGER_WON_TAXED
    if not 0 < tax < gross:
        raise InvalidEntryError("tax", f"{tax} of {gross} is not above zero and below the whole")
    paid = _seat_for_chips(kind, Number.TRAY) if electronic_seat else Number.TRAY
    return (
        Leg(account=_code(Number.WIN_SIDE, places), amount=gross, event=kind),
        Leg(account=_code(paid, places), amount=tax - gross, event=kind),
        Leg(account=_code(Number.TAX_WITHHELD, places), amount=-tax, event=kind),
    )


def between_seats_legs(
    amount: int, *, payer: str | int, payee: str | int, places: Places
) -> tuple[Leg, Leg]:
    """Return the legs of what one electronic seat of a session pays to another.

    Raises:
        InvalidEntryError: the amount is not above zero, or both are one seat.
        MissingPlaceError: no session is given.
    """
    kind = EventKind.WAGER_BETWEEN_SEATS
    _require_above_zero(kind, amount)
    if str(payer) == str(payee):
        raise InvalidEntryError("payee", f"seat {payee} pays nothing to itself")
    debit, credit = (
        _code(Number.SEAT_BALANCE, replace(places, seat=seat)) for seat in (payer, payee)
    )
    return (
        Leg(account=debit, amount=amount, event=kind),
        Leg(account=credit, amount=-amount, event=kind),
    )


def seeding_legs(amount: int, *, reserve: int, places: Places) -> tuple[Leg, ...]:
    """Return the legs by which the house starts a meter at *amount*; its reserve goes first.

    Args:
        reserve: what the meter's reserve holds, in minor units; nothing is taken of one that is
            overdrawn.

    Raises:
        InvalidEntryError: the amount is not above zero.
        MissingPlaceError: no meter is given; nor a wager, where the reserve is not enough.
    """
    _require_above_zero(EventKind.PROGRESSIVE_SEEDED, amount)
    kept = min(max(reserve, 0), amount)
    parts = (
        (EventKind.PROGRESSIVE_SEEDED_FROM_RESERVE, kept),
        (EventKind.PROGRESSIVE_SEEDED, amount - kept),
    )
    return tuple(leg for kind, part in parts if part for leg in pair(kind, part, places=places))


def tokes_cashed_legs(amount: int, *, places: Places, pieces: Pieces = ()) -> tuple[Leg, ...]:
    """Return the legs of tokes that the cage takes as chips and pays out as currency: two pairs.

    Raises:
        InvalidEntryError: the amount is not above zero.
        MissingPlaceError: no window is given.
    """
    kind = EventKind.TOKES_CASHED
    _require_above_zero(kind, amount)
    sides = (
        (Number.CAGE_CHIP_BANK, amount, pieces),
        (Number.TOKE_BOX_CHIPS, -amount, pieces),
        (Number.TOKES_PAYABLE, amount, ()),
        (Number.CAGE_CASH, -amount, ()),
    )
    return tuple(
        Leg(account=_code(number, places), amount=moved, event=kind, pieces=counted)
        for number, moved, counted in sides
    )


def box_pulled_legs(
    *, places: Places, currency: int = 0, chips: int = 0, vouchers: int = 0
) -> tuple[Leg, ...]:
    """Return the legs of a drop box that is pulled, with what was recorded into it.

    Raises:
        InvalidEntryError: an amount is below zero, or nothing was recorded.
        MissingPlaceError: no session or no box is given.
    """
    kind = EventKind.DROP_BOX_PULLED
    recorded = {
        Number.DROP_BOX_CURRENCY: currency,
        Number.DROP_BOX_CHIPS: chips,
        Number.DROP_BOX_VOUCHERS: vouchers,
    }
    for amount in recorded.values():
        if amount < 0:
            raise InvalidEntryError("amount", f"{kind} moves {amount}, which is below zero")
    total = sum(recorded.values())
    _require_above_zero(kind, total)
    return (
        Leg(account=_code(Number.DROP_AWAITING_COUNT, places), amount=total, event=kind),
        *(
            Leg(account=_code(number, places), amount=-amount, event=kind)
            for number, amount in recorded.items()
            if amount
        ),
    )


def _require_above_zero(kind: EventKind, amount: int) -> None:
    if amount <= 0:
        raise InvalidEntryError("amount", f"{kind} moves {amount}, not an amount above zero")


def _seat_for_chips(kind: EventKind, number: Number) -> Number:
    if kind not in ELECTRONIC:
        raise InvalidEntryError("kind", f"{kind} is nothing that an electronic seat does")
    return Number.SEAT_BALANCE if number in {Number.TRAY, Number.DROP_BOX_CHIPS} else number


def _code(number: Number, places: Places, at: At = _NOWHERE) -> str:
    """Return the sub-account; a win is of a session unless the template says otherwise."""
    known: dict[Place, str | None] = {**places.given(), **at}
    if number is Number.WIN_SIDE and Place.SESSION not in known:
        raise MissingPlaceError(number, Place.SESSION)
    return account_code(
        number, {place: value for place, value in known.items() if value is not None}
    )


def _is_in_hand(leg: Leg) -> bool:
    number = read_number(leg.account)
    return number is Number.SEAT_BALANCE or CHART[number].instrument is not Instrument.BOOK
