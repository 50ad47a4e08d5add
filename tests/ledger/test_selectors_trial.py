"""Trial balances of days and shifts, against what the whole history adds up to."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from hypothesis import given

from ledger import selectors
from ledger.models import Period
from ledger.services.days import close_day, close_shift
from tests.ledger.conftest import AT, AUDITOR, DAY, NEXT_DAY, PIT_BOSS, house, legs
from tests.ledger.test_selectors_past import ACTS, every_example, play

pytestmark = pytest.mark.django_db

# From what the accounts hold now, taken back by all that moved since: no snapshot, no totals.
TAKEN_BACK = """
WITH moved AS (
    SELECT posting.account_id,
           sum(posting.amount) AS since,
           coalesce(sum(posting.amount) FILTER (WHERE entry.gaming_day > %(day)s), 0) AS later,
           coalesce(sum(posting.amount) FILTER (
               WHERE posting.amount > 0 AND entry.gaming_day = %(day)s), 0) AS debits,
           coalesce(-sum(posting.amount) FILTER (
               WHERE posting.amount < 0 AND entry.gaming_day = %(day)s), 0) AS credits
    FROM ledger_entry AS entry JOIN ledger_posting AS posting ON posting.entry_id = entry.id
    WHERE entry.property_id = %(property_id)s AND entry.gaming_day >= %(day)s
    GROUP BY posting.account_id
), held AS (
    SELECT account_id, sum(debit - credit) AS amount
    FROM ledger_balance WHERE property_id = %(property_id)s GROUP BY account_id
)
SELECT account.number, account.currency, sum(held.amount - coalesce(moved.since, 0)),
       sum(coalesce(moved.debits, 0)), sum(coalesce(moved.credits, 0)),
       sum(held.amount - coalesce(moved.later, 0))
FROM ledger_account AS account
JOIN held ON held.account_id = account.id
LEFT JOIN moved ON moved.account_id = account.id
GROUP BY account.number, account.currency ORDER BY account.number, account.currency
"""


def taken_back(property_id, day):
    with connection.cursor() as cursor:
        cursor.execute(TAKEN_BACK, {"property_id": property_id, "day": day})
        rows = [(*row[:2], *map(int, row[2:])) for row in cursor.fetchall()]
    return [row for row in rows if any(row[2:])]


def told(property_id, day):
    return [
        (row.number, row.currency, row.opening, row.debits, row.credits, row.closing)
        for row in selectors.trial_balance(property_id, day)
        if any((row.opening, row.debits, row.credits, row.closing))
    ]


@every_example
@given(acts=ACTS)
def test_trial_balance_of_any_day_is_what_history_adds_up_to(acts):
    story = play(acts, is_sandbox=False)
    for day in story.days:
        rows = told(story.property_id, day)
        assert rows == taken_back(story.property_id, day)
        for currency in ("USD", "HKD"):
            assert sum(row[5] for row in rows if row[1] == currency) == 0


@every_example
@given(acts=ACTS)
def test_shifts_of_a_day_and_what_has_none_add_up_to_the_day(acts):
    story = play(acts, is_sandbox=False)
    for day in story.days:
        moved = dict.fromkeys(selectors.trial_balance(story.property_id, day), 0)
        whole = {(row.number, row.currency): [row.debits, row.credits] for row in moved}
        swing = selectors.trial_balance(story.property_id, day, shift="swing")
        for row in swing:
            assert row.opening == 0
            assert row.closing == row.debits - row.credits
            left = whole[row.number, row.currency]
            left[0] -= row.debits
            left[1] -= row.credits
        assert sum(debits - credits for debits, credits in whole.values()) == 0
        assert all(min(left) >= 0 for left in whole.values())


def test_closed_day_says_what_it_closed_with(post, casino):
    post()
    close_day(property_id=casino.pk, gaming_day=DAY, actor=PIT_BOSS, approver=AUDITOR, at=AT)
    post(key="late", gaming_day=NEXT_DAY, late_day=DAY)
    period = Period.objects.get(gaming_day=DAY, shift="")
    rows = selectors.trial_balance(casino.pk, DAY)
    assert [
        {
            "number": row.number,
            "currency": row.currency,
            "opening": row.opening,
            "debits": row.debits,
            "credits": row.credits,
            "closing": row.closing,
        }
        for row in rows
    ] == period.totals
    assert [row.closing for row in selectors.trial_balance(casino.pk, NEXT_DAY)] == [1000, -1000]


def test_shift_says_the_same_before_and_after_it_closed(post, casino):
    post(shift="swing")
    post(key="b", shift="day", legs=legs(("1120/table:4", 7), ("4010/session:8", -7)))
    before = selectors.trial_balance(casino.pk, DAY, shift="swing")
    close_shift(property_id=casino.pk, gaming_day=DAY, shift="swing", actor=PIT_BOSS, at=AT)
    assert selectors.trial_balance(casino.pk, DAY, shift="swing") == before
    assert [(row.number, row.debits, row.credits) for row in before] == [
        ("1120", 500, 0),
        ("4010", 0, 500),
    ]
    assert selectors.trial_balance(casino.pk, DAY, shift="grave") == []


def test_currencies_are_told_apart(post, casino):
    post()
    post(
        key="hkd",
        legs=legs(("1120/table:3/currency:HKD", 70), ("4010/session:7/currency:HKD", -70)),
    )
    for day in (None, DAY, DAY + timedelta(days=7)):
        assert [
            (row.number, row.currency, row.closing)
            for row in selectors.trial_balance(casino.pk, day)
        ] == [
            ("1120", "HKD", 70),
            ("1120", "USD", 500),
            ("4010", "HKD", -70),
            ("4010", "USD", -500),
        ]
    assert selectors.trial_balance(house("macau").pk, DAY) == []
