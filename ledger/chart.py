"""The chart of accounts: what each number is, and how the code of its sub-account is written.

A code is the number, then the places of its sub-ledger; last come, only where they say something,
what the chips are (`/instrument:plaque`; value chips go without) and the currency (`/currency:HKD`;
the property's own goes without). So every account has one code. Sub-ledgers by denomination are
lines beside a posting, not accounts of their own.

Source: table-operations.md 18 and, for what it leaves open, "Decided while building" at its end:
2550 is the "department" of its row of comps used. 3100 carries what was exchanged of each currency
(ledger.md 1.8), 4930 what rounding to the smallest chip leaves over (there too).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

CODE: Final = re.compile(r"[0-9]{4}(/[a-z_]+:[A-Za-z0-9_.-]+)*")
"""`1120/table:3`, `1220/session:7/seat:3`, `1110/instrument:plaque/currency:HKD`."""


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
    VALUE_CHIP = "value_chip"
    NON_NEGOTIABLE_CHIP = "non_negotiable_chip"
    """A chip that is played but never redeemed."""
    PLAQUE = "plaque"
    VOUCHER = "voucher"
    MIXED = "mixed"
    """The contents of a box that nobody has counted yet."""
    MARKER = "marker"
    LAMMER = "lammer"
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
    HOLDER = "holder"
    """Who keeps a marker: `cage` once the pit has handed it over, the pit while this is absent."""
    CHIP_SET = "chip_set"
    METER = "meter"
    POOL = "pool"
    """Which of a meter's pools: `reserve`, or what is to be won where this is absent."""
    WAGER = "wager"
    CAMPAIGN = "campaign"
    REASON = "reason"
    DEPARTMENT = "department"
    PAIR = "pair"
    """Two currencies in the order of the alphabet: `HKD-MOP`."""
    INSTRUMENT = "instrument"
    """What the chips are, if no value chips: any chip account may end so."""
    CURRENCY = "currency"
    """The currency, if not the property's own: any account may end so."""


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
    OWED_TO_DEPARTMENTS = "2550"
    TAX_WITHHELD = "2600"
    EQUITY = "3000"
    CURRENCY_TRADING = "3100"
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
    ROUNDING = "4930"
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
        instrument=Instrument.VALUE_CHIP,
        places=(Place.SESSION, Place.BOX),
        optional=frozenset({Place.BOX}),
    ),
    Number.DROP_BOX_VOUCHERS: AccountRule(
        name="Table drop box - vouchers",
        type=_ASSET,
        instrument=Instrument.VOUCHER,
        places=(Place.SESSION, Place.BOX),
        optional=frozenset({Place.BOX}),
    ),
    Number.DROP_AWAITING_COUNT: AccountRule(
        name="Drop awaiting count",
        type=_ASSET,
        instrument=Instrument.MIXED,
        places=(Place.BOX,),
    ),
    Number.VAULT: AccountRule(
        name="Chip vault", type=_ASSET, instrument=Instrument.VALUE_CHIP, floor=0
    ),
    Number.CAGE_CHIP_BANK: AccountRule(
        name="Cage chip bank", type=_ASSET, instrument=Instrument.VALUE_CHIP, floor=0
    ),
    Number.TRAY: AccountRule(
        name="Table inventory (tray)",
        type=_ASSET,
        instrument=Instrument.VALUE_CHIP,
        places=(Place.TABLE,),
    ),
    Number.CHIPS_IN_TRANSIT: AccountRule(
        name="Chips in transit",
        type=_ASSET,
        instrument=Instrument.VALUE_CHIP,
        places=(Place.DOCUMENT,),
    ),
    Number.TOKE_BOX_CHIPS: AccountRule(
        name="Toke box chips", type=_ASSET, instrument=Instrument.VALUE_CHIP
    ),
    Number.MARKERS_RECEIVABLE: AccountRule(
        name="Markers receivable",
        type=_ASSET,
        instrument=Instrument.MARKER,
        places=(Place.PATRON, Place.MARKER, Place.HOLDER),
        optional=frozenset({Place.HOLDER}),
    ),
    Number.COMMISSION_RECEIVABLE: AccountRule(
        name="Commission receivable (lammers)",
        type=_ASSET,
        instrument=Instrument.LAMMER,
        places=(Place.SESSION, Place.SEAT),
    ),
    Number.CHIPS_IN_SERVICE: AccountRule(
        name="Chips in service (face value)",
        type=_LIABILITY,
        instrument=Instrument.VALUE_CHIP,
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
        name="Progressive pool",
        type=_LIABILITY,
        places=(Place.METER, Place.POOL),
        optional=frozenset({Place.POOL}),
        shards=16,
    ),
    Number.COMPS_EARNED: AccountRule(name="Comps earned", type=_LIABILITY, places=(Place.PATRON,)),
    Number.OWED_TO_DEPARTMENTS: AccountRule(
        name="Owed to departments", type=_LIABILITY, places=(Place.DEPARTMENT,)
    ),
    Number.TAX_WITHHELD: AccountRule(name="Tax withheld", type=_LIABILITY),
    Number.EQUITY: AccountRule(name="Equity", type=AccountType.EQUITY),
    Number.CURRENCY_TRADING: AccountRule(
        name="Currency trading", type=AccountType.EQUITY, places=(Place.PAIR,)
    ),
    Number.WIN_MAIN: AccountRule(name="Win - main wagers", type=_REVENUE, places=(Place.SESSION,)),
    Number.WIN_SIDE: AccountRule(
        name="Win - side wagers",
        type=_REVENUE,
        places=(Place.SESSION, Place.WAGER),
        optional=frozenset({Place.SESSION}),  # the house seeds a meter outside any session
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
    Number.ROUNDING: AccountRule(
        name="Rounding",
        type=_REVENUE,
        places=(Place.SESSION,),
        optional=frozenset({Place.SESSION}),
    ),
    Number.COMPLIMENTARIES: AccountRule(name="Complimentaries", type=AccountType.EXPENSE),
    Number.MARKERS_WRITTEN_OFF: AccountRule(name="Markers written off", type=AccountType.EXPENSE),
}
assert CHART.keys() == set(Number)


