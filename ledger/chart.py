"""The chart of accounts: what each number is, and how the code of its sub-account is written.

Source: table-operations.md 18. Sub-ledgers by denomination are lines beside a posting, not
accounts of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

CODE: Final = re.compile(r"[0-9]{4}(/[a-z_]+:[A-Za-z0-9_.-]+)*")
"""`1120/table:3`, `1220/session:7/seat:3`."""


class AccountType(StrEnum):
    """Where an account stands in the books."""

    ASSET = "asset"
    LIABILITY = "liability"
    EQUITY = "equity"
    REVENUE = "revenue"
    EXPENSE = "expense"


class Instrument(StrEnum):
    """What the value of an account is in; chips are no currency of their own."""

    CASH = "cash"
    CHIPS = "chips"
    VOUCHERS = "vouchers"
    MIXED = "mixed"
    """The contents of a box that nobody has counted yet."""
    MARKERS = "markers"
    LAMMERS = "lammers"
    BOOK = "book"
    """A claim, a result or a right: nothing that a hand could hold."""


class Place(StrEnum):
    """A part of a sub-account's code: what kind of thing it belongs to."""

    WINDOW = "window"
    TABLE = "table"
    SESSION = "session"
    SEAT = "seat"
    BOX = "box"
    DOCUMENT = "document"
    PATRON = "patron"
    MARKER = "marker"
    CHIP_SET = "chip_set"
    METER = "meter"
    WAGER = "wager"
    CAMPAIGN = "campaign"
    REASON = "reason"


class Number(StrEnum):
    """Every account of the chart, by its number."""

    CAGE_CASH = "1010"
    DROP_BOX_CURRENCY = "1020"
    DROP_BOX_CHIPS = "1025"
    DROP_BOX_VOUCHERS = "1027"
    DROP_AWAITING_COUNT = "1030"
    VAULT = "1100"
    CAGE_CHIP_BANK = "1110"
    TRAY = "1120"
    CHIPS_IN_TRANSIT = "1130"
    TOKE_BOX_CHIPS = "1150"
    MARKERS_RECEIVABLE = "1210"
    COMMISSION_RECEIVABLE = "1220"
    CHIPS_IN_SERVICE = "2100"
    CUSTOMER_DEPOSITS = "2200"
    SEAT_BALANCE = "2250"
    TOKES_PAYABLE = "2300"
    PROGRESSIVE_POOL = "2400"
    COMPS_EARNED = "2500"
    TAX_WITHHELD = "2600"
    EQUITY = "3000"
    WIN_MAIN = "4010"
    WIN_SIDE = "4020"
    COMMISSION = "4030"
    COMMISSION_UNCOLLECTED = "4031"
    COLLECTION_FEES = "4040"
    PROMOTIONAL_PAYOUTS = "4050"
    POST_CLOSE_ADJUSTMENTS = "4060"
    OVER_SHORT_CHIPS = "4900"
    OVER_SHORT_BETWEEN_SESSIONS = "4905"
    OVER_SHORT_COUNT = "4910"
    OVER_SHORT_TRANSIT = "4920"
    COMPLIMENTARIES = "5200"
    MARKERS_WRITTEN_OFF = "5300"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountRule:
    """What every account of one number has in common."""

    name: str
    type: AccountType
    instrument: Instrument = Instrument.BOOK
    places: tuple[Place, ...] = ()
    """The parts of a sub-account's code, in this order."""
    optional: frozenset[Place] = frozenset()
    """Parts that a code may do without."""
    floor: int | None = None
    """The least balance, counted on the account's own side, in minor units.

    What a hand holds at the cage, and what is owed to a patron, cannot fall below nothing. Trays
    have no floor: the physical game is the truth, so a tray below zero is an alert, not a refusal.
    """
    shards: int = 1
    """How many balance rows share the load; above one where a whole property posts to it."""

    @property
    def side(self) -> Literal[1, -1]:
        """1 where debits increase the balance, -1 where credits do."""
        return 1 if self.type in {AccountType.ASSET, AccountType.EXPENSE} else -1


