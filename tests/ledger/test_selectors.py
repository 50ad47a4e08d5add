"""Reads of the books: balances, entries, statements; their cost does not grow with history."""

from __future__ import annotations

import pytest

from casino.properties.models import Property
from ledger import selectors
from ledger.errors import UnknownAccountError, UnknownEntryError
from ledger.selectors import Held
from ledger.services.days import close_day
from ledger.services.posting import Leg
from ledger.services.reversal import correct_entry, reverse_entry
from tests.ledger.conftest import (
    AT,
    AUDITOR,
    DAY,
    NEXT_DAY,
    PIT_BOSS,
    WIN,
    house,
    legs,
    poster,
)

pytestmark = pytest.mark.django_db


def test_balance_is_debit_less_credit(post, casino):
    post()
    assert selectors.balance(casino.pk, "1120/table:3") == 500
    assert selectors.balance(casino.pk, "4010/session:7") == -500
    assert selectors.balance(casino.pk, "1120/table:4") == 0


def test_balance_of_a_number_is_that_of_all_its_accounts(post, casino):
    post()
    post(key="b", legs=legs(("1120/table:30", 7), ("4010/session:8", -7)))
    assert selectors.account_balances(casino.pk, "1120") == (Held("USD", 507),)
    assert selectors.account_balances(casino.pk, "1120/table:3") == (Held("USD", 500),)
    with pytest.raises(UnknownAccountError):
        selectors.account_balances(casino.pk, "1120/table:4")


def test_balances_are_found_by_the_beginning_of_their_code(post, casino):
    post()
    post(key="b", legs=legs(("1220/session:7/seat:3", 7), ("1220/session:70/seat:1", -7)))
    assert selectors.balances(casino.pk, "1220/session:7") == {"1220/session:7/seat:3": 7}
    assert selectors.balances(casino.pk, "1220") == {
        "1220/session:7/seat:3": 7,
        "1220/session:70/seat:1": -7,
    }
    assert selectors.balances(casino.pk, "12") == {}


def test_balances_of_several_beginnings_come_in_one_query(post, casino, django_assert_num_queries):
    post()
    post(key="b", legs=legs(("1220/session:7/seat:3", 7), ("1220/session:70/seat:1", -7)))
    with django_assert_num_queries(1):
        held = selectors.balances(casino.pk, "4010/session:7", "1220/session:7")
    assert held == {"1220/session:7/seat:3": 7, "4010/session:7": -500}


def test_balances_of_another_property_are_not_seen(post, casino):
    poster(house("macau"))()
    assert selectors.balances(casino.pk, "1120") == {}
    assert selectors.trial_balance(casino.pk) == []
    assert selectors.entries(casino.pk) == []


def test_entries_are_listed_by_what_they_are_about(post, casino):
    first = post(table="table:3", session="session:7")
    second = post(key="b", source="round:813", table="table:3", session="session:8")
    third = post(key="c", kind="cash_buy_in", gaming_day=NEXT_DAY)

    def ids(**filters):
        return [row.id for row in selectors.entries(casino.pk, **filters)]

    assert ids() == [first.id, second.id, third.id]
    assert ids(session="session:7") == [first.id]
    assert ids(table="table:3") == [first.id, second.id]
    assert ids(source="round:813") == [second.id]
    assert ids(kind="cash_buy_in") == [third.id]
    assert ids(gaming_day=DAY) == [first.id, second.id]
    assert ids(gaming_day=NEXT_DAY, table="table:3") == []
    assert ids(limit=2) == [first.id, second.id]
    assert ids(after=second.id) == [third.id]


def test_detail_has_lines_with_balances_and_chips(post):
    posted = post(
        legs=[
            Leg(
                account="1120/table:3",
                amount=500,
                event="fill_received",
                pieces=((5, 20), (100, 4)),
            ),
            Leg(account="1130/document:F-0001", amount=-500, event="fill_received"),
        ]
    )
    first, second = selectors.entry_detail(posted.id).lines
    assert first == selectors.LineRow(
        line=1,
        account="1120/table:3",
        name="Table inventory (tray)",
        currency="USD",
        amount=500,
        event="fill_received",
        balance_after=500,
        pieces=((100, 4), (5, 20)),
    )
    assert (second.account, second.amount, second.pieces) == ("1130/document:F-0001", -500, ())


def test_details_of_many_entries_take_three_queries(post, casino, django_assert_num_queries):
    for number in range(4):
        post(key=str(number))
    rows = selectors.entries(casino.pk)
    with django_assert_num_queries(3):
        assert [len(each.lines) for each in selectors.details(rows)] == [2] * 4


def test_entry_that_does_not_exist_is_named(casino):
    with pytest.raises(UnknownEntryError) as refused:
        selectors.entry_detail(404)
    assert refused.value.entry_id == 404


def test_statement_goes_on_where_a_page_ended(post, casino):
    for number in range(5):
        post(key=str(number), source=f"round:{number}")

    pages, after = [], (0, 0)
    while page := selectors.statement(casino.pk, "1120/table:3", after=after, limit=2):
        pages.append([(row.version, row.amount, row.balance_after, row.source) for row in page])
        after = (page[-1].shard, page[-1].version)

    assert pages == [
        [(1, 500, 500, "round:0"), (2, 500, 1000, "round:1")],
        [(3, 500, 1500, "round:2"), (4, 500, 2000, "round:3")],
        [(5, 500, 2500, "round:4")],
    ]


