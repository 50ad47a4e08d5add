"""Whatever is posted in whatever order, the books are what a plain model of them says.

Source: table-operations.md 20, invariants 1, 4 and 7.
"""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ledger.doctor import BOOKS, answers
from ledger.errors import (
    AlreadyReversedError,
    DayClosedError,
    EarlierDayOpenError,
    InsufficientFundsError,
    KeyReusedError,
)
from ledger.selectors import balances, trial_balance
from ledger.services.days import close_day
from ledger.services.reversal import reverse_entry
from tests.ledger.conftest import (
    AT,
    AUDITOR,
    DAY,
    NEXT_DAY,
    PIT_BOSS,
    books,
    house,
    legs,
    poster,
)

ACCOUNTS = ("1010/window:main", "1120/table:1", "1120/table:2", "2200/patron:4", "4010/session:1")
FLOORS = {"1010/window:main": 1, "2200/patron:4": -1}
"""The side on which each may not fall below nothing."""

MOVES = st.lists(
    st.tuples(
        st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS), st.integers(min_value=1, max_value=50)
    ),
    min_size=1,
    max_size=3,
)


class Books(RuleBasedStateMachine):
    """Random postings, repeats, reversals and closes against a dictionary."""

    @initialize()
    def open(self):
        self.undo = transaction.atomic()
        self.undo.__enter__()
        self.casino = house("model")
        self.post = poster(self.casino)
        self.held = Counter()
        self.entries = []
        self.reversed = set()
        self.opened = set()
        self.closed = set()

    def teardown(self):
        transaction.set_rollback(True)
        self.undo.__exit__(None, None, None)

    def moved(self, sides, *, sign=1):
        after = Counter(self.held)
        for account, amount in sides:
            after[account] += sign * amount
        return after

    def is_short(self, after, sides):
        touched = {account for account, _ in sides} & FLOORS.keys()
        return any(FLOORS[account] * after[account] < 0 for account in touched)

    @rule(moves=MOVES, day=st.sampled_from([DAY, NEXT_DAY]))
    def post_an_entry(self, moves, day):
        sides = [
            side for debit, credit, amount in moves for side in ((debit, amount), (credit, -amount))
        ]
        key = f"key:{len(self.entries)}:{len(self.reversed)}"
        after = self.moved(sides)
        act = {"key": key, "legs": legs(*sides), "gaming_day": day}
        if any(closed >= day for closed in self.closed):
            self.refused(DayClosedError, **act)
        elif self.is_short(after, sides):
            self.refused(InsufficientFundsError, **act)
        else:
            posted = self.post(**act)
            assert not posted.replayed
            self.held = after
            self.opened.add(day)
            last = {each.account: each.balance_after for each in posted.balances}
            assert last == {account: after[account] for account, _ in sides}
            self.entries.append((posted, act, sides))

    def refused(self, refusal, **act):
        with pytest.raises(refusal), transaction.atomic():
            self.post(**act)

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def post_it_again(self, data):
        posted, act, _ = data.draw(st.sampled_from(self.entries))
        before = books()
        again = self.post(**act)
        assert (again.replayed, again.id, again.balances) == (True, posted.id, posted.balances)
        assert books() == before

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def post_other_content_under_its_key(self, data):
        _, act, _ = data.draw(st.sampled_from(self.entries))
        self.refused(KeyReusedError, **(act | {"memo": "other"}))

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def reverse(self, data):
        posted, _, sides = data.draw(st.sampled_from(self.entries))
        after = self.moved(sides, sign=-1)
        expected = (
            (AlreadyReversedError if posted.id in self.reversed else None)
            or (DayClosedError if NEXT_DAY in self.closed else None)
            or (InsufficientFundsError if self.is_short(after, sides) else None)
        )
        act = {
            "property_id": self.casino.pk,
            "entry_id": posted.id,
            "key": f"reversal:{posted.id}:{len(self.reversed)}",
            "actor": "employee:12",
            "approver": "employee:4",
            "at": AT,
            "gaming_day": NEXT_DAY,
            "reason": "misdeal",
        }
        if expected:
            with pytest.raises(expected), transaction.atomic():
                reverse_entry(**act)
        else:
            reverse_entry(**act)
            self.held = after
            self.reversed.add(posted.id)

    @rule(day=st.sampled_from([DAY, DAY, NEXT_DAY]))
    def close(self, day):
        act = {
            "property_id": self.casino.pk,
            "gaming_day": day,
            "actor": PIT_BOSS,
            "approver": AUDITOR,
            "at": AT,
        }
        if day == NEXT_DAY and DAY in self.opened - self.closed:
            with pytest.raises(EarlierDayOpenError), transaction.atomic():
                close_day(**act)
        elif day == DAY and NEXT_DAY in self.closed and DAY not in self.closed:
            with pytest.raises(DayClosedError), transaction.atomic():
                close_day(**act)
        else:
            assert close_day(**act) == (day not in self.closed)
            self.closed.add(day)

    @invariant()
    def balances_are_those_of_the_model(self):
        held = balances(self.casino.pk, "1010") | balances(self.casino.pk, "1120")
        held |= balances(self.casino.pk, "2200") | balances(self.casino.pk, "4010")
        assert Counter(held) == self.held

    @invariant()
    def books_add_up(self):
        assert list(answers(BOOKS)) == []
        for day in (None, DAY, NEXT_DAY):
            rows = trial_balance(self.casino.pk, day)
            assert sum(row.closing for row in rows) == 0
            assert sum(row.debits - row.credits for row in rows) == 0


@pytest.mark.django_db(transaction=True)
def test_books_are_what_a_plain_model_says():
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=15,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
