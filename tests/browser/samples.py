"""Sample records for the gallery: one of every state that a component can be in."""

from __future__ import annotations

from dataclasses import replace

from tables.art.names import JOKER, RANK_NAMES, SUIT_NAMES, TILE_NAMES
from tables.art.records import Result, SeatSettlement, TwoHands
from tables.pit.records import (
    Amount,
    EntryView,
    FloorRow,
    LegRow,
    Level,
    Mark,
    Related,
    RoundView,
)
from tables.tablet.records import (
    AmountEntry,
    Band,
    CardRow,
    Chip,
    CountRow,
    CountSheet,
    HandSlots,
    PickerFace,
    SeatState,
    SeatTile,
)

CHIPS = (
    Chip(value=100, text="1", colour="white"),
    Chip(value=500, text="5", colour="red"),
    Chip(value=2500, text="25", colour="green"),
    Chip(value=10000, text="100", colour="black"),
    Chip(value=50000, text="500", colour="purple"),
)
CIVIL = frozenset(list(TILE_NAMES)[:11])
TILE_FACES = tuple(PickerFace(token=face, copies=2 if face in CIVIL else 1) for face in TILE_NAMES)
CARD_ROWS = (
    *(
        CardRow(suit=suit, faces=tuple(PickerFace(token=r + suit, copies=1) for r in RANK_NAMES))
        for suit in SUIT_NAMES
    ),
    CardRow(suit="", faces=(PickerFace(token=JOKER, copies=1),)),
)
STEPS = (
    "Gee Joon is not held; there is no pair, wong or gong.",
    "8 low with 9 high is the best low hand whose high hand is at least 9.",
    "Low: six-four and seven, 7; high: heaven and nine, Teen wong.",
)


def seat(number: int, patron: str, state: SeatState, **more: object) -> SeatTile:
    """Return a seat whose wagers are in cents."""
    return SeatTile(number=number, patron=patron, state=state, currency="USD", **more)


SEATS = (
    seat(1, "Lin Mei-hua", SeatState.WAGERED, wager=10000),
    seat(2, "", SeatState.EMPTY),
    seat(3, "Guest with grey hat", SeatState.SEATED, is_chosen=True),
    seat(4, "R. Okonkwo-Featherstone", SeatState.WAGERED, wager=125000, commission_owed=6250),
    seat(5, "Tran", SeatState.SITTING_OUT),
    seat(6, "Abdullah K.", SeatState.WAGERED, wager=2500, is_bank=True),
    seat(7, "", SeatState.EMPTY, can_choose=False),
)

TILE_HANDS = (
    HandSlots(name="bank", title="Bank", kind="tile", size=4, tokens=("66", "11", "63", "44")),
    HandSlots(
        name="seat_1", title="Seat 1", kind="tile", size=4, low_size=2, tokens=("55", "62", "66")
    ),
    HandSlots(
        name="seat_3",
        title="Seat 3",
        kind="tile",
        size=4,
        low_size=2,
        is_chosen=True,
        tokens=("21",),
    ),
    HandSlots(name="seat_4", title="Seat 4", kind="tile", size=4, low_size=2),
    HandSlots(
        name="seat_6", title="Seat 6", kind="tile", size=4, error="Seat 6 has 0 of its 4 tiles."
    ),
)
CARD_HANDS = (
    HandSlots(
        name="bank",
        title="Bank",
        kind="card",
        size=7,
        tokens=("Jk", "As", "Kd", "Td", "9c", "4h", "2s"),
    ),
    HandSlots(
        name="seat_1", title="Seat 1", kind="card", size=7, low_size=2, tokens=("Qh", "Qd", "7c")
    ),
    HandSlots(name="seat_2", title="Seat 2", kind="card", size=7, low_size=2, is_chosen=True),
    HandSlots(name="seat_4", title="Seat 4", kind="card", size=7, low_size=2),
    HandSlots(name="seat_5", title="Seat 5", kind="card", size=7, low_size=2),
    HandSlots(name="seat_6", title="Seat 6", kind="card", size=7, low_size=2),
)
TILE_SET = TwoHands(
    kind="tile", low=("64", "52"), high=("66", "63"), low_text="7", high_text="Teen wong"
)
CARD_SET = TwoHands(
    kind="card",
    low=("Kd", "Td"),
    high=("As", "Ad", "9c", "4h", "2s"),
    low_text="King-ten",
    high_text="Pair of aces",
)
SETTLEMENTS = (
    SeatSettlement(
        title="Seat 1",
        currency="USD",
        result=Result.WIN,
        wager=10000,
        pay=9500,
        commission=500,
        hands=TILE_SET,
        high_text="High: Teen wong beats 9",
        low_text="Low: 7 beats 5",
        steps=STEPS,
    ),
    SeatSettlement(
        title="Seat 3",
        currency="USD",
        result=Result.PUSH,
        wager=2500,
        hands=TILE_SET,
        high_text="High: 9 beats 8",
        low_text="Low: 3 against 3 is a copy, the bank's",
        steps=STEPS,
    ),
    SeatSettlement(
        title="Seat 4",
        currency="USD",
        result=Result.LOSE,
        wager=125000,
        take=125000,
        hands=CARD_SET,
        high_text="High: pair of aces loses to a flush",
        low_text="Low: king-ten loses to ace-four",
        steps=STEPS,
    ),
)
COUNT = CountSheet(
    currency="USD",
    digits=2,
    total=1437500,
    rows=(
        *(CountRow(chip=chip, name=f"pieces_{chip.value}", pieces="40") for chip in CHIPS[:4]),
        CountRow(
            chip=CHIPS[4], name="pieces_50000", pieces="x", error="Pieces are a whole number."
        ),
    ),
)


