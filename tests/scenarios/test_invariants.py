"""The invariants of table-operations.md 20, whatever a table does in whatever order.

A small model in plain Python keeps seats, wagers, tray and box; after each act the books must
say what it says.
"""

from __future__ import annotations

from datetime import timedelta

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

from ledger import selectors as ledger
from ledger.doctor import BOOKS, answers
from tables.chips.models import CountKind
from tables.chips.services.counts import record_count, witness_count
from tables.chips.services.opening import confirm_opener
from tables.errors import ChecklistOpenError, InvalidStateError, SeatError
from tables.floor.services.seats import seat_patron
from tables.floor.services.sessions import begin_opening
from tables.money.services.buy_ins import buy_in_cash, void_buy_in
from tables.rounds.services import betting, entering
from tables.rounds.services.leaving import leave_seat
from tables.rounds.services.settling import settle_round
from tables.rounds.services.voiding import void_round
from tables.settlement.services.closing import accept_closer, begin_closing
from tables.settlement.services.running import run_settlement
from tests import factories

SEATS = st.integers(1, 6)
WAGERS = st.sampled_from((1_000, 2_500, 10_000, 100_000))
CUSTODY = ("1025", "1100", "1110", "1120", "1130", "1150")


class TableLife(RuleBasedStateMachine):
    """One table from session to session; its rounds are recorded by their outcomes."""

    def __init__(self, casino) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()
        self.casino = casino
        self.table = factories.a_table(casino)
        self.dealer, self.floor = factories.dealer(casino), factories.floor(casino)
        self.boss = factories.pit_boss(casino)
        self.clock = factories.NOON
        self.tray = self.first_tray = self.booked("1120", self.table.ref)
        self.outstanding = self.chips_outstanding()
        self.session = None
        self.keys = 0

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)

    # --- what the books say

    def booked(self, number: str, place: str) -> int:
        return ledger.balance(self.casino.pk, f"{number}/{place}")

    def chips_outstanding(self) -> int:
        held = sum(sum(ledger.balances(self.casino.pk, each).values()) for each in CUSTODY)
        return -sum(ledger.balances(self.casino.pk, "2100").values()) - held

    # --- acts

    def now(self):
        self.clock += timedelta(seconds=10)
        return self.clock

    def act(self):
        return {"session_id": self.session.pk, "actor": self.dealer, "at": self.now()}

    def count(self, kind, total):
        counted = record_count(
            session_id=self.session.pk,
            kind=kind,
            pieces={50_000: total // 50_000, 25: total % 50_000 // 25},
            dealer=self.dealer,
            at=self.now(),
        )
        witness_count(count_id=counted.pk, floor=self.floor, at=self.now())

    @initialize()
    def first_opening(self):
        self.open_table()

    @precondition(lambda self: self.session is None)
    @rule()
    def open_table(self):
        self.session = begin_opening(table_id=self.table.pk, actor=self.dealer, at=self.now())
        self.count(CountKind.OPENER, self.tray)
        self.session = confirm_opener(**self.act())
        assert self.session.opener.total == self.tray  # the closer of the session before
        self.seats, self.wagers, self.round = {}, {}, None
        self.box, self.net, self.commission, self.rounds = 0, 0, 0, []
        self.numbers = 0
        self.buy_ins = []

    @precondition(lambda self: self.session)
    @rule(seat=SEATS)
    def sit_down(self, seat):
        patron = factories.a_patron(self.casino, f"P{seat}")
        seat_patron(seat=seat, patron=patron, **self.act())
        self.seats[seat] = patron

    @precondition(lambda self: self.session)
    @rule(seat=SEATS)
    def leave(self, seat):
        if seat in self.wagers:
            with pytest.raises(SeatError):
                leave_seat(seat=seat, **self.act())
            return
        leave_seat(seat=seat, **self.act())
        self.seats.pop(seat, None)

    @precondition(lambda self: self.session)
    @rule(seat=SEATS, chips=st.integers(1, 8_000))
    def buy_in(self, seat, chips):
        self.keys += 1
        given = self.act() | {"seat": seat, "amount": 25 * chips, "key": f"k{self.keys}"}
        if 25 * chips > 100_000:
            given["verifier"] = self.floor
        if seat not in self.seats:
            with pytest.raises(SeatError):
                buy_in_cash(**given)
            return
        bought = buy_in_cash(**given)
        assert buy_in_cash(**given | {"at": self.now()}) == bought
        self.tray -= bought.amount
        self.box += bought.amount
        self.buy_ins.append(bought)

    @precondition(lambda self: self.session and self.buy_ins)
    @rule(data=st.data())
    def take_buy_in_back(self, data):
        bought = data.draw(st.sampled_from(self.buy_ins))
        self.buy_ins.remove(bought)
        void_buy_in(
            buy_in_id=bought.pk,
            reason="called twice",
            proposer=self.dealer,
            floor=self.floor,
            at=self.now(),
        )
        self.tray += bought.amount
        self.box -= bought.amount

    @precondition(lambda self: self.session and self.seats)
    @rule(data=st.data(), amount=WAGERS)
    def wager(self, data, amount):
        seat = data.draw(st.sampled_from(sorted(self.seats)))
        given = self.act() | {"seat": seat, "amount": amount}
        if self.round:
            with pytest.raises(InvalidStateError):
                betting.place_wager(**given)
            return
        round_ = betting.place_wager(**given).round
        assert round_.number == self.numbers + 1
        self.wagers[seat] = amount

    @precondition(lambda self: self.session and self.wagers and not self.round)
    @rule(data=st.data())
    def withdraw(self, data):
        seat = data.draw(st.sampled_from(sorted(self.wagers)))
        betting.withdraw_wager(
            session_id=self.session.pk, seat=seat, actor=self.dealer, at=self.now()
        )
        del self.wagers[seat]

    @precondition(lambda self: self.session and self.wagers and not self.round)
    @rule()
    def say_no_more_bets(self):
        standing = betting.current_round(self.session)
        self.round = betting.no_more_bets(round_id=standing.pk, actor=self.dealer, at=self.now())

    @precondition(lambda self: self.session and self.round)
    @rule(data=st.data())
    def settle(self, data):
        net = commission = 0
        for seat, amount in self.wagers.items():
            outcome = data.draw(st.sampled_from(("win", "lose", "push")))
            entering.enter_result(
                round_id=self.round.pk, seat=seat, outcome=outcome, actor=self.dealer, at=self.now()
            )
            owed = amount * 5 // 100 if outcome == "win" else 0
            commission += owed
            net += {"win": owed - amount, "lose": amount, "push": 0}[outcome]
        for _ in range(2):  # a tablet that heard no answer asks again
            done = settle_round(round_id=self.round.pk, actor=self.dealer, at=self.now()).round
        assert done.house_net == net
        assert (done.entry_id is None) == all(
            each.outcome == "push" for each in done.outcomes.all()
        )
        self.rounds.append((done, net, commission))
        self.wagers, self.round = {}, None
        self.numbers += 1
        self.tray += net
        self.net += net
        self.commission += commission

    @precondition(lambda self: self.session and self.rounds)
    @rule(data=st.data())
    def void_paid_round(self, data):
        paid = data.draw(st.sampled_from(self.rounds))
        self.rounds.remove(paid)
        round_, net, commission = paid
        self.void(round_)
        with pytest.raises(InvalidStateError):
            self.void(round_)
        self.tray -= net
        self.net -= net
        self.commission -= commission

    @precondition(lambda self: self.session and self.round)
    @rule()
    def void_before_payment(self):
        self.void(self.round)
        self.wagers, self.round = {}, None
        self.numbers += 1

    def void(self, round_):
        void_round(
            round_id=round_.pk,
            reason="misdeal",
            proposer=self.dealer,
            floor=self.floor,
            pit_boss=self.boss,
            at=self.now(),
        )

    @precondition(lambda self: self.session)
    @rule(variance=st.sampled_from((0, 0, 25, -2_500)))
    def close(self, variance):
        if self.wagers:
            with pytest.raises(ChecklistOpenError):
                begin_closing(**self.act())
            return
        begin_closing(**self.act())
        closer = max(self.tray, 0) // 25 * 25 + max(variance, -max(self.tray, 0))
        self.count(CountKind.CLOSER, closer)
        asked = accept_closer(**self.act())
        totals = run_settlement(
            session_id=self.session.pk, version=asked.version, at=self.now()
        ).totals
        assert totals.expected_tray == self.tray
        assert totals.chip_variance == closer - self.tray
        assert totals.main_net + totals.commission == self.net
        assert totals.commission == self.commission
        assert totals.rounds == len(self.rounds)
        assert totals.box_recorded == self.box
        assert totals.estimated_win == self.net + closer - self.tray
        self.tray = closer
        self.net += totals.chip_variance
        self.session = None

    # --- invariants, by their numbers in section 20

    @invariant()
    def debits_are_credits(self):  # 1
        assert list(answers(BOOKS)) == []
        assert sum(row.closing for row in ledger.trial_balance(self.casino.pk)) == 0

    @invariant()
    def the_tray_is_what_it_should_be(self):  # 2
        assert self.booked("1120", self.table.ref) == self.tray

    @invariant()
    def chips_are_somewhere(self):  # 4
        assert self.chips_outstanding() == self.outstanding + self.first_tray - self.tray
        assert self.chips_outstanding() >= 0

    @invariant()
    def numbers_have_no_gap(self):
        if self.session:
            numbers = self.session.rounds.order_by("number").values_list("number", flat=True)
            standing = bool(self.wagers)
            assert list(numbers) == list(range(1, self.numbers + standing + 1))


@pytest.mark.django_db
def test_whatever_a_table_does_the_books_say_what_happened():
    casino = factories.a_casino()
    factories.record_outcomes_alone(casino)

    run_state_machine_as_test(
        lambda: TableLife(casino),
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
