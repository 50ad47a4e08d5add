"""What the books say in codes, in the words of the floor: every code has its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from ledger.chart import VALUES as KNOWN_VALUES
from ledger.chart import Instrument, Place
from ledger.services.templates import EventKind
from tables.art.records import Words
from tables.chips.selectors import Due
from tables.floor.states import SessionState
from tables.pit.records import Level
from tables.rounds.states import RoundState
from tables.settlement.services.steps import STEPS

_K = EventKind

EVENTS: Final[Mapping[str, Words]] = {
    _K.OPENING_BALANCE: _("Opening balance"),
    _K.CHIPS_PLACED_IN_SERVICE: _("Chips placed in service"),
    _K.CHIPS_DESTROYED: _("Chips destroyed"),
    _K.VAULT_TO_CAGE: _("Vault to cage"),
    _K.CAGE_TO_VAULT: _("Cage to vault"),
    _K.OPENER_ABOVE_LAST_CLOSER: _("Opener above the last closer"),
    _K.OPENER_BELOW_LAST_CLOSER: _("Opener below the last closer"),
    _K.COUNT_ABOVE_EXPECTED: _("Count above expected"),
    _K.COUNT_BELOW_EXPECTED: _("Count below expected"),
    _K.FILL_DISPATCHED: _("Fill dispatched"),
    _K.FILL_RECEIVED: _("Fill received"),
    _K.FILL_RETURNED: _("Fill returned"),
    _K.CREDIT_REMOVED: _("Credit removed from the table"),
    _K.CREDIT_RECEIVED: _("Credit received at the cage"),
    _K.CREDIT_RETURNED: _("Credit returned to the table"),
    _K.TRANSIT_FOUND_AT_CAGE: _("Transit difference found at the cage"),
    _K.TRANSIT_FOUND_AT_TABLE: _("Transit difference found at the table"),
    _K.TRANSIT_LOST: _("Lost in transit"),
    _K.TRANSIT_EXCESS_FROM_CAGE: _("Transit excess, from the cage"),
    _K.TRANSIT_EXCESS_FROM_TABLE: _("Transit excess, from the table"),
    _K.TRANSIT_EXCESS_UNEXPLAINED: _("Transit excess, unexplained"),
    _K.CASH_BUY_IN: _("Cash buy-in"),
    _K.VOUCHER_BUY_IN: _("Voucher buy-in"),
    _K.MARKER_ISSUED: _("Marker issued at the table"),
    _K.MARKER_REDEEMED_IN_CHIPS: _("Marker redeemed in chips"),
    _K.MARKER_REDEEMED_IN_CURRENCY: _("Marker redeemed in currency"),
    _K.MARKER_TRANSFERRED_TO_CAGE: _("Marker transferred to the cage"),
    _K.MARKER_REDEEMED_AT_CAGE: _("Marker redeemed at the cage"),
    _K.MARKER_REDEEMED_AT_CAGE_IN_CHIPS: _("Marker redeemed at the cage in chips"),
    _K.MARKER_WRITTEN_OFF: _("Marker written off"),
    _K.DEPOSIT_RECEIVED_IN_CURRENCY: _("Deposit received in currency"),
    _K.DEPOSIT_RECEIVED_IN_CHIPS: _("Deposit received in chips"),
    _K.DEPOSIT_RETURNED: _("Deposit returned"),
    _K.FRONT_MONEY_WITHDRAWN: _("Front money withdrawn"),
    _K.COLOUR_CHANGED: _("Colour change"),
    _K.CHIP_SALE: _("Chip sale"),
    _K.CASH_OUT: _("Cash-out"),
    _K.CURRENCY_EXCHANGED: _("Currency exchanged"),
    _K.MAIN_WAGER_LOST: _("Main wagers lost by patrons"),
    _K.MAIN_WAGER_WON: _("Main wagers won by patrons"),
    _K.SIDE_WAGER_LOST: _("Side wagers lost by patrons"),
    _K.SIDE_WAGER_WON: _("Side wagers won by patrons"),
    _K.SIDE_WAGER_WON_TAXED: _("Side wager won, tax withheld"),
    _K.MONEY_PLAY_LOST: _("Money plays lost by patrons"),
    _K.MONEY_PLAY_WON: _("Money plays won by patrons"),
    _K.COMMISSION_TAKEN: _("Commission taken"),
    _K.COMMISSION_ACCRUED: _("Commission accrued"),
    _K.COMMISSION_COLLECTED: _("Commission collected"),
    _K.COMMISSION_UNCOLLECTED: _("Commission uncollected"),
    _K.COMMISSION_RECOVERED_AT_TABLE: _("Commission recovered at the table"),
    _K.COMMISSION_RECOVERED_AT_CAGE: _("Commission recovered at the cage"),
    _K.COLLECTION_FEE: _("Collection fee"),
    _K.WAGER_BETWEEN_SEATS: _("Wagers between electronic seats"),
    _K.PLAYER_BANKED_HOUSE_WON: _("Player-banked round won by the house's hand"),
    _K.PLAYER_BANKED_HOUSE_LOST: _("Player-banked round lost by the house's hand"),
    _K.CO_BANK_HOUSE_WON: _("House share of a co-bank, won"),
    _K.CO_BANK_HOUSE_LOST: _("House share of a co-bank, lost"),
    _K.BANK_COMMISSION_TAKEN: _("Commission on a bank's net"),
    _K.PROGRESSIVE_CONTRIBUTION: _("Progressive contribution"),
    _K.PROGRESSIVE_SEEDED: _("Progressive seeded by the house"),
    _K.PROGRESSIVE_SEEDED_FROM_RESERVE: _("Progressive seeded from its reserve"),
    _K.PROGRESSIVE_JACKPOT_AT_TABLE: _("Progressive jackpot paid at the table"),
    _K.PROGRESSIVE_JACKPOT_AT_CAGE: _("Progressive jackpot paid at the cage"),
    _K.PROMOTIONAL_COUPON_WON: _("Promotional coupon won"),
    _K.TOKE_DROPPED: _("Toke dropped"),
    _K.TOKES_CASHED: _("Tokes cashed"),
    _K.HAND_WIN_TOO_HIGH: _("Hand win was too high"),
    _K.HAND_WIN_TOO_LOW: _("Hand win was too low"),
    _K.LATE_PAYMENT: _("Late payment to a patron"),
    _K.LATE_RECOVERY: _("Late recovery from a patron"),
    _K.COUNTERFEIT_CHIP: _("Counterfeit chip"),
    _K.DROP_BOX_PULLED: _("Drop box pulled"),
    _K.DROP_COUNTED_IN_CURRENCY: _("Drop counted, currency"),
    _K.DROP_COUNTED_IN_CHIPS: _("Drop counted, chips"),
    _K.DROP_COUNT_SHORT: _("Drop count short"),
    _K.DROP_COUNT_OVER: _("Drop count over"),
    _K.COUNTERFEIT_NOTE: _("Counterfeit note"),
    _K.COMP_EARNED: _("Comp earned"),
    _K.COMP_USED: _("Comp used"),
}
assert EVENTS.keys() == set(EventKind)

ENTRY_KINDS: Final[Mapping[str, Words]] = {
    **EVENTS,
    "round_settled": _("Round settled"),
    "reversal": _("Taken back"),
    "entry_correction": _("Correction of an entry"),
}


def kind_words(kind: str) -> Words:
    """Return the words of a kind of entry, or of an event of a leg.

    A correction may be of any kind that its author calls it; one without words here reads as the
    books write it, without the lines between.
    """
    return ENTRY_KINDS.get(kind) or kind.replace("_", " ").capitalize()


PLACES: Final[Mapping[Place, Words]] = {
    Place.WINDOW: _("window"),
    Place.TABLE: _("table"),
    Place.SESSION: _("session"),
    Place.SEAT: _("seat"),
    Place.BOX: _("box"),
    Place.DOCUMENT: _("document"),
    Place.PATRON: _("patron"),
    Place.MARKER: _("marker"),
    Place.HOLDER: _("held by"),
    Place.CHIP_SET: _("chip set"),
    Place.METER: _("meter"),
    Place.POOL: _("pool"),
    Place.WAGER: _("side wager"),
    Place.CAMPAIGN: _("campaign"),
    Place.REASON: _("reason"),
    Place.DEPARTMENT: _("department"),
    Place.PAIR: _("currencies"),
    Place.INSTRUMENT: _("in"),
    Place.CURRENCY: _("currency"),
}
assert PLACES.keys() == set(Place)

VALUES: Final[Mapping[tuple[str, str], Words]] = {
    (Place.HOLDER, "cage"): _("the cage"),
    (Place.POOL, "reserve"): _("reserve"),
    (Place.INSTRUMENT, Instrument.PLAQUE): _("plaques"),
    (Place.INSTRUMENT, Instrument.NON_NEGOTIABLE_CHIP): _("non-negotiable chips"),
}
"""What the chart itself writes behind a place."""
assert all(
    VALUES.keys() >= {(place, value) for value in pattern.pattern.split("|")}
    for place, pattern in KNOWN_VALUES.items()
    if place not in {Place.PAIR, Place.CURRENCY}
)

SESSION_LEVELS: Final[Mapping[str, Level]] = {
    SessionState.OPENING: Level.NEUTRAL,
    SessionState.OPEN: Level.GOOD,
    SessionState.CLOSING: Level.WARNING,
    SessionState.CLOSED_PROVISIONAL: Level.PLAIN,
    SessionState.ABORTED: Level.PLAIN,
}
assert SESSION_LEVELS.keys() == set(SessionState)

ROUND_LEVELS: Final[Mapping[str, Level]] = {
    RoundState.BETTING: Level.NEUTRAL,
    RoundState.LOCKED: Level.NEUTRAL,
    RoundState.DEALT: Level.NEUTRAL,
    RoundState.SETTING: Level.NEUTRAL,
    RoundState.REVEALED: Level.NEUTRAL,
    RoundState.SETTLED: Level.GOOD,
    RoundState.CLOSED: Level.PLAIN,
    RoundState.VOIDED: Level.BAD,
}
assert ROUND_LEVELS.keys() == set(RoundState)

SETTLEMENT_STEPS: Final[Mapping[str, Words]] = {
    "S0": _("The version that was asked for, of a session that is closing"),
    "S1": _("Closing checklist looked through again"),
    "S2": _("Expected tray computed, held against the books, compared with the closer"),
    "S3": _("Chip variance posted, and told of where it is above the alert amount"),
    "S4": _("Rounds summed, by seat and by dealer"),
    "S5": _("Commission held against the books"),
    "S6": _("Win estimated and proved against the books"),
    "S10": _("Session closed, provisionally"),
}
assert list(SETTLEMENT_STEPS) == [step for step, _act in STEPS]


def due_words(due: Due) -> tuple[Words, ...]:
    """Return what is *due* on a difference, each in words."""
    words = (
        (due.alert, _("above the alert amount")),
        (due.written_report, _("written report due")),
        (due.regulator_copy, _("copy to the regulator due")),
    )
    return tuple(each for is_due, each in words if is_due)