def test_statement_names_the_entry_of_each_line(post, casino):
    posted = post()
    (row,) = selectors.statement(casino.pk, "4010/session:7")
    assert (row.entry_id, row.entry, row.kind, row.event, row.gaming_day, row.effective_at) == (
        posted.id,
        posted.public_id,
        "round_settled",
        WIN[0].event,
        DAY,
        AT,
    )


def test_statement_of_an_account_that_was_never_opened_is_refused(casino):
    with pytest.raises(UnknownAccountError) as refused:
        selectors.statement(casino.pk, "1120/table:3")
    assert refused.value.account == "1120/table:3"


def test_entry_is_found_by_its_public_id_in_its_property_alone(post, casino):
    posted = post()
    assert selectors.entry_id_of(casino.pk, posted.public_id) == posted.id
    assert selectors.entry_id_of(house("macau").pk, posted.public_id) is None


def test_statement_goes_back_from_the_newest(post, casino):
    for number in range(5):
        post(key=str(number), source=f"round:{number}")
    newest = selectors.statement(casino.pk, "1120/table:3", newest_first=True, limit=2)
    assert [row.balance_after for row in newest] == [2500, 2000]
    place = (newest[-1].shard, newest[-1].version)
    older = selectors.statement(casino.pk, "1120/table:3", before=place, newest_first=True, limit=2)
    assert [row.balance_after for row in older] == [1500, 1000]
    newer = selectors.statement(casino.pk, "1120/table:3", after=place, limit=9)
    assert [row.balance_after for row in newer] == [2500]


def test_statement_tells_who_where_why_and_what_was_taken_back(post, casino):
    original = post(table="table:3", session="session:7", shift="swing", memo="copied by hand")
    reversal = reverse(original)
    restated = post(key="anew", restates=original.id)
    first, second, third = selectors.statement(casino.pk, "1120/table:3")
    assert (first.table, first.session, first.shift, first.actor, first.approver, first.memo) == (
        "table:3",
        "session:7",
        "swing",
        "employee:12",
        "",
        "copied by hand",
    )
    assert (first.reverses, first.reversed_by) == (None, reversal.public_id)
    assert (second.reverses, second.approver, second.memo) == (
        original.public_id,
        PIT_BOSS,
        "misdeal",
    )
    assert (third.entry, third.restates) == (restated.public_id, original.public_id)


def test_detail_tells_what_an_entry_restates_and_what_corrects_it(post, casino):
    original = post()
    reversal = reverse(original)
    restated = post(key="anew", restates=original.id)
    corrections = [
        correct_entry(
            property_id=casino.pk,
            entry_id=restated.id,
            key=f"correction:{number}",
            kind="entry_correction",
            legs=WIN,
            source="round:812",
            actor="employee:12",
            approver=PIT_BOSS,
            at=AT,
            gaming_day=DAY,
            reason="one chip more",
        )
        for number in range(2)
    ]
    first, second, third, fourth, _fifth = selectors.details(selectors.entries(casino.pk))
    assert (first.entry.reversed_by, first.entry.restated_by) == (
        reversal.public_id,
        restated.public_id,
    )
    assert second.entry.reverses == original.public_id
    assert third.entry.restates == original.public_id
    assert third.corrections == tuple(each.public_id for each in corrections)
    assert fourth.entry.corrects == restated.public_id
    assert selectors.entry_detail(restated.id) == third


def test_detail_tells_the_rate_of_an_exchange_and_the_day_that_it_came_late_for(post, casino):
    post()
    close_day(property_id=casino.pk, gaming_day=DAY, actor=PIT_BOSS, approver=AUDITOR, at=AT)
    late = post(key="late", gaming_day=NEXT_DAY, late_day=DAY)
    exchanged = post(
        key="exchange",
        gaming_day=NEXT_DAY,
        rate=(780, 100),
        legs=legs(
            ("1010/window:main/currency:HKD", 780),
            ("3100/pair:HKD-USD/currency:HKD", -780),
            ("3100/pair:HKD-USD", 100),
            ("1120/table:3", -100),
        ),
    )
    assert selectors.entry_detail(late.id).entry.late_day == DAY
    assert selectors.entry_detail(late.id).entry.rate is None
    assert selectors.entry_detail(exchanged.id).entry.rate == (780, 100)
    assert selectors.account_balances(casino.pk, "3100") == (Held("HKD", -780), Held("USD", 100))


def test_entries_are_listed_from_either_end(post, casino):
    ids = [post(key=str(number)).id for number in range(5)]
    newest = selectors.entries(casino.pk, newest_first=True, limit=2)
    assert [row.id for row in newest] == ids[:2:-1]
    older = selectors.entries(casino.pk, newest_first=True, before=newest[-1].id, limit=9)
    assert [row.id for row in older] == ids[2::-1]


def reverse(posted):
    return reverse_entry(
        property_id=Property.objects.get(code="golden-gate").pk,
        entry_id=posted.id,
        key=f"void:{posted.id}",
        actor="employee:12",
        approver=PIT_BOSS,
        at=AT,
        gaming_day=DAY,
        reason="misdeal",
    )