CHIP_ACCOUNTS: Final = frozenset(
    number for number, rule in CHART.items() if rule.instrument is Instrument.VALUE_CHIP
)
"""The accounts that hold chips, and the one that holds what they are worth together."""

VALUES: Final[Mapping[Place, re.Pattern[str]]] = {
    Place.HOLDER: re.compile("cage"),
    Place.POOL: re.compile("reserve"),
    Place.PAIR: re.compile("[A-Z]{3}-[A-Z]{3}"),
    Place.INSTRUMENT: re.compile(f"{Instrument.PLAQUE}|{Instrument.NON_NEGOTIABLE_CHIP}"),
    Place.CURRENCY: re.compile("[A-Z]{3}"),
}
"""What may stand behind a place whose values the chart itself gives."""


def name_of(number: str) -> str:
    """Return the name of *number*, as stored; books that were tampered with may hold any."""
    return CHART[Number(number)].name if number in CHART else "not in the chart"


class MissingPlaceError(LookupError):
    """A sub-account was asked for without saying whose it is."""

    def __init__(self, number: Number, place: Place) -> None:
        super().__init__(f"account {number} {CHART[number].name} needs a {place}")
        self.number, self.place = number, place


def account_code(number: Number, places: Mapping[Place, str]) -> str:
    """Return the code of the sub-account of *number* at *places*: `1120/table:3`.

    Places that the sub-ledger does not have are passed over, so both sides of a posting can be
    asked with the same. Value chips are what a chip account holds unless it says otherwise.

    Raises:
        MissingPlaceError: the chart's sub-ledger needs a place that is not given.
        ValueError: a place has a value that a code cannot hold (a colon, a slash, a blank), or
            one that the chart does not know (an instrument that is no chip, a pair out of order).
    """
    rule = CHART[number]
    for place in rule.places:
        if place not in places and place not in rule.optional:
            raise MissingPlaceError(number, place)
    parts = [
        f"/{place}:{places[place]}"
        for place in _places_of(number)
        if place in places and (place, places[place]) != (Place.INSTRUMENT, Instrument.VALUE_CHIP)
    ]
    code = "".join((number.value, *parts))
    read_number(code)
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
    if kinds != [place for place in _places_of(number) if place in kinds]:
        raise ValueError(f"account {number} has no sub-account {'/'.join(parts)}")
    if missing := set(CHART[number].places) - CHART[number].optional - set(kinds):
        raise ValueError(f"account {number} needs a {min(missing)}")
    _require_known_values(code)
    return number


def currency_of(code: str, default: str) -> str:
    """Return the currency of the account *code* at a property whose own is *default*.

    Raises:
        ValueError: the code writes the property's own currency, which would make a second account
            of the one without; or it trades a pair that its currency is not of.
    """
    places = _read_places(code)
    written = places.get(Place.CURRENCY)
    if written == default:
        raise ValueError(f"{code} writes the property's own currency, which goes without saying")
    currency = written or default
    pair = places.get(Place.PAIR)
    if pair is not None and currency not in pair.split("-"):
        raise ValueError(f"{code} is in {currency}, which is not of its pair")
    return currency


def instrument_of(code: str) -> Instrument:
    """Return what the value of the account *code*, which is in the chart, is in."""
    written = _read_places(code).get(Place.INSTRUMENT)
    return Instrument(written) if written else CHART[read_number(code)].instrument


def parent_of(code: str) -> str:
    """Return *code* without its last part; of a bare number nothing is left."""
    return code.rpartition("/")[0]


def _places_of(number: Number) -> tuple[Place, ...]:
    """Return every part that a code of *number* may have, in their order."""
    instrument = (Place.INSTRUMENT,) if number in CHIP_ACCOUNTS else ()
    return (*CHART[number].places, *instrument, Place.CURRENCY)


def _read_places(code: str) -> dict[Place, str]:
    parts = (part.split(":") for part in code.split("/")[1:])
    return {Place(kind): value for kind, value in parts}


def _require_known_values(code: str) -> None:
    places = _read_places(code)
    for place, value in places.items():
        if place in VALUES and not VALUES[place].fullmatch(value):
            raise ValueError(f"{code}: {value} is no {place}")
    if pair := places.get(Place.PAIR):
        first, second = pair.split("-")
        if first >= second:
            raise ValueError(f"{code}: a pair is two currencies in the order of the alphabet")
