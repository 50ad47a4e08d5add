"""What the tablet's partials draw: plain records, so that no template can reach the database.

Amounts are minor units of the record's currency. Every `can_…` and every offered choice comes
from the predicate that the service itself asks: the tablet never offers what would be refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tables.art.records import SeatSettlement, TwoHands, Words


class SeatState(StrEnum):
    """What a seat is doing in the running round."""

    EMPTY = "empty"
    SEATED = "seated"
    WAGERED = "wagered"
    SITTING_OUT = "sitting_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTile:
    """One place at the table: `_seat.html`."""

    number: int
    patron: str
    state: SeatState
    currency: str
    wager: int = 0
    is_bank: bool = False
    commission_owed: int = 0
    can_choose: bool = True
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One denomination on a button: `_chips.html`."""

    value: int
    text: str
    """As printed on the chip: "25"."""
    colour: str
    """white, red, green, black, purple, yellow, blue, orange, pink, brown or grey."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountEntry:
    """An amount to be typed or tapped together: `_amount.html`, `_keypad.html`, `_chips.html`."""

    name: str
    label: Words
    currency: str
    digits: int
    """Decimal digits of the currency."""
    text: str = ""
    chips: tuple[Chip, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickerFace:
    """A face that the picker offers, and how many of it the set holds."""

    token: str
    copies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """The cards of one suit, high to low; the joker's row has no suit."""

    suit: str
    faces: tuple[PickerFace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSlots:
    """The places of one hand, filled by taps: `_hand_slots.html`."""

    name: str
    """The form's field: its value is the tokens, parted by spaces."""
    title: Words
    kind: str
    """`tile` or `card`."""
    size: int
    low_size: int = 0
    """The places that are the low hand, from the first; 0 where the order says nothing."""
    tokens: tuple[str, ...] = ()
    is_chosen: bool = False
    error: str = ""

    @property
    def places(self) -> tuple[str, ...]:
        """Return one token for each place, empty where nothing lies yet."""
        return self.tokens + ("",) * (self.size - len(self.tokens))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRow:
    """One denomination of a count: `_count.html`."""

    chip: Chip
    name: str
    pieces: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountSheet:
    """A blind count: what should be there is not in this record, so it cannot leak."""

    rows: tuple[CountRow, ...]
    currency: str
    digits: int
    total: int = 0


class Band(StrEnum):
    """How full the tray is, without its figure."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


# --- the screens: what each state of the table shows; one template of `screens/` for each


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A term and its value."""

    term: Words
    value: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedTable:
    """Nobody plays here now: `screens/closed.html`."""

    facts: tuple[Fact, ...] = ()
    """Of the last session, if there was one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """The dealer counts the tray, blind: `screens/count.html`."""

    title: Words
    sheet: CountSheet
    can_count: bool
    """Who is signed in is a dealer."""
    can_abort: bool = False
    can_resume: bool = False

    @property
    def names(self) -> str:
        """Return the fields that the keypad types into."""
        return " ".join(row.name for row in self.sheet.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRow:
    """One denomination as it was counted."""

    chip: Chip
    pieces: int
    sum: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A count that waits for the floor: `screens/witness.html`; still nothing of the books."""

    title: Words
    rows: tuple[CountedRow, ...]
    total: int
    currency: str
    counted_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A signed count beside the books: `screens/compare.html`."""

    title: Words
    currency: str
    counted: int
    expected: int
    can_recount: bool
    is_opener: bool
    facts: tuple[Fact, ...] = ()
    """What is frozen into the session when the table opens."""

    @property
    def difference(self) -> int:
        """Return counted less expected."""
        return self.counted - self.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """The worker settles the session: `screens/settling.html`."""

    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatronChoice:
    """A patron who may take the seat."""

    id: int
    name: str
    ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPanel:
    """What can be done at the chosen seat: `_seat_panel.html`."""

    seat: int
    patron: str
    """Empty at an empty seat."""
    entry: AmountEntry
    has_wager: bool = False
    can_wager: bool = False
    can_buy_in: bool = False
    can_leave: bool = False
    asks_floor: bool = False
    """The buy-in that was entered needs the floor's signature."""
    floor_errors: Mapping[str, str] = field(default_factory=dict)
    """What was wrong with the signature that was given."""
    patrons: tuple[PatronChoice, ...] = ()
    search: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Betting:
    """Wagers are open: `screens/betting.html`."""

    round_number: int
    round_id: int | None
    revision: int | None
    limits: Words
    band: Band
    seats: tuple[SeatTile, ...]
    panel: SeatPanel | None
    currency: str
    repeat_total: int = 0
    """What the last round's wagers add up to, where they may be repeated."""
    can_lock: bool = False
    can_void: bool = False
    last_round: int | None = None
    """The number of the round that was paid last and may be voided."""
    has_buy_ins: bool = False
    can_close: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntry:
    """One hand that is being entered, and how it is to be set."""

    position: str
    slots: HandSlots
    is_seat: bool = False
    is_house_way: bool = False
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """Hands are entered: `screens/hands.html`."""

    round_number: int
    round_id: int
    revision: int
    kind: str
    currency: str
    hands: tuple[HandEntry, ...]
    tile_faces: tuple[PickerFace, ...] = ()
    card_rows: tuple[CardRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeEntry:
    """One seat whose outcome alone is recorded."""

    seat: int
    patron: str
    wager: int
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """Outcomes are entered: `screens/results.html`."""

    round_number: int
    round_id: int
    revision: int
    currency: str
    seats: tuple[OutcomeEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BankHands:
    """The bank's set and its reasons."""

    hands: TwoHands
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPayment:
    """What one seat is paid or loses."""

    seat: int
    settlement: SeatSettlement
    can_house_way: bool
    """It is not set the house way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paying:
    """What to pay and take: `screens/settle.html` before, `screens/paid.html` after."""

    round_number: int
    round_id: int
    revision: int
    currency: str
    seats: tuple[SeatPayment, ...]
    bank: BankHands | None
    has_hands: bool
    repeat_total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Voiding:
    """A round is to be voided: `screens/void.html`."""

    round_number: int
    round_id: int
    revision: int
    is_paid: bool
    needs_pit_boss: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyInChoice:
    """A buy-in of the session that still stands."""

    id: int
    seat: int
    patron: str
    amount: int
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIns:
    """The buy-ins of the session: `screens/buy_ins.html`."""

    currency: str
    buy_ins: tuple[BuyInChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Play is to end: `screens/close.html`."""

    open_items: tuple[str, ...]
