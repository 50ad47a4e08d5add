"""What the tablet's partials draw: plain records, so that no template can reach the database.

Amounts are minor units of the record's currency. Every `can_…` and every offered choice comes
from the predicate that the service itself asks: the tablet never offers what would be refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise

Words = Promise | str


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
    tokens: tuple[str, ...] = ()
    is_chosen: bool = False
    error: str = ""

    @property
    def places(self) -> tuple[str, ...]:
        """Return one token for each place, empty where nothing lies yet."""
        return self.tokens + ("",) * (self.size - len(self.tokens))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetChoice:
    """A dealt hand to be divided: `_set.html`."""

    name: str
    title: Words
    kind: str
    tokens: tuple[str, ...]
    legal_lows: tuple[tuple[int, int], ...]
    """The pairs of places that may go low; no other pair can be chosen."""
    chosen_low: tuple[int, ...] = ()
    error: str = ""

    @property
    def legal_text(self) -> str:
        """Return the legal pairs as the page's module reads them: "0,1 0,3"."""
        return " ".join(",".join(map(str, pair)) for pair in self.legal_lows)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHands:
    """A set hand as it lies: `art/_two_hands.html`."""

    kind: str
    low: tuple[str, ...]
    high: tuple[str, ...]
    low_text: str = ""
    high_text: str = ""


class Result(StrEnum):
    """How a seat's main wager ended."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSettlement:
    """What the dealer does at one seat, and why: `_settlement.html`."""

    title: Words
    currency: str
    result: Result
    wager: int
    pay: int = 0
    """Chips from the tray to the seat, after commission."""
    take: int = 0
    """Chips from the seat to the tray (or to the bank)."""
    commission: int = 0
    """Kept from what is paid."""
    hands: TwoHands | None = None
    low_text: str = ""
    high_text: str = ""
    steps: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureRequest:
    """Whose signature is asked under what: `_signature.html`, `_signature_dialog.html`."""

    id: str
    action: str
    title: Words
    document: Words
    """What is signed, in words that stand above the PIN."""
    number: str = ""
    """What the number begins with, such as "FS-", or the whole number."""
    submit: Words = ""
    hidden: tuple[tuple[str, str], ...] = ()
    asks_reason: bool = False
    refusal: str = ""