_ASSET, _LIABILITY, _REVENUE = AccountType.ASSET, AccountType.LIABILITY, AccountType.REVENUE

CHART: Final[Mapping[Number, AccountRule]] = {
    Number.CAGE_CASH: AccountRule(
        name="Cage cash",
        type=_ASSET,
        instrument=Instrument.CASH,
        places=(Place.WINDOW,),
        floor=0,
    ),
    Number.DROP_BOX_CURRENCY: AccountRule(
        name="Table drop box - currency (recorded)",
        type=_ASSET,
        instrument=Instrument.CASH,
        places=(Place.SESSION, Place.BOX),
        optional=frozenset({Place.BOX}),
    ),
    Number.DROP_BOX_CHIPS: AccountRule(
        name="Table drop box - chips",
        type=_ASSET,
        instrument=Instrument.CHIPS,
        places=(Place.SESSION, Place.BOX),
        optional=frozenset({Place.BOX}),
    ),
    Number.DROP_BOX_VOUCHERS: AccountRule(
        name="Table drop box - vouchers",
        type=_ASSET,
        instrument=Instrument.VOUCHERS,
        places=(Place.SESSION, Place.BOX),
        optional=frozenset({Place.BOX}),
    ),
    Number.DROP_AWAITING_COUNT: AccountRule(
        name="Drop awaiting count",
        type=_ASSET,
        instrument=Instrument.MIXED,
        places=(Place.BOX,),
    ),
    Number.VAULT: AccountRule(name="Chip vault", type=_ASSET, instrument=Instrument.CHIPS, floor=0),
    Number.CAGE_CHIP_BANK: AccountRule(
        name="Cage chip bank", type=_ASSET, instrument=Instrument.CHIPS, floor=0
    ),
    Number.TRAY: AccountRule(
        name="Table inventory (tray)",
        type=_ASSET,
        instrument=Instrument.CHIPS,
        places=(Place.TABLE,),
    ),
    Number.CHIPS_IN_TRANSIT: AccountRule(
        name="Chips in transit",
        type=_ASSET,
        instrument=Instrument.CHIPS,
        places=(Place.DOCUMENT,),
    ),
    Number.TOKE_BOX_CHIPS: AccountRule(
        name="Toke box chips", type=_ASSET, instrument=Instrument.CHIPS
    ),
    Number.MARKERS_RECEIVABLE: AccountRule(
        name="Markers receivable",
        type=_ASSET,
        instrument=Instrument.MARKERS,
        places=(Place.PATRON, Place.MARKER),
    ),
    Number.COMMISSION_RECEIVABLE: AccountRule(
        name="Commission receivable (lammers)",
        type=_ASSET,
        instrument=Instrument.LAMMERS,
        places=(Place.SESSION, Place.SEAT),
    ),
    Number.CHIPS_IN_SERVICE: AccountRule(
        name="Chips in service (face value)",
        type=_LIABILITY,
        instrument=Instrument.CHIPS,
        places=(Place.CHIP_SET,),
    ),
    Number.CUSTOMER_DEPOSITS: AccountRule(
        name="Customer deposits (front money)",
        type=_LIABILITY,
        places=(Place.PATRON,),
        floor=0,
    ),
    Number.SEAT_BALANCE: AccountRule(
        name="Electronic seat balances",
        type=_LIABILITY,
        places=(Place.SESSION, Place.SEAT),
        floor=0,
    ),
    Number.TOKES_PAYABLE: AccountRule(name="Tokes payable", type=_LIABILITY),
    Number.PROGRESSIVE_POOL: AccountRule(
        name="Progressive pool", type=_LIABILITY, places=(Place.METER,), shards=16
    ),
    Number.COMPS_EARNED: AccountRule(name="Comps earned", type=_LIABILITY, places=(Place.PATRON,)),
    Number.TAX_WITHHELD: AccountRule(name="Tax withheld", type=_LIABILITY),
    Number.EQUITY: AccountRule(name="Equity", type=AccountType.EQUITY),
    Number.WIN_MAIN: AccountRule(name="Win - main wagers", type=_REVENUE, places=(Place.SESSION,)),
    Number.WIN_SIDE: AccountRule(
        name="Win - side wagers", type=_REVENUE, places=(Place.SESSION, Place.WAGER)
    ),
    Number.COMMISSION: AccountRule(name="Commission", type=_REVENUE, places=(Place.SESSION,)),
    Number.COMMISSION_UNCOLLECTED: AccountRule(
        name="Commission uncollected (contra)", type=_REVENUE, places=(Place.SESSION,)
    ),
    Number.COLLECTION_FEES: AccountRule(
        name="Collection fees", type=_REVENUE, places=(Place.SESSION,)
    ),
    Number.PROMOTIONAL_PAYOUTS: AccountRule(
        name="Promotional payouts (contra)", type=_REVENUE, places=(Place.CAMPAIGN,)
    ),
    Number.POST_CLOSE_ADJUSTMENTS: AccountRule(
        name="Post-close adjustments", type=_REVENUE, places=(Place.SESSION,)
    ),
    Number.OVER_SHORT_CHIPS: AccountRule(
        name="Over/short - table chips",
        type=_REVENUE,
        places=(Place.SESSION, Place.REASON),
        optional=frozenset({Place.REASON}),
    ),
    Number.OVER_SHORT_BETWEEN_SESSIONS: AccountRule(
        name="Over/short - between sessions", type=_REVENUE, places=(Place.TABLE,)
    ),
    Number.OVER_SHORT_COUNT: AccountRule(
        name="Over/short - drop count",
        type=_REVENUE,
        places=(Place.BOX, Place.REASON),
        optional=frozenset({Place.REASON}),
    ),
    Number.OVER_SHORT_TRANSIT: AccountRule(
        name="Over/short - transit and cage", type=_REVENUE, places=(Place.DOCUMENT,)
    ),
    Number.COMPLIMENTARIES: AccountRule(name="Complimentaries", type=AccountType.EXPENSE),
    Number.MARKERS_WRITTEN_OFF: AccountRule(name="Markers written off", type=AccountType.EXPENSE),
}
assert CHART.keys() == set(Number)


