"""The chart is the specification's, row by row, and a code reads back as what it was made of.

Source: table-operations.md 18, and what was decided while building, at its end.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.chart import (
    CHART,
    CHIP_ACCOUNTS,
    AccountType,
    Instrument,
    MissingPlaceError,
    Number,
    Place,
    account_code,
    currency_of,
    instrument_of,
    parent_of,
    read_number,
)

SPECIFICATION = Path(__file__).parents[2] / "docs/spec/domain/table-operations.md"

WORDS = {
    "-": (),
    "denomination": (),  # lines beside the posting
    "table session, box": (Place.SESSION, Place.BOX),
    "session, wager type": (Place.SESSION, Place.WAGER),
    "session referred to": (Place.SESSION,),
    "chip set": (Place.CHIP_SET,),
    "pair of currencies": (Place.PAIR,),
}

ADDED = {
    Number.MARKERS_RECEIVABLE: (Place.HOLDER,),
    Number.PROGRESSIVE_POOL: (Place.POOL,),
}
"""Places after those of the table, which "Decided while building" names."""


def specified():
    text = SPECIFICATION.read_text()
    rows = re.findall(r"^\| (\d{4}) \| ([^|]+) \| ([A-Z][^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    for number, name, kind, sub_ledger in sorted(rows):
        places = WORDS.get(sub_ledger)
        if places is None:
            places = tuple(Place(word) for word in sub_ledger.split(", "))
        places += ADDED.get(number, ())
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
        (Number.WIN_SIDE, {Place.WAGER: "tiger9"}, "4020/wager:tiger9"),
        (Number.ROUNDING, {}, "4930"),
        (
            Number.MARKERS_RECEIVABLE,
            {Place.PATRON: "P2", Place.MARKER: "M-1", Place.HOLDER: "cage"},
            "1210/patron:P2/marker:M-1/holder:cage",
        ),
        (
            Number.PROGRESSIVE_POOL,
            {Place.METER: "7", Place.POOL: "reserve"},
            "2400/meter:7/pool:reserve",
        ),
        (
            Number.CURRENCY_TRADING,
            {Place.PAIR: "HKD-MOP", Place.CURRENCY: "HKD"},
            "3100/pair:HKD-MOP/currency:HKD",
        ),
        (
            Number.TRAY,
            {Place.CURRENCY: "HKD", Place.INSTRUMENT: Instrument.PLAQUE, Place.TABLE: "3"},
            "1120/table:3/instrument:plaque/currency:HKD",
        ),
        (Number.VAULT, {Place.INSTRUMENT: Instrument.VALUE_CHIP}, "1100"),
        (Number.WIN_MAIN, {Place.SESSION: "7", Place.INSTRUMENT: "plaque"}, "4010/session:7"),
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


@pytest.mark.parametrize(
    ("number", "places"),
    [
        (Number.VAULT, {Place.INSTRUMENT: Instrument.CASH}),
        (Number.VAULT, {Place.INSTRUMENT: "tile"}),
        (Number.VAULT, {Place.CURRENCY: "hkd"}),
        (Number.CURRENCY_TRADING, {Place.PAIR: "MOP-HKD"}),
        (Number.CURRENCY_TRADING, {Place.PAIR: "HKD-HKD"}),
        (Number.CURRENCY_TRADING, {Place.PAIR: "HKD"}),
        (Number.PROGRESSIVE_POOL, {Place.METER: "7", Place.POOL: "main"}),
    ],
)
def test_value_that_the_chart_does_not_know_is_refused(number, places):
    with pytest.raises(ValueError, match=r".+"):
        account_code(number, places)


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
        "1120/instrument:plaque/table:3",
        "1120/table:3/currency:HKD/instrument:plaque",
        "1120/table:3/instrument:value_chip",
        "1120/table:3/instrument:cash",
        "1120/table:3/currency:HKD/currency:HKD",
        "1120/table:3/currency:HK",
        "1010/window:main/instrument:plaque",
        "1210/patron:P2/marker:M-1/holder:pit",
        "3100/pair:MOP-HKD",
        "3100",
        "",
    ],
)
def test_code_outside_the_chart_is_refused(code):
    with pytest.raises(ValueError, match=r".+"):
        read_number(code)


def test_instrument_is_the_charts_unless_the_code_says_otherwise():
    assert instrument_of("1110") is Instrument.VALUE_CHIP
    assert instrument_of("1110/instrument:plaque") is Instrument.PLAQUE
    assert (
        instrument_of("1120/table:3/instrument:non_negotiable_chip/currency:HKD")
        is Instrument.NON_NEGOTIABLE_CHIP
    )
    assert instrument_of("1010/window:main/currency:HKD") is Instrument.CASH
    assert instrument_of("4010/session:7") is Instrument.BOOK


def test_chip_accounts_are_those_of_the_chips_outstanding():
    custody = {"1025", "1100", "1110", "1120", "1130", "1150"}
    assert {number.value for number in CHIP_ACCOUNTS} == custody | {"2100"}


def test_currency_is_the_propertys_own_unless_the_code_says_otherwise():
    assert currency_of("1010/window:main", "MOP") == "MOP"
    assert currency_of("1010/window:main/currency:HKD", "MOP") == "HKD"
    assert currency_of("3100/pair:HKD-MOP", "MOP") == "MOP"
    assert currency_of("3100/pair:HKD-MOP/currency:HKD", "MOP") == "HKD"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("1010/window:main/currency:MOP", "goes without saying"),
        ("3100/pair:HKD-USD", "not of its pair"),
        ("3100/pair:HKD-MOP/currency:USD", "not of its pair"),
    ],
)
def test_code_has_one_way_to_say_its_currency(code, reason):
    with pytest.raises(ValueError, match=reason):
        currency_of(code, "MOP")


def test_parent_is_the_code_without_its_last_part():
    assert parent_of("1220/session:7/seat:3") == "1220/session:7"
    assert parent_of("1220/session:7") == "1220"
    assert parent_of("1220") == ""


PLACES = {
    place: st.from_regex(r"[A-Za-z0-9_.-]{1,12}", fullmatch=True)
    for place in Place
    if place not in {Place.HOLDER, Place.POOL, Place.INSTRUMENT, Place.CURRENCY}
} | {Place.PAIR: st.just("HKD-MOP")}
OPTIONAL = {
    Place.HOLDER: st.just("cage"),
    Place.POOL: st.just("reserve"),
    Place.INSTRUMENT: st.sampled_from([Instrument.PLAQUE, Instrument.NON_NEGOTIABLE_CHIP]),
    Place.CURRENCY: st.just("HKD"),
}


@given(number=st.sampled_from(Number), places=st.fixed_dictionaries(PLACES, optional=OPTIONAL))
def test_every_code_reads_back_as_what_it_was_made_of(number, places):
    code = account_code(number, places)
    assert read_number(code) is number
    assert currency_of(code, "MOP") == places.get(Place.CURRENCY, "MOP")
    written = places.get(Place.INSTRUMENT) if number in CHIP_ACCOUNTS else None
    assert instrument_of(code) is (written or CHART[number].instrument)


@given(number=st.sampled_from(Number), places=st.fixed_dictionaries(PLACES, optional=OPTIONAL))
def test_parents_lead_up_to_the_bare_number(number, places):
    code = account_code(number, places)
    for _part in range(code.count("/")):
        assert code.startswith(f"{parent_of(code)}/")
        code = parent_of(code)
    assert (code, parent_of(code)) == (number.value, "")
