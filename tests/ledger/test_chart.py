"""The chart is the specification's, row by row.

Source: table-operations.md 18; the table below is copied from there.
"""

from __future__ import annotations

import pytest

from ledger.chart import (
    CHART,
    AccountType,
    MissingPlaceError,
    Number,
    Place,
    account_code,
    read_number,
)

SPECIFIED = """
| 1010 | Cage cash | Asset | window |
| 1020 | Table drop box - currency (recorded) | Asset | table session, box |
| 1025 | Table drop box - chips | Asset | table session, box |
| 1027 | Table drop box - vouchers | Asset | table session, box |
| 1030 | Drop awaiting count | Asset | box |
| 1100 | Chip vault | Asset | denomination |
| 1110 | Cage chip bank | Asset | denomination |
| 1120 | Table inventory (tray) | Asset | table |
| 1130 | Chips in transit | Asset | document |
| 1150 | Toke box chips | Asset (custody) | - |
| 1210 | Markers receivable | Asset | patron, marker |
| 1220 | Commission receivable (lammers) | Asset | session, seat |
| 2100 | Chips in service (face value) | Liability (gross) | chip set |
| 2200 | Customer deposits (front money) | Liability | patron |
| 2250 | Electronic seat balances | Liability | session, seat |
| 2300 | Tokes payable | Liability | - |
| 2400 | Progressive pool | Liability | meter |
| 2500 | Comps earned | Liability | patron |
| 2600 | Tax withheld | Liability | - |
| 3000 | Equity | Equity | - |
| 4010 | Win - main wagers | Revenue | session |
| 4020 | Win - side wagers | Revenue | session, wager type |
| 4030 | Commission | Revenue | session |
| 4031 | Commission uncollected (contra) | Revenue | session |
| 4040 | Collection fees | Revenue | session |
| 4050 | Promotional payouts (contra) | Revenue | campaign |
| 4060 | Post-close adjustments | Revenue | session referred to |
| 4900 | Over/short - table chips | Revenue | session, reason |
| 4905 | Over/short - between sessions | Revenue | table |
| 4910 | Over/short - drop count | Revenue | box, reason |
| 4920 | Over/short - transit and cage | Revenue | document |
| 5200 | Complimentaries | Expense | - |
| 5300 | Markers written off | Expense | - |
"""

WORDS = {
    "-": (),
    "denomination": (),  # lines beside the posting
    "table session, box": (Place.SESSION, Place.BOX),
    "session, wager type": (Place.SESSION, Place.WAGER),
    "session referred to": (Place.SESSION,),
    "chip set": (Place.CHIP_SET,),
}


def specified():
    for row in SPECIFIED.strip().splitlines():
        number, name, kind, sub_ledger = (cell.strip() for cell in row.strip("|").split("|"))
        places = WORDS.get(sub_ledger)
        if places is None:
            places = tuple(Place(word) for word in sub_ledger.split(", "))
        yield number, name, AccountType(kind.split()[0].lower()), places


def test_chart_is_the_specified_one():
    assert [
        (number.value, rule.name, rule.type, rule.places) for number, rule in CHART.items()
    ] == list(specified())


def test_debits_increase_assets_and_expenses_alone():
    increased = {number.value[0] for number, rule in CHART.items() if rule.side == 1}
    assert increased == {"1", "5"}


def test_floors_are_where_a_hand_or_a_claim_can_be_empty():
    assert {number: rule.floor for number, rule in CHART.items() if rule.floor is not None} == {
        Number.CAGE_CASH: 0,
        Number.VAULT: 0,
        Number.CAGE_CHIP_BANK: 0,
        Number.CUSTOMER_DEPOSITS: 0,
        Number.SEAT_BALANCE: 0,
    }


@pytest.mark.parametrize(
    ("number", "places", "code"),
    [
        (Number.TRAY, {Place.TABLE: "3"}, "1120/table:3"),
        (
            Number.COMMISSION_RECEIVABLE,
            {Place.SEAT: "3", Place.SESSION: "7", Place.TABLE: "1"},
            "1220/session:7/seat:3",
        ),
        (Number.DROP_BOX_CURRENCY, {Place.SESSION: "7"}, "1020/session:7"),
        (Number.DROP_BOX_CURRENCY, {Place.SESSION: "7", Place.BOX: "12"}, "1020/session:7/box:12"),
        (Number.VAULT, {Place.TABLE: "3"}, "1100"),
        (Number.CHIPS_IN_TRANSIT, {Place.DOCUMENT: "F-0001"}, "1130/document:F-0001"),
    ],
)
def test_code_holds_the_places_of_its_sub_ledger(number, places, code):
    assert account_code(number, places) == code
    assert read_number(code) is number


def test_place_of_the_sub_ledger_must_be_given():
    with pytest.raises(MissingPlaceError, match=r"1220 .* needs a seat") as missing:
        account_code(Number.COMMISSION_RECEIVABLE, {Place.SESSION: "7"})
    assert (missing.value.number, missing.value.place) == (
        Number.COMMISSION_RECEIVABLE,
        Place.SEAT,
    )


@pytest.mark.parametrize("value", ["table:3", "a/b", "a b", "", "é"])
def test_place_that_a_code_cannot_hold_is_refused(value):
    with pytest.raises(ValueError, match="not an account code"):
        account_code(Number.TRAY, {Place.TABLE: value})


@pytest.mark.parametrize(
    "code",
    [
        "1120",
        "1120/seat:3",
        "1120/table:3/table:3",
        "1220/seat:3/session:7",
        "9999",
        "1100/table:3",
        "1120/table:3 ",
        "1120/table:3\n",
        "",
    ],
)
def test_code_outside_the_chart_is_refused(code):
    with pytest.raises(ValueError, match=r".+"):
        read_number(code)
