"""What the pit's partials draw: plain records, so that no template can reach the database.

Amounts are minor units of the record's currency.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tables.art.records import SeatSettlement, TwoHands, Words


class Level(StrEnum):
    """How a state is marked: by a shape and a word; the colour only helps."""

    PLAIN = "plain"
    GOOD = "good"
    NEUTRAL = "neutral"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorRow:
    """One table on the floor: `_floor_row.html`, a row of `_floor.html`."""

    code: str
    game: Words
    state: Words
    level: Level
    currency: str
    address: str = ""
    """The page of its session; empty where there is none, or none for this reader."""
    table_id: int = 0
    """The table whose live events make this row old."""
    refresh: str = ""
    """Where the row is drawn anew; empty where it does not follow events."""
    seen: str = ""
    """The last live event that the row shows."""
    dealer: str = ""
    """Who dealt the last round."""
    round_number: int | None = None
    last_at: Words = ""
    """When the last round was dealt."""
    patrons: int | None = None
    tray: int | None = None
    """The exact expected tray; None for whoever will count it, who sees the band alone."""
    band: str = ""
    """`low`, `normal` or `high`; empty where there is no session."""
    win: int | None = None
    drop: int | None = None
    hold: Words = ""
    """Win as a share of the drop, as it is read; empty while nothing was dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """An amount in a list that may hold several currencies: `_sums.html`."""

    minor: int
    currency: str
    is_named: bool = False
    """Its currency is written beside it: it is not the property's own, or not alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What has become of an entry, or what it does to another: `_marks.html`."""

    words: Words
    level: Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Another entry that an entry speaks of, and how: "Takes back"."""

    words: Words
    public_id: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegRow:
    """One posting of an entry; debit or credit is zero."""

    account: str
    name: Words
    event: Words
    currency: str
    place: Words = ""
    """Whose sub-account it is, in words; empty where the account has none."""
    address: str = ""
    """The account's statement; empty for who does not read it."""
    debit: int = 0
    credit: int = 0
    balance: int | None = None
    """What the account holds after this leg, on the *side* named; None where it is not told."""
    side: Words = ""
    pieces: Words = ""
    """Which chips moved, where that was recorded: "4 × 25, 2 × 100"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """One entry of the ledger: a row of `_entries.html`, and `_entry.html` with its legs."""

    number: int
    public_id: str
    address: str
    kind: Words
    at: Words
    time: Words = ""
    """The time alone where its date is the gaming day, which stands beside it."""
    gaming_day: Words
    actor: Words
    sums: tuple[Amount, ...]
    """In each currency the sum of its debits, which is that of its credits."""
    source: Words
    source_address: str = ""
    table: Words = ""
    session: Words = ""
    """The session whose books it stands in; empty outside any."""
    session_address: str = ""
    shift: str = ""
    recorded_at: Words = ""
    approver: Words = ""
    memo: str = ""
    late_day: Words = ""
    """The closed gaming day that it belongs to, where it came late."""
    rate: Words = ""
    """Of an exchange, in words."""
    seal: Words = ""
    """Which seal fixes it, in words; empty where that is not told."""
    marks: tuple[Mark, ...] = ()
    related: tuple[Related, ...] = ()
    legs: tuple[LegRow, ...] = ()

    @property
    def has_currencies(self) -> bool:
        """Return whether its legs are in several currencies."""
        return len(self.sums) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A stored round, as it can be replayed: `_round.html`."""

    title: Words
    state: Words
    level: Level
    facts: tuple[tuple[Words, Words], ...]
    currency: str
    seats: tuple[SeatSettlement, ...]
    bank: TwoHands | None = None
    bank_steps: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    """All written steps, in the order in which the rules took them."""
    dealt: tuple[DealtHand, ...] = ()
    transfers: tuple[TransferRow, ...] = ()
    wagers: tuple[WagerRow, ...] = ()
    """What lay on the table, while there is no result."""
    house_net: int | None = None
    replay_address: str = ""
    """Empty where there is nothing to settle again, which `replay_note` explains."""
    replay_note: Words = ""
    warning: Words = ""
    entries: tuple[EntryView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtHand:
    """What was dealt to one place, and how it came to be set."""

    title: Words
    kind: str
    """`tile` or `card`."""
    tokens: tuple[str, ...]
    set_by: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferRow:
    """What passed from one party to another."""

    payer: Words
    payee: Words
    reason: Words
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerRow:
    """What one seat put up."""

    seat: int
    patron: str
    kind: Words
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One member that a replay answers otherwise than it is stored."""

    place: str
    """JSON pointer into the result."""
    stored: str
    replayed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayView:
    """Whether a stored round settles again to what is stored: `_replay.html`."""

    is_equal: bool
    profile: Words
    differences: tuple[Difference, ...] = ()
    refusal: str = ""
    """Why the rules would not settle it any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One figure of a session, by its symbol."""

    symbol: str
    name: Words
    formula: str = ""
    amount: int | None = None
    text: Words = ""
    """In place of an amount: a ratio, a number of rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One win by three roads; they agree to the minor unit, or the books are wrong."""

    by_rounds: int
    """Hm + Hs + K + V"""
    by_formula: int
    """C + CR + D − O − F"""
    by_ledger: int
    """R: the revenue accounts of the session."""

    @property
    def is_proved(self) -> bool:
        """Return whether all three are the same."""
        return self.by_rounds == self.by_formula == self.by_ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureRow:
    """One name under a count."""

    who: str
    capacity: Words
    role: Words
    method: Words
    at: Words
    is_intact: bool
    """The count still reads as it did when it was signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView:
    """One count of the tray: its column in `_counts.html`, and its signatures."""

    id: int
    title: Words
    at: Words
    total: int
    expected: int | None
    """What the books said; None until both have signed."""
    signatures: tuple[SignatureRow, ...]
    due: tuple[Words, ...] = ()
    """What its difference asks of people, once the table was opened or closed on it."""

    @property
    def difference(self) -> int | None:
        """Return counted less expected."""
        return None if self.expected is None else self.total - self.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class DenominationRow:
    """Pieces and value of one denomination in each count, in their order."""

    value: int
    colour: str
    counted: tuple[tuple[int, int], ...]
    """(pieces, their value)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """One step of the settlement; not done while it has no time."""

    step: str
    words: Words
    done_at: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementView:
    """How far the session's settlement has come: `_settlement.html`."""

    state: Words
    level: Level
    steps: tuple[StepRow, ...]
    exceptions: tuple[str, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """One round in the list of its session: `_rounds.html`."""

    address: str
    title: Words
    at: Words
    dealer: str
    seats: int
    handle: int
    house_net: int | None
    state: Words
    level: Level


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyInRow:
    """One buy-in: `_buy_ins.html`."""

    id: int
    at: Words
    seat: int
    patron: str
    amount: int
    actor: Words
    verified_by: str
    entry_address: str
    voided: Words = ""
    """Why it was taken back; empty while it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """Where a list goes on, and where it begins; empty where there is nothing more."""

    onward: str = ""
    start: str = ""
    back: str = ""
    """Towards the start, in a list that goes both ways."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """All of one session: `session.html`."""

    title: Words
    state: Words
    level: Level
    address: str
    table_id: int
    currency: str
    facts: tuple[tuple[Words, Words], ...]
    counts: tuple[CountView, ...]
    denominations: tuple[DenominationRow, ...]
    figures: tuple[FigureRow, ...]
    figures_note: Words
    proof: Proof | None
    settlement: SettlementView | None
    rounds: tuple[RoundRow, ...]
    more_rounds: More
    entries: tuple[EntryView, ...]
    more_entries: More
    buy_ins: tuple[BuyInRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session in the list of past ones: `_sessions.html`."""

    address: str
    title: Words
    gaming_day: Words
    game: Words
    state: Words
    level: Level
    opened_at: Words
    closed_at: Words
    rounds: int
    drop: int | None = None
    win: int | None = None
    hold: Words = ""
    variance: int | None = None