def floor_row(code: str, state: str, level: Level, **more: object) -> FloorRow:
    """Return a table of the pit."""
    return FloorRow(
        code=code,
        game="Pai Gow",
        state=state,
        level=level,
        address="/floor",
        currency="USD",
        **more,
    )


FLOOR = (
    floor_row(
        "PG-3",
        "open",
        Level.GOOD,
        dealer="Chan Wai DL-210",
        round_number=89,
        tray=1437500,
        band="normal",
        win=62500,
        drop=340000,
        hold="18.4 %",
    ),
    floor_row("PG-5", "closing", Level.WARNING, dealer="Ivo Petrov DL-212", band="low", win=-18050),
    floor_row("PG-7", "tablet lost", Level.BAD, band="high", round_number=4, drop=0),
    floor_row("PG-8", "closed, provisional", Level.NEUTRAL),
    floor_row("PG-9", "closed", Level.PLAIN),
)
ENTRY = EntryView(
    number=294,
    public_id="018f6f0e-7f2e-7c3a-9d52-0f5b6c0a7e11",
    address="/entry",
    kind="Round settled",
    at="29 Nov 2026, 21:14:08",
    gaming_day="29 Nov 2026",
    actor="Chan Wai DL-210",
    sums=(Amount(minor=135000, currency="USD"),),
    source="Round 89, table PG-3",
    source_address="/entry",
    legs=(
        LegRow(
            account="1120/table:3", name="Tray", currency="USD", event="main lost", debit=125000
        ),
        LegRow(
            account="4010/session:7",
            name="Win, main wagers",
            currency="USD",
            event="main lost",
            credit=125000,
        ),
        LegRow(
            account="4010/session:7",
            name="Win, main wagers",
            currency="USD",
            event="main won",
            debit=9500,
        ),
        LegRow(
            account="1120/table:3",
            name="Tray",
            currency="USD",
            event="main won",
            credit=9500,
            pieces="3 × 25, 4 × 5",
        ),
        LegRow(account="1120/table:3", name="Tray", currency="USD", event="commission", debit=500),
        LegRow(
            account="4030/session:7",
            name="Commission",
            currency="USD",
            event="commission",
            credit=500,
        ),
    ),
)
TAKEN_BACK = replace(ENTRY, marks=(Mark(words="reversed", level=Level.BAD),))
REVERSAL = replace(
    ENTRY,
    kind="Round voided",
    marks=(Mark(words="reversal", level=Level.WARNING),),
    related=(Related(words="Takes back", public_id=ENTRY.public_id, address="/entry"),),
    approver="Ana Ruiz PB-3",
    memo="Seat 4 was paid as seat 5",
)
EXCHANGE = replace(
    ENTRY,
    kind="Currency exchanged",
    sums=(
        Amount(minor=15000, currency="JPY", is_named=True),
        Amount(minor=10000, currency="USD", is_named=True),
    ),
    marks=(Mark(words="late", level=Level.WARNING),),
    late_day="2026-11-28",
    rate="100.00 USD for 15,000 JPY",
    seal="41",
    legs=(
        LegRow(account="1010/window:1", name="Cage cash", currency="JPY", event="", debit=15000),
        LegRow(account="1010/window:1", name="Cage cash", currency="USD", event="", credit=10000),
    ),
)
ROUND = RoundView(
    title="Round 89, table PG-3",
    state="settled",
    level=Level.GOOD,
    facts=(("Dealer", "Chan Wai DL-210"), ("Rules", "Pai Gow, version 3"), ("Depth", "every tile")),
    currency="USD",
    seats=SETTLEMENTS,
    bank=TILE_SET,
    bank_steps=STEPS,
    entries=(REVERSAL,),
)


def context() -> dict[str, object]:
    """Return everything that the gallery's templates draw."""
    return {
        "tile_tokens": tuple(TILE_NAMES),
        "card_rows": CARD_ROWS,
        "rows": CARD_ROWS,
        "faces": TILE_FACES,
        "seats": SEATS,
        "wager": AmountEntry(
            name="amount", label="Wager at seat 3", currency="USD", digits=2, chips=CHIPS
        ),
        "tile_hands": TILE_HANDS,
        "card_hands": CARD_HANDS,
        "settlements": SETTLEMENTS,
        "sheet": COUNT,
        "bands": tuple(Band),
        "tile_set": TILE_SET,
        "card_set": CARD_SET,
        "floor": FLOOR,
        "entries": (ENTRY, TAKEN_BACK, REVERSAL, EXCHANGE),
        "exchange": EXCHANGE,
        "round": ROUND,
        "refusal": "100.00 is over the table's maximum of 50.00 for one seat.",
    }
