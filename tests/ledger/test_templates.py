"""Each event moves the two accounts that the specification names, in its direction.

Source: table-operations.md 18, "Postings for every event"; the table below is taken from there.
"""

from __future__ import annotations

import pytest

from ledger.chart import MissingPlaceError
from ledger.errors import InvalidEntryError
from ledger.services.posting import Leg
from ledger.services.templates import TEMPLATES, EventKind, Places, opening_legs, pair

SPECIFIED = """
chips_placed_in_service 1100 2100
chips_destroyed 2100 1100
vault_to_cage 1110 1100
cage_to_vault 1100 1110
opener_above_last_closer 1120 4905
opener_below_last_closer 4905 1120
count_above_expected 1120 4900
count_below_expected 4900 1120
fill_dispatched 1130 1110
fill_received 1120 1130
fill_returned 1110 1130
transit_found_at_cage 1110 1130
transit_found_at_table 1120 1130
transit_lost 4920 1130
credit_removed 1130 1120
credit_received 1110 1130
cash_buy_in 1020 1120
voucher_buy_in 1027 1120
marker_issued 1210 1120
marker_redeemed_in_chips 1120 1210
marker_redeemed_in_currency 1020 1210
marker_redeemed_at_cage 1010 1210
front_money_withdrawn 2200 1120
chip_sale 1010 1110
cash_out 1110 1010
main_wager_lost 1120 4010
main_wager_won 4010 1120
side_wager_lost 1120 4020
side_wager_won 4020 1120
money_play_lost 1020 4010
money_play_won 4010 1120
commission_taken 1120 4030
commission_accrued 1220 4030
commission_collected 1120 1220
commission_uncollected 4031 1220
collection_fee 1025 4040
toke_dropped 1150 2300
"""


def test_templates_are_the_specified_ones():
    assert {
        (kind.value, template.debit.value, template.credit.value)
        for kind, template in TEMPLATES.items()
    } == {tuple(row.split()) for row in SPECIFIED.strip().splitlines()}


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