class MissingPlaceError(LookupError):
    """A sub-account was asked for without saying whose it is."""

    def __init__(self, number: Number, place: Place) -> None:
        super().__init__(f"account {number} {CHART[number].name} needs a {place}")
        self.number, self.place = number, place


def account_code(number: Number, places: Mapping[Place, str]) -> str:
    """Return the code of the sub-account of *number* at *places*: `1120/table:3`.

    Raises:
        MissingPlaceError: the chart's sub-ledger needs a place that is not given.
        ValueError: a place has a value that a code cannot hold (a colon, a slash, a blank).
    """
    rule = CHART[number]
    code: str = number.value
    for place in rule.places:
        if place in places:
            code += f"/{place}:{places[place]}"
        elif place not in rule.optional:
            raise MissingPlaceError(number, place)
    if not CODE.fullmatch(code):
        raise ValueError(f"{code!r} is not an account code")
    return code


def read_number(code: str) -> Number:
    """Return the account of the chart that *code* belongs to.

    Raises:
        ValueError: it is no code, its number is not in the chart, or its places are others.
    """
    if not CODE.fullmatch(code):
        raise ValueError(f"{code!r} is not an account code")
    head, *parts = code.split("/")
    number = Number(head)
    kinds = [part.partition(":")[0] for part in parts]
    if kinds != [place for place in CHART[number].places if place in kinds]:
        raise ValueError(f"account {number} has no sub-account {'/'.join(parts)}")
    if missing := set(CHART[number].places) - CHART[number].optional - set(kinds):
        raise ValueError(f"account {number} needs a {min(missing)}")
    return number
