"""The worked day of the specification, journal line by journal line, to the cent.

Source: table-operations.md 19.2 (journal), 19.4 (proof), 19.5 (trial balance).
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from ledger.chart import Number
from ledger.selectors import balance, balances, trial_balance
from ledger.services.posting import Leg, post_entry
from ledger.services.templates import EventKind as K
from ledger.services.templates import Places, opening_legs, pair
from tests.ledger.conftest import DAY, NEXT_DAY, books, house

pytestmark = pytest.mark.django_db

DAY_BEFORE = DAY - timedelta(days=1)
AT = datetime(2026, 3, 14, 17, 0, tzinfo=UTC)


def cents(text: str) -> int:
    """Return what the specification writes as `1,234.50`, a credit in brackets."""
    digits = int(text.strip("()").replace(",", "").replace(".", ""))
    return -digits if text.startswith("(") else digits


OPENING = {
    "1010/window:main": cents("500,000.00"),
    "1100": cents("1,000,000.00"),
    "1110": cents("250,000.00"),
    "1120/table:1": cents("20,000.00"),
    "1120/table:2": cents("25,000.00"),
    "1120/table:3": cents("15,000.00"),
    "1120/table:4": cents("5,000.00"),
    "2100/chip_set:main": cents("(1,350,000.00)"),
    "2200/patron:P4": cents("(40,000.00)"),
}


def at_table(number: int, **more: str) -> Places:
    """Return the places of T*number*; its session and box have the same number."""
    return Places(table=number, session=number, box=number, seat=1, wager="tiger9", **more)


def fill(number: str) -> Places:
    return Places(document=number)


P2 = {"patron": "P2", "marker": "M-1001"}
T1, T2, T3, T4, CAGE = at_table(1), at_table(2), at_table(3), at_table(4), Places()

JOURNAL = {
    "J01": (K.CASH_BUY_IN, "5,000.00", T1),
    "J02": (K.CASH_BUY_IN, "2,000.00", T1),
    "J03": (K.CASH_BUY_IN, "3,500.00", T1),
    "J04": (K.FILL_DISPATCHED, "20,000.00", fill("F-0001")),
    "J05": (K.FILL_RECEIVED, "20,000.00", at_table(1, document="F-0001")),
    "J06": (K.MARKER_ISSUED, "5,000.00", at_table(1, **P2)),
    "J07": (K.FRONT_MONEY_WITHDRAWN, "10,000.00", at_table(1, patron="P4")),
    "J08": (K.MAIN_WAGER_LOST, "62,300.00", T1),
    "J09": (K.MAIN_WAGER_WON, "58,900.00", T1),
    "J10": (K.COMMISSION_ACCRUED, "2,945.00", T1),
    "J11": (K.COMMISSION_COLLECTED, "2,900.00", T1),
    "J12": (K.FILL_DISPATCHED, "10,000.00", fill("F-0002")),
    "J13": (K.FILL_RECEIVED, "10,000.00", at_table(1, document="F-0002")),
    "J14": (K.MARKER_REDEEMED_IN_CHIPS, "2,000.00", at_table(1, **P2)),
    "J15": (K.CREDIT_REMOVED, "6,000.00", at_table(1, document="C-0001")),
    "J16": (K.CREDIT_RECEIVED, "6,000.00", fill("C-0001")),
    "J17": (K.COMMISSION_UNCOLLECTED, "45.00", T1),
    "J18": (K.COUNT_BELOW_EXPECTED, "25.00", T1),
    "J19": (K.CASH_BUY_IN, "14,600.00", T2),
    "J20": (K.MAIN_WAGER_LOST, "41,250.00", T2),
    "J21": (K.MAIN_WAGER_WON, "39,600.00", T2),
    "J22": (K.COMMISSION_TAKEN, "1,980.00", T2),
    "J23": (K.SIDE_WAGER_LOST, "2,150.00", T2),
    "J24": (K.SIDE_WAGER_WON, "4,850.00", T2),
    "J25": (K.FILL_DISPATCHED, "12,000.00", fill("F-0004")),
    "J26": (K.FILL_RECEIVED, "12,000.00", at_table(2, document="F-0004")),
    "J27": (K.CASH_BUY_IN, "6,000.00", T3),
    "J28": (K.CASH_BUY_IN, "4,500.00", T3),
    "J29": (K.CASH_BUY_IN, "2,000.00", T3),
    "J30": (K.FILL_DISPATCHED, "9,000.00", fill("F-0005")),
    "J31": (K.FILL_RECEIVED, "9,000.00", at_table(3, document="F-0005")),
    "J32": (K.MAIN_WAGER_LOST, "30,300.00", T3),
    "J33": (K.MAIN_WAGER_WON, "27,050.00", T3),
    "J34": (K.MONEY_PLAY_LOST, "300.00", T3),
    "J35": (K.CREDIT_REMOVED, "5,000.00", at_table(3, document="C-0002")),
    "J36": (K.CREDIT_RECEIVED, "5,000.00", fill("C-0002")),
    "J37": (K.COUNT_ABOVE_EXPECTED, "100.00", T3),
    "J38": (K.COLLECTION_FEE, "1,080.00", T4),
    "J39": (K.TOKE_DROPPED, "300.00", CAGE),
    "J40": (K.CHIP_SALE, "3,000.00", CAGE),
    "J41": (K.CASH_OUT, "7,200.00", CAGE),
    "J42": (K.CASH_OUT, "4,150.00", CAGE),
    "J43": (K.CASH_OUT, "600.00", CAGE),
    "J44": (K.CASH_OUT, "1,900.00", CAGE),
    "J45": (K.CASH_OUT, "14,500.00", CAGE),
    "J46": (K.MARKER_REDEEMED_AT_CAGE, "3,000.00", Places(**P2)),
}
"""What a template makes."""

AFTER_THE_DROP = {
    "J47": {
        "1030/box:1": "10,500.00",
        "1030/box:2": "14,600.00",
        "1030/box:3": "12,800.00",
        "1020/session:1/box:1": "(10,500.00)",
        "1020/session:2/box:2": "(14,600.00)",
        "1020/session:3/box:3": "(12,800.00)",
    },
    "J48": {
        "1010/window:main": "37,880.00",
        "4910/box:2": "20.00",
        "1030/box:1": "(10,500.00)",
        "1030/box:2": "(14,600.00)",
        "1030/box:3": "(12,800.00)",
    },
    "J49": {"1110": "1,080.00", "1025/session:4/box:4": "(1,080.00)"},
}

TRIAL_BALANCE = """
| 1010 | 500,000.00 | 43,880.00 | 28,350.00 | 515,530.00 |
| 1020 | 0.00 | 37,900.00 | 37,900.00 | 0.00 |
| 1025 | 0.00 | 1,080.00 | 1,080.00 | 0.00 |
| 1030 | 0.00 | 37,900.00 | 37,900.00 | 0.00 |
| 1100 | 1,000,000.00 | 0.00 | 0.00 | 1,000,000.00 |
| 1110 | 250,000.00 | 40,430.00 | 54,000.00 | 236,430.00 |
| 1120 | 65,000.00 | 193,980.00 | 194,025.00 | 64,955.00 |
| 1130 | 0.00 | 62,000.00 | 62,000.00 | 0.00 |
| 1150 | 0.00 | 300.00 | 0.00 | 300.00 |
| 1210 | 0.00 | 5,000.00 | 5,000.00 | 0.00 |
| 1220 | 0.00 | 2,945.00 | 2,945.00 | 0.00 |
| 2100 | (1,350,000.00) | 0.00 | 0.00 | (1,350,000.00) |
| 2200 | (40,000.00) | 10,000.00 | 0.00 | (30,000.00) |
| 2300 | 0.00 | 0.00 | 300.00 | (300.00) |
| 3000 | (425,000.00) | 0.00 | 0.00 | (425,000.00) |
| 4010 | 0.00 | 125,550.00 | 134,150.00 | (8,600.00) |
| 4020 | 0.00 | 4,850.00 | 2,150.00 | 2,700.00 |
| 4030 | 0.00 | 0.00 | 4,925.00 | (4,925.00) |
| 4031 | 0.00 | 45.00 | 0.00 | 45.00 |
| 4040 | 0.00 | 0.00 | 1,080.00 | (1,080.00) |
| 4900 | 0.00 | 25.00 | 100.00 | (75.00) |
| 4910 | 0.00 | 20.00 | 0.00 | 20.00 |
"""


def legs_of(ref: str) -> tuple[Leg, ...]:
    if ref in JOURNAL:
        kind, amount, places = JOURNAL[ref]
        return pair(kind, cents(amount), places=places)
    lines = AFTER_THE_DROP[ref].items()
    return tuple(Leg(account=code, amount=cents(text), event="drop") for code, text in lines)


def enter(casino, ref, *, legs=None, day=DAY):
    return post_entry(
        property_id=casino.pk,
        key=f"journal:{ref}",
        kind="worked_day",
        legs=legs or legs_of(ref),
        source=f"journal:{ref}",
        actor="employee:12",
        at=AT,
        gaming_day=day,
    )


ALL = [*JOURNAL, *AFTER_THE_DROP]


@pytest.fixture
def opened():
    """Return the sandbox property with the opening balances of the day."""
    casino = house("worked-day", is_sandbox=True)
    enter(casino, "opening", legs=opening_legs(OPENING), day=DAY_BEFORE)
    return casino


@pytest.fixture
def worked(opened):
    """Return the property after its day."""
    for ref in ALL:
        enter(opened, ref)
    return opened


def chips_outstanding(casino):
    custody = ("1025", "1100", "1110", "1120", "1130", "1150")
    held = sum(sum(balances(casino.pk, number).values()) for number in custody)
    return -balance(casino.pk, "2100/chip_set:main") - held


def test_trial_balance_is_the_specified_one(worked):
    expected = [
        tuple(cell.strip() for cell in row.strip("|").split("|"))
        for row in TRIAL_BALANCE.strip().splitlines()
    ]
    rows = trial_balance(worked.pk, DAY)
    assert [(row.number, row.opening, row.debits, row.credits, row.closing) for row in rows] == [
        (number, *map(cents, amounts)) for number, *amounts in expected
    ]
    assert sum(row.debits for row in rows) == cents("565,905.00")
    assert sum(row.credits for row in rows) == cents("565,905.00")


def test_trial_balance_of_every_day_adds_up_to_zero(worked):
    for day in (None, DAY_BEFORE, DAY, NEXT_DAY):
        rows = trial_balance(worked.pk, day)
        assert sum(row.closing for row in rows) == 0
        assert sum(row.debits - row.credits for row in rows) == 0


def test_next_day_opens_with_what_this_one_closed_with(worked):
    closing = {row.number: row.closing for row in trial_balance(worked.pk, DAY)}
    after = trial_balance(worked.pk, NEXT_DAY)
    assert {row.number: row.opening for row in after} == closing
    assert all(row.debits == row.credits == 0 for row in after)


def test_chips_outstanding_are_the_specified_ones(opened):
    assert chips_outstanding(opened) == cents("35,000.00")
    for ref in ALL:
        enter(opened, ref)
    assert chips_outstanding(opened) == cents("48,315.00")


def test_trays_hold_what_was_counted(worked):
    assert balances(worked.pk, Number.TRAY) == {
        "1120/table:1": cents("26,775.00"),
        "1120/table:2": cents("23,330.00"),
        "1120/table:3": cents("9,850.00"),
        "1120/table:4": cents("5,000.00"),
    }


def test_documents_boxes_and_receivables_are_cleared(worked):
    for number in ("1130", "1020", "1025", "1030", "1210", "1220"):
        assert set(balances(worked.pk, number).values()) == {0}


@pytest.mark.parametrize(("session", "win"), [(1, "6,275.00"), (2, "910.00"), (3, "3,650.00")])
def test_revenue_of_a_session_is_its_win(worked, session, win):
    by_session = ("4010", "4020", "4030", "4031", "4040", "4900")
    held = sum(
        sum(balances(worked.pk, f"{number}/session:{session}").values()) for number in by_session
    )
    held += sum(balances(worked.pk, f"4910/box:{session}").values())
    assert -held == cents(win)


def test_any_part_of_the_day_entered_again_changes_nothing(worked):
    before = books()
    part = random.Random(19).sample(ALL, 20)
    assert all(enter(worked, ref).replayed for ref in part)
    assert books() == before
