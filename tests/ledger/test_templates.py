"""Each event moves the accounts that the specification names, in its direction.

Source: table-operations.md 18, "Postings for every event", and the rows beyond them at its end;
both tables are read from there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.chart import Instrument, MissingPlaceError, Number, Place, read_number
from ledger.errors import InvalidEntryError
from ledger.money import Rounded, RoundingMode, round_to
from ledger.services.posting import Leg
from ledger.services.templates import (
    ELECTRONIC,
    LISTS,
    TEMPLATES,
    EventKind,
    Places,
    between_seats_legs,
    box_pulled_legs,
    colour_change_legs,
    opening_legs,
    pair,
    rounded_pair,
    seeding_legs,
    taxed_payout_legs,
    tokes_cashed_legs,
)

K = EventKind

SPECIFICATION = Path(__file__).parents[2] / "docs/spec/domain/table-operations.md"

ROWS = {
    "chips placed in service": [K.CHIPS_PLACED_IN_SERVICE],
    "chips destroyed": [K.CHIPS_DESTROYED],
    "opening balances of a property, once": [K.OPENING_BALANCE],
    "vault to cage / cage to vault": [K.VAULT_TO_CAGE, K.CAGE_TO_VAULT],
    "opener above last closer": [K.OPENER_ABOVE_LAST_CLOSER, K.OPENER_BELOW_LAST_CLOSER],
    "shift count or closer above expected": [K.COUNT_ABOVE_EXPECTED, K.COUNT_BELOW_EXPECTED],
    "fill dispatched": [K.FILL_DISPATCHED],
    "fill received": [K.FILL_RECEIVED],
    "fill returned": [K.FILL_RETURNED],
    "fill difference found at cage / table / lost": [
        K.TRANSIT_FOUND_AT_CAGE,
        K.TRANSIT_FOUND_AT_TABLE,
        K.TRANSIT_LOST,
    ],
    "credit removed from table": [K.CREDIT_REMOVED],
    "credit received at cage": [K.CREDIT_RECEIVED],
    "cash buy-in": [K.CASH_BUY_IN],
    "voucher buy-in": [K.VOUCHER_BUY_IN],
    "marker issued at table": [K.MARKER_ISSUED],
    "marker redeemed at table in chips": [K.MARKER_REDEEMED_IN_CHIPS],
    "marker redeemed at table in currency": [K.MARKER_REDEEMED_IN_CURRENCY],
    "marker transferred pit to cage": [K.MARKER_TRANSFERRED_TO_CAGE],
    "marker redeemed at cage, currency / chips": [
        K.MARKER_REDEEMED_AT_CAGE,
        K.MARKER_REDEEMED_AT_CAGE_IN_CHIPS,
    ],
    "marker written off": [K.MARKER_WRITTEN_OFF],
    "deposit received, currency / chips": [
        K.DEPOSIT_RECEIVED_IN_CURRENCY,
        K.DEPOSIT_RECEIVED_IN_CHIPS,
    ],
    "deposit returned, currency": [K.DEPOSIT_RETURNED],
    "front-money withdrawal at table": [K.FRONT_MONEY_WITHDRAWN],
    "colour up, colour change": [K.COLOUR_CHANGED],
    "chip sale at cage": [K.CHIP_SALE],
    "cash-out (chips redeemed)": [K.CASH_OUT],
    "main wager lost by patron": [K.MAIN_WAGER_LOST],
    "main wager won by patron": [K.MAIN_WAGER_WON],
    "side wager lost / won": [K.SIDE_WAGER_LOST, K.SIDE_WAGER_WON],
    "money play lost": [K.MONEY_PLAY_LOST],
    "money play won": [K.MONEY_PLAY_WON],
    "commission taken per hand": [K.COMMISSION_TAKEN],
    "commission accrued (lammer)": [K.COMMISSION_ACCRUED],
    "commission collected from lammer": [K.COMMISSION_COLLECTED],
    "commission uncollected (form)": [K.COMMISSION_UNCOLLECTED],
    "commission recovered later at a table / at the cage": [
        K.COMMISSION_RECOVERED_AT_TABLE,
        K.COMMISSION_RECOVERED_AT_CAGE,
    ],
    "collection fee, rake or time charge dropped": [K.COLLECTION_FEE],
    "player-banked round, house hand wins / loses": [
        K.PLAYER_BANKED_HOUSE_WON,
        K.PLAYER_BANKED_HOUSE_LOST,
    ],
    "co-bank, house share positive / negative": [K.CO_BANK_HOUSE_WON, K.CO_BANK_HOUSE_LOST],
    "commission on bank's net": [K.BANK_COMMISSION_TAKEN],
    "progressive contribution": [K.PROGRESSIVE_CONTRIBUTION],
    "progressive seeded or reset by the house": [K.PROGRESSIVE_SEEDED],
    "progressive jackpot paid at table / cage": [
        K.PROGRESSIVE_JACKPOT_AT_TABLE,
        K.PROGRESSIVE_JACKPOT_AT_CAGE,
    ],
    "promotional coupon wager won": [K.PROMOTIONAL_COUPON_WON],
    "side payout with tax withheld": [K.SIDE_WAGER_WON_TAXED],
    "toke dropped": [K.TOKE_DROPPED],
    "tokes cashed": [K.TOKES_CASHED],
    "entry correction after closer, hand win was too high": [
        K.HAND_WIN_TOO_HIGH,
        K.HAND_WIN_TOO_LOW,
    ],
    "late payment to patron": [K.LATE_PAYMENT],
    "late recovery from patron": [K.LATE_RECOVERY],
    "counterfeit chip found in tray": [K.COUNTERFEIT_CHIP],
    "drop box pulled": [K.DROP_BOX_PULLED],
    "count accepted, equal": [K.DROP_COUNTED_IN_CURRENCY, K.DROP_COUNTED_IN_CHIPS],
    "count short / over": [K.DROP_COUNT_SHORT, K.DROP_COUNT_OVER],
    "counterfeit note in box": [K.COUNTERFEIT_NOTE],
    "comp earned / used": [K.COMP_EARNED, K.COMP_USED],
    "credit returned to the table": [K.CREDIT_RETURNED],
    "fill or credit difference found in excess, from cage / table / unexplained": [
        K.TRANSIT_EXCESS_FROM_CAGE,
        K.TRANSIT_EXCESS_FROM_TABLE,
        K.TRANSIT_EXCESS_UNEXPLAINED,
    ],
    "progressive seeded from its reserve": [K.PROGRESSIVE_SEEDED_FROM_RESERVE],
    "stake or win between electronic seats": [K.WAGER_BETWEEN_SEATS],
    "currency exchanged at the cage": [K.CURRENCY_EXCHANGED],
}
"""The kinds of a row, in the order in which its cells name their accounts."""

NO_KIND_OF_THEIR_OWN = {
    "opening float, closing fill": "as fill",
    "float returned, closing credit": "as credit",
    "credit difference": "as fill difference",
    "electronic seat: any row of this table that names 1120 for a patron's wager, win, commission,"
    " fee or buy-in": "2250 of the seat in its place",
    "hand void": "reverse of each original line",
    "hand corrected": "new lines",
}
"""Rows that post what other rows do."""


def rows():
    """Return (row, debit, credit, note) of both tables."""
    text = SPECIFICATION.read_text()
    tables = re.findall(
        r"^\| Event kind \| Debit \| Credit \| Note \|\n\|---.*\n((?:\|.*\n)+)", text, re.MULTILINE
    )
    assert len(tables) == 2
    for line in "".join(tables).splitlines():
        row, debit, credit, note = (cell.strip() for cell in line.strip("|").split("|"))
        yield row, debit, credit, note


def sides(cell):
    """Return the accounts of a cell, for each of the events that it tells apart."""
    cell = re.sub(r"(\d{4}) \((\d{4}) for chips\)", r"\1 / \2", cell)
    cell = cell.replace("department", Number.OWED_TO_DEPARTMENTS)
    return [tuple(re.findall(r"\d{4}", part)) for part in cell.split(" / ")]


def specified(debit, credit, note):
    """Return the (debits, credits) of the row's events."""
    debits, credits = sides(debit), sides(credit)
    events = max(len(debits), len(credits))
    debits, credits = (each * (events // len(each)) for each in (debits, credits))
    pairs = list(zip(debits, credits, strict=True))
    if re.search(r"(below|too low): reverse", note):
        pairs += [(credit, debit) for debit, credit in pairs]
    return pairs


def built(kind):
    """Return the (debits, credits) of what is built."""
    if kind in LISTS:
        return tuple(LISTS[kind].debits), tuple(LISTS[kind].credits)
    return (TEMPLATES[kind].debit,), (TEMPLATES[kind].credit,)


POSTING = [
    row for row in rows() if row[1:3] != ("none", "none") and row[0] not in NO_KIND_OF_THEIR_OWN
]


@pytest.mark.parametrize(("row", "debit", "credit", "note"), POSTING, ids=[r[0] for r in POSTING])
def test_templates_are_the_specified_ones(row, debit, credit, note):
    assert [built(kind) for kind in ROWS[row]] == specified(debit, credit, note)


def test_rows_that_post_nothing_of_their_own_have_no_kind():
    others = {row: debit for row, debit, credit, _note in rows() if row not in ROWS}
    assert {row: debit for row, debit in others.items() if debit != "none"} == NO_KIND_OF_THEIR_OWN
    assert len([debit for debit in others.values() if debit == "none"]) == 7


def test_no_row_is_missing_and_no_kind_is_beyond_the_table():
    assert {row for row, *_cells in POSTING} == ROWS.keys()
    kinds = [kind for kinds in ROWS.values() for kind in kinds]
    assert len(kinds) == len(set(kinds))
    assert set(kinds) == set(EventKind)


EVERYWHERE = Places(
    table=3,
    session=7,
    seat=2,
    box=5,
    document="F-0001",
    patron="P2",
    marker="M-1001",
    meter="tiger9",
    wager="tiger9",
    campaign="spring",
    department="restaurant",
)


@pytest.mark.parametrize("kind", TEMPLATES)
def test_every_pair_balances_and_names_accounts_of_the_chart(kind):
    debit, credit = pair(kind, 500, places=EVERYWHERE)
    assert (debit.amount, credit.amount) == (500, -500)
    assert debit.account != credit.account
    assert read_number(debit.account) is TEMPLATES[kind].debit
    assert read_number(credit.account) is TEMPLATES[kind].credit
    assert (debit.event, credit.event) == (kind, kind)


@pytest.mark.parametrize("kind", LISTS)
def test_event_of_more_than_a_pair_is_refused_as_a_pair(kind):
    with pytest.raises(InvalidEntryError) as refused:
        pair(kind, 500, places=EVERYWHERE)
    assert refused.value.field == "kind"


def test_pair_resolves_each_side_in_its_own_sub_ledger():
    places = Places(table=3, session=7, seat=2)
    assert pair(EventKind.COMMISSION_COLLECTED, 2_900, places=places) == (
        Leg(account="1120/table:3", amount=2_900, event="commission_collected"),
        Leg(account="1220/session:7/seat:2", amount=-2_900, event="commission_collected"),
    )


def test_counted_chips_stand_on_both_sides():
    pieces = ((10_000, 100),)
    debit, credit = pair(
        EventKind.FILL_RECEIVED,
        1_000_000,
        places=Places(table=3, document="F-0002"),
        pieces=pieces,
    )
    assert (debit.account, credit.account) == ("1120/table:3", "1130/document:F-0002")
    assert debit.pieces == credit.pieces == pieces


@pytest.mark.parametrize("amount", [0, -5])
def test_template_says_the_direction_so_the_amount_is_above_zero(amount):
    with pytest.raises(InvalidEntryError) as refused:
        pair(EventKind.MAIN_WAGER_LOST, amount, places=Places(table=3, session=7))
    assert refused.value.field == "amount"


def test_place_that_a_sub_ledger_needs_is_named():
    with pytest.raises(MissingPlaceError, match=r"4010 .* needs a session"):
        pair(EventKind.MAIN_WAGER_LOST, 5, places=Places(table=3))


def test_equity_takes_the_difference_of_the_opening_balances():
    opened = opening_legs({"1100": 900, "1010/window:main": 100, "2100/chip_set:main": -950})
    assert [(leg.account, leg.amount) for leg in opened] == [
        ("1100", 900),
        ("1010/window:main", 100),
        ("2100/chip_set:main", -950),
        ("3000", -50),
    ]
    assert {leg.event for leg in opened} == {"opening_balance"}
    assert sum(leg.amount for leg in opened) == 0


def test_opening_balances_that_agree_leave_nothing_for_equity():
    opened = opening_legs({"1100": 900, "1110": 0, "2100/chip_set:main": -900})
    assert [leg.account for leg in opened] == ["1100", "2100/chip_set:main"]


def accounts(legs):
    return [(leg.account, leg.amount) for leg in legs]


def test_marker_moves_from_the_pit_to_the_cage_within_its_account():
    places = Places(patron="P2", marker="M-1001")
    legs = pair(K.MARKER_TRANSFERRED_TO_CAGE, 500, places=places)
    assert accounts(legs) == [
        ("1210/patron:P2/marker:M-1001/holder:cage", 500),
        ("1210/patron:P2/marker:M-1001", -500),
    ]
    at_cage = Places(patron="P2", marker="M-1001", holder="cage")
    assert accounts(pair(K.MARKER_REDEEMED_AT_CAGE, 500, places=at_cage)) == [
        ("1010/window:main", 500),
        ("1210/patron:P2/marker:M-1001/holder:cage", -500),
    ]


def test_counterfeits_are_short_for_that_reason():
    chip, _tray = pair(K.COUNTERFEIT_CHIP, 500, places=EVERYWHERE)
    note, _box = pair(K.COUNTERFEIT_NOTE, 500, places=EVERYWHERE)
    assert chip.account == "4900/session:7/reason:counterfeit"
    assert note.account == "4910/box:5/reason:counterfeit"


def test_seeding_stands_outside_the_session_and_side_wagers_inside():
    seeded = pair(K.PROGRESSIVE_SEEDED, 500, places=EVERYWHERE)
    assert accounts(seeded) == [("4020/wager:tiger9", 500), ("2400/meter:tiger9", -500)]
    lost = pair(K.SIDE_WAGER_LOST, 500, places=EVERYWHERE)
    assert accounts(lost)[1] == ("4020/session:7/wager:tiger9", -500)
    with pytest.raises(MissingPlaceError) as missing:
        pair(K.SIDE_WAGER_LOST, 500, places=Places(table=3, wager="tiger9"))
    assert missing.value.place is Place.SESSION


@pytest.mark.parametrize(
    ("reserve", "legs"),
    [
        (0, [("4020/wager:tiger9", 500), ("2400/meter:tiger9", -500)]),
        (-50, [("4020/wager:tiger9", 500), ("2400/meter:tiger9", -500)]),
        (
            200,
            [
                ("2400/meter:tiger9/pool:reserve", 200),
                ("2400/meter:tiger9", -200),
                ("4020/wager:tiger9", 300),
                ("2400/meter:tiger9", -300),
            ],
        ),
        (900, [("2400/meter:tiger9/pool:reserve", 500), ("2400/meter:tiger9", -500)]),
    ],
)
def test_reserve_of_a_meter_goes_first(reserve, legs):
    assert accounts(seeding_legs(500, reserve=reserve, places=EVERYWHERE)) == legs


def test_jackpot_comes_of_the_pool_and_not_of_its_reserve():
    places = Places(table=3, meter="7", pool="reserve")
    paid = pair(K.PROGRESSIVE_JACKPOT_AT_TABLE, 500, places=places)
    assert accounts(paid) == [("2400/meter:7", 500), ("1120/table:3", -500)]
    contributed = pair(
        K.PROGRESSIVE_CONTRIBUTION,
        500,
        places=Places(session=7, wager="tiger9", meter="7", pool="reserve"),
    )
    assert accounts(contributed)[1] == ("2400/meter:7/pool:reserve", -500)


def test_colour_change_leaves_the_tray_its_value_and_takes_other_chips():
    taken, given_ = ((500, 20),), ((10_000, 1),)
    assert colour_change_legs(10_000, taken=taken, given=given_, places=EVERYWHERE) == (
        Leg(account="1120/table:3", amount=10_000, event="colour_changed", pieces=taken),
        Leg(account="1120/table:3", amount=-10_000, event="colour_changed", pieces=given_),
    )


@pytest.mark.parametrize(("taken", "given_"), [((), ((500, 1),)), (((500, 1),), ())])
def test_colour_change_is_counted_on_both_sides(taken, given_):
    with pytest.raises(InvalidEntryError) as refused:
        colour_change_legs(500, taken=taken, given=given_, places=EVERYWHERE)
    assert refused.value.field == "pieces"


def test_side_payout_with_tax_is_gross_net_and_tax():
    assert accounts(taxed_payout_legs(400_000, tax=96_000, places=EVERYWHERE)) == [
        ("4020/session:7/wager:tiger9", 400_000),
        ("1120/table:3", -304_000),
        ("2600", -96_000),
    ]


@pytest.mark.parametrize("tax", [-1, 0, 500, 501])
def test_tax_leaves_something_of_the_payout(tax):
    with pytest.raises(InvalidEntryError) as refused:
        taxed_payout_legs(500, tax=tax, places=EVERYWHERE)
    assert refused.value.field == "tax"


def test_tokes_are_cashed_in_two_pairs():
    pieces = ((500, 60),)
    legs = tokes_cashed_legs(30_000, places=Places(), pieces=pieces)
    assert accounts(legs) == [
        ("1110", 30_000),
        ("1150", -30_000),
        ("2300", 30_000),
        ("1010/window:main", -30_000),
    ]
    assert [leg.pieces for leg in legs] == [pieces, pieces, (), ()]


def test_pulled_box_takes_along_what_was_recorded_into_it():
    legs = box_pulled_legs(places=Places(session=7, box=5), currency=900, chips=80, vouchers=20)
    assert accounts(legs) == [
        ("1030/box:5", 1_000),
        ("1020/session:7/box:5", -900),
        ("1025/session:7/box:5", -80),
        ("1027/session:7/box:5", -20),
    ]
    assert accounts(box_pulled_legs(places=Places(session=7, box=5), chips=80)) == [
        ("1030/box:5", 80),
        ("1025/session:7/box:5", -80),
    ]


@pytest.mark.parametrize("amounts", [{}, {"currency": -5, "chips": 10}])
def test_box_is_pulled_with_something_in_it(amounts):
    with pytest.raises(InvalidEntryError) as refused:
        box_pulled_legs(places=Places(session=7, box=5), **amounts)
    assert refused.value.field == "amount"


@pytest.mark.parametrize("kind", sorted(ELECTRONIC & TEMPLATES.keys()))
def test_electronic_seat_stands_in_the_place_of_the_chips(kind):
    live, electronic = (
        accounts(pair(kind, 500, places=EVERYWHERE, electronic_seat=seat)) for seat in (False, True)
    )
    changed = [(was, now) for was, now in zip(live, electronic, strict=True) if was != now]
    assert len(changed) == 1
    (was, amount), now = changed[0]
    assert read_number(was) in {Number.TRAY, Number.DROP_BOX_CHIPS}
    assert now == ("2250/session:7/seat:2", amount)


def test_electronic_kinds_are_what_a_patron_does_with_chips_of_a_tray():
    names_tray = {
        kind
        for kind in TEMPLATES
        if any(read_number(leg.account) is Number.TRAY for leg in pair(kind, 1, places=EVERYWHERE))
    }
    assert (ELECTRONIC & TEMPLATES.keys()) - {K.COLLECTION_FEE} == names_tray - {
        K.OPENER_ABOVE_LAST_CLOSER,
        K.OPENER_BELOW_LAST_CLOSER,
        K.COUNT_ABOVE_EXPECTED,
        K.COUNT_BELOW_EXPECTED,
        K.FILL_RECEIVED,
        K.CREDIT_REMOVED,
        K.CREDIT_RETURNED,
        K.TRANSIT_FOUND_AT_TABLE,
        K.TRANSIT_EXCESS_FROM_TABLE,
        K.MARKER_REDEEMED_IN_CHIPS,
        K.MONEY_PLAY_WON,
        K.COUNTERFEIT_CHIP,
    }


@pytest.mark.parametrize("kind", sorted(TEMPLATES.keys() - ELECTRONIC))
def test_electronic_seat_does_nothing_else(kind):
    with pytest.raises(InvalidEntryError) as refused:
        pair(kind, 500, places=EVERYWHERE, electronic_seat=True)
    assert refused.value.field == "kind"


def test_electronic_seat_is_paid_a_taxed_win_too():
    legs = taxed_payout_legs(500, tax=100, places=EVERYWHERE, electronic_seat=True)
    assert accounts(legs)[1] == ("2250/session:7/seat:2", -400)


def test_electronic_seat_pays_another():
    legs = between_seats_legs(500, payer=2, payee=5, places=Places(session=7))
    assert accounts(legs) == [("2250/session:7/seat:2", 500), ("2250/session:7/seat:5", -500)]
    with pytest.raises(InvalidEntryError) as refused:
        between_seats_legs(500, payer=2, payee="2", places=Places(session=7))
    assert refused.value.field == "payee"


def test_plaques_of_another_currency_move_on_chip_accounts_of_their_own():
    places = Places(table=3, session=7, instrument=Instrument.PLAQUE, currency="HKD")
    assert accounts(pair(K.MAIN_WAGER_LOST, 500, places=places)) == [
        ("1120/table:3/instrument:plaque/currency:HKD", 500),
        ("4010/session:7/currency:HKD", -500),
    ]


@pytest.mark.parametrize(
    ("kind", "rounded", "legs"),
    [
        (
            K.MAIN_WAGER_WON,
            Rounded(700, 50),
            [("4010/session:7", 750), ("1120/table:3", -700), ("4930/session:7", -50)],
        ),
        (
            K.MAIN_WAGER_WON,
            Rounded(800, -50),
            [("4010/session:7", 750), ("1120/table:3", -800), ("4930/session:7", 50)],
        ),
        (
            K.COMMISSION_TAKEN,
            Rounded(100, 25),
            [("1120/table:3", 100), ("4030/session:7", -125), ("4930/session:7", 25)],
        ),
        (K.MAIN_WAGER_WON, Rounded(0, 50), [("4010/session:7", 50), ("4930/session:7", -50)]),
        (K.MAIN_WAGER_WON, Rounded(50, 0), [("4010/session:7", 50), ("1120/table:3", -50)]),
    ],
)
def test_hand_moves_the_rounded_amount_and_the_rest_is_kept(kind, rounded, legs):
    assert accounts(rounded_pair(kind, rounded, places=EVERYWHERE)) == legs


@given(
    kind=st.sampled_from([K.MAIN_WAGER_WON, K.SIDE_WAGER_WON, K.COMMISSION_TAKEN]),
    exact=st.integers(1, 10**12),
    unit=st.integers(1, 10_000),
    mode=st.sampled_from(RoundingMode),
    seat=st.booleans(),
)
def test_rounded_event_balances_and_only_the_hand_is_rounded(kind, exact, unit, mode, seat):
    rounded = round_to(exact, unit, mode)
    legs = rounded_pair(kind, rounded, places=EVERYWHERE, electronic_seat=seat)
    assert sum(leg.amount for leg in legs) == 0
    held = {Number.TRAY, Number.SEAT_BALANCE}
    in_hand = sum(abs(leg.amount) for leg in legs if read_number(leg.account) in held)
    assert in_hand == rounded.amount
    rest = sum(leg.amount for leg in legs if read_number(leg.account) is Number.ROUNDING)
    assert abs(rest) == abs(rounded.rest)


def test_event_between_two_hands_says_not_which_is_rounded():
    with pytest.raises(InvalidEntryError) as refused:
        rounded_pair(K.CHIP_SALE, Rounded(700, 50), places=EVERYWHERE)
    assert refused.value.field == "kind"
