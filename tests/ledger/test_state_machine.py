"""A casino of a few tables plays at random, and a plain model of it says what the books hold.

After each step every invariant of table-operations.md 20 that concerns the books is looked for:
1 (everything adds up to zero), 3 (a completed document holds nothing), 4 (chips outstanding),
7 (what is said twice counts once), 8 (slip numbers), 10 (what is kept equals what is added up
anew) and 11 (the chain of seals holds). Steps commit, or nothing could be sealed.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, assume, settings
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
    AccountClosedError,
    AccountNotEmptyError,
    AlreadyRestatedError,
    AlreadyReversedError,
    DayClosedError,
    DayOpenError,
    EarlierDayOpenError,
    InsufficientFundsError,
    KeyReusedError,
    LedgerError,
    NotArrivedError,
    NotReversedError,
    ReversalOfReversalError,
    ShiftClosedError,
)
from ledger.models import Period, Slip, Snapshot
from ledger.money import Money
from ledger.projections import compare
from ledger.selectors import trial_balance
from ledger.services.accounts import close_account, open_account
from ledger.services.batches import post_entries
from ledger.services.days import close_shift
from ledger.services.exchange import exchange_legs
from ledger.services.posting import EntryDraft, Leg, post_draft
from ledger.services.reversal import correct_entry, reverse_entry
from ledger.services.sealing import seal_next
from ledger.services.slips import draw_slip
from ledger.services.templates import EventKind, Places, opening_legs, pair
from ledger.verify import verify
from tests.ledger.conftest import AT, DAY, PIT_BOSS, close, draft, house

DAYS = tuple(DAY + timedelta(days=number) for number in range(4))
SHIFTS = ("", "day", "swing")
CUSTODY = ("1025", "1100", "1110", "1120", "1130", "1150")
FLOORS = {"1010": 1, "1100": 1, "1110": 1, "2200": -1}
"""Numbers whose accounts may not fall below nothing, and on which side."""
DOCUMENTS = ("F-0001", "F-0002", "C-0001")
OPENING = opening_legs(
    {
        "1010/window:main": 5_000,
        "1100": 9_000,
        "1110": 3_000,
        "1120/table:1": 1_000,
        "1120/table:2": 1_000,
        "2100/chip_set:main": -14_000,
        "2200/patron:4": -500,
    }
)
FOREIGN = opening_legs({"1010/window:main/currency:HKD": 5_000, "3000/currency:HKD": -5_000})

EVENTS = (
    EventKind.CASH_BUY_IN,
    EventKind.MARKER_ISSUED,
    EventKind.FRONT_MONEY_WITHDRAWN,
    EventKind.DEPOSIT_RECEIVED_IN_CURRENCY,
    EventKind.DEPOSIT_RETURNED,
    EventKind.MAIN_WAGER_LOST,
    EventKind.MAIN_WAGER_WON,
    EventKind.SIDE_WAGER_LOST,
    EventKind.SIDE_WAGER_WON,
    EventKind.COMMISSION_TAKEN,
    EventKind.PROGRESSIVE_CONTRIBUTION,
    EventKind.PROGRESSIVE_JACKPOT_AT_TABLE,
    EventKind.COLLECTION_FEE,
    EventKind.TOKE_DROPPED,
    EventKind.CHIP_SALE,
    EventKind.CASH_OUT,
    EventKind.VAULT_TO_CAGE,
    EventKind.CAGE_TO_VAULT,
    EventKind.CHIPS_PLACED_IN_SERVICE,
    EventKind.FILL_DISPATCHED,
    EventKind.FILL_RECEIVED,
    EventKind.FILL_RETURNED,
    EventKind.CREDIT_REMOVED,
    EventKind.CREDIT_RECEIVED,
)
GAPS = """
SELECT series FROM ledger_series LEFT JOIN ledger_slip USING (property_id, series)
WHERE property_id = %s GROUP BY series, next
HAVING (count(number), coalesce(min(number), 1), coalesce(max(number), 0))
       IS DISTINCT FROM (next - 1, 1::bigint, next - 1)
"""
SUMS = """
SELECT 'entry', entry_id::text, currency FROM ledger_posting WHERE property_id = %(property)s
    GROUP BY entry_id, currency HAVING sum(amount) <> 0
UNION ALL
SELECT 'day', gaming_day::text, currency FROM ledger_posting WHERE property_id = %(property)s
    GROUP BY gaming_day, currency HAVING sum(amount) <> 0
UNION ALL
SELECT 'books', '', currency FROM ledger_balance WHERE property_id = %(property)s
    GROUP BY currency HAVING sum(debit) <> sum(credit)
"""
HELD = """
SELECT code, sum(debit - credit)::bigint FROM ledger_balance JOIN ledger_account AS account
    ON account.id = account_id WHERE account.property_id = %s GROUP BY code
"""

Refusals = frozenset[type[LedgerError]]
NONE: Refusals = frozenset()


@dataclass(slots=True, eq=False)
class Told:
    """An entry as the model knows it."""

    id: int
    draft: EntryDraft
    is_reversal: bool = False
    is_reversed: bool = False
    is_restated: bool = False


@dataclass(slots=True)
class Casino:
    """What a bookkeeper with pencil and paper would keep."""

    held: Counter[str] = field(default_factory=Counter)
    by_day: dict[Any, Counter[str]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    opened: set[Any] = field(default_factory=set)
    closed: set[Any] = field(default_factory=set)
    closed_shifts: set[tuple[Any, str]] = field(default_factory=set)
    closed_accounts: set[str] = field(default_factory=set)
    accounts: set[str] = field(default_factory=set)

    def day_refusals(self, day: Any, shift: str) -> Refusals:
        if any(closed >= day for closed in self.closed):
            return frozenset({DayClosedError})
        return frozenset({ShiftClosedError}) if (day, shift) in self.closed_shifts else NONE

    def refusals(self, legs: tuple[Leg, ...], day: Any, shift: str) -> Refusals:
        """Return for what reasons these legs may be refused; any of them will do."""
        if refused := self.day_refusals(day, shift):
            return refused
        after = Counter(self.held)
        for leg in legs:
            after[leg.account] += leg.amount
        touched = {leg.account for leg in legs}
        short = {code for code in touched if FLOORS.get(code[:4], 0) * after[code] < 0}
        return frozenset(
            ({AccountClosedError} if touched & self.closed_accounts else set())
            | ({InsufficientFundsError} if short - self.closed_accounts else set())
        )

    def post(self, legs: tuple[Leg, ...], day: Any, key: str) -> None:
        self.keys.add(key)
        self.opened.add(day)
        for leg in legs:
            self.accounts.add(leg.account)
            self.held[leg.account] += leg.amount
            self.by_day.setdefault(day, Counter())[leg.account] += leg.amount

    def outstanding(self, legs: tuple[Leg, ...] = ()) -> int:
        """Return what patrons hold in chips, after *legs* too."""
        held = Counter(self.held)
        for leg in legs:
            held[leg.account] += leg.amount
        return -sum(amount for code, amount in held.items() if code[:4] in ("2100", *CUSTODY))


class Books(RuleBasedStateMachine):
    """Postings, batches, reversals, closes and everything else, against the bookkeeper."""

    numbers = count()

    @initialize()
    def open(self) -> None:
        self.house = house(f"model-{next(self.numbers)}")
        self.model = Casino()
        self.entries: list[Told] = []
        self.calls: list[tuple[Callable[[], Any], int]] = []
        """What was done, and the id of the entry that it answered with."""
        self.slips: list[str] = []
        self.closings: dict[tuple[Any, str], tuple[Any, ...]] = {}
        self.post(draft(key="opening", kind="opening", legs=OPENING))
        self.post(draft(key="foreign", kind="opening", legs=FOREIGN))

    # --- what a step does and expects

    def key(self) -> str:
        return f"key:{len(self.model.keys)}"

    def attempt(self, act: Callable[[], Any], expected: Refusals) -> Any:
        """Do *act* in a transaction, expecting one of the refusals, or none at all."""
        if not expected:
            with transaction.atomic():
                return act()
        with pytest.raises(tuple(expected)), transaction.atomic():
            act()
        return None

    def post(self, entry: EntryDraft, refusals: Refusals = NONE) -> None:
        expected = refusals or self.model.refusals(entry.legs, entry.gaming_day, entry.shift)
        act = partial(post_draft, property_id=self.house.pk, draft=entry)
        if posted := self.attempt(act, expected):
            self.note(entry, posted)
            self.calls.append((act, posted.id))

    def note(self, entry: EntryDraft, posted: Any, **more: bool) -> Told:
        assert not posted.replayed
        self.model.post(entry.legs, entry.gaming_day, entry.key)
        for each in posted.balances:
            assert each.account[:4] == "2400" or each.balance_after is not None
        self.entries.append(Told(id=posted.id, draft=entry, **more))
        return self.entries[-1]

    def event(self, kind: EventKind, amount: int, table: int, document: str) -> tuple[Leg, ...]:
        places = Places(
            table=table,
            session=table,
            seat=1,
            box=table,
            wager="tiger9",
            patron="4",
            marker="M-1",
            meter="1",
            document=document,
        )
        return pair(kind, amount, places=places)

    # --- rules

    @rule(
        kind=st.sampled_from(EVENTS),
        amount=st.integers(1, 2_000),
        table=st.sampled_from([1, 2]),
        document=st.sampled_from(DOCUMENTS),
        when=st.tuples(st.sampled_from([*DAYS[:2], *DAYS[:2], DAYS[2]]), st.sampled_from(SHIFTS)),
    )
    def post_an_event(self, kind, amount, table, document, when):
        day, shift = when
        legs = self.event(kind, amount, table, document)
        assume(self.model.outstanding(legs) >= 0)  # nobody hands in chips that nobody holds
        self.post(draft(key=self.key(), kind=kind, legs=legs, gaming_day=day, shift=shift))

    @rule(
        kinds=st.lists(st.sampled_from(EVENTS), min_size=1, max_size=4),
        amounts=st.lists(st.integers(1, 2_000), min_size=4, max_size=4),
        days=st.lists(st.sampled_from([*DAYS[:2], DAYS[2]]), min_size=4, max_size=4),
        again=st.booleans(),
        document=st.sampled_from(DOCUMENTS),
    )
    def post_a_batch(self, kinds, amounts, days, again, document):
        entries = [
            draft(
                key=f"{self.key()}:{number}",
                kind=kind,
                legs=self.event(kind, amount, 1, document),
                gaming_day=day,
            )
            for number, (kind, amount, day) in enumerate(zip(kinds, amounts, days, strict=False))
        ]
        standing = [told for told in self.entries if not told.is_reversal][-1:] if again else []
        expected, after = NONE, copy.deepcopy(self.model)
        for entry in entries:
            expected |= after.refusals(entry.legs, entry.gaming_day, entry.shift)
            after.post(entry.legs, entry.gaming_day, entry.key)
            assume(after.outstanding() >= 0)
        whole = [*entries, *(told.draft for told in standing), entries[0]]
        act = partial(post_entries, property_id=self.house.pk, entries=whole)
        if posted := self.attempt(act, expected):
            for entry, each in zip(entries, posted, strict=False):
                self.note(entry, each)
            assert all(each.replayed for each in posted[len(entries) :])
            assert [each.id for each in posted[len(entries) : -1]] == [told.id for told in standing]
            assert posted[-1].id == posted[0].id

    @precondition(lambda self: self.calls)
    @rule(data=st.data())
    def say_something_again(self, data):
        """Invariant 7; what was said of a closed day too."""
        act, entry_id = data.draw(st.sampled_from(self.calls))
        before = self.state()
        again = act()
        assert (again.replayed, again.id) == (True, entry_id)
        assert self.state() == before

    @rule(data=st.data())
    def say_something_else_under_a_key(self, data):
        told = data.draw(st.sampled_from([told for told in self.entries if not told.is_reversal]))
        self.post(replace(told.draft, memo="other"), frozenset({KeyReusedError}))

    @rule(data=st.data(), day=st.sampled_from(DAYS[:3]))
    def reverse(self, data, day):
        told = data.draw(st.sampled_from(self.entries[2:] or self.entries))
        mirror = tuple(replace(leg, amount=-leg.amount) for leg in told.draft.legs)
        assume(self.model.outstanding(mirror) >= 0)
        expected = (
            ({ReversalOfReversalError} if told.is_reversal else set())
            or ({AlreadyReversedError} if told.is_reversed else set())
            or self.model.refusals(mirror, day, "")
        )
        entry = replace(told.draft, key=self.key(), legs=mirror, gaming_day=day, shift="")
        act = partial(
            reverse_entry,
            property_id=self.house.pk,
            entry_id=told.id,
            key=entry.key,
            actor=entry.actor,
            approver=PIT_BOSS,
            at=AT,
            gaming_day=day,
            reason="misdeal",
        )
        if posted := self.attempt(act, frozenset(expected)):
            told.is_reversed = True
            self.note(entry, posted, is_reversal=True)
            self.calls.append((act, posted.id))

    @rule(data=st.data(), amount=st.integers(1, 500), day=st.sampled_from(DAYS[:3]))
    def tell_anew(self, data, amount, day):
        told = data.draw(
            st.sampled_from([told for told in self.entries if told.is_reversed] or self.entries)
        )
        legs = self.event(EventKind.CASH_BUY_IN, amount, 1, DOCUMENTS[0])
        expected = (
            ({AlreadyRestatedError} if told.is_restated else set())
            or ({ReversalOfReversalError} if told.is_reversal else set())
            or ({NotReversedError} if not told.is_reversed else set())
        )
        before = len(self.entries)
        self.post(
            draft(key=self.key(), legs=legs, gaming_day=day, restates=told.id), frozenset(expected)
        )
        told.is_restated |= len(self.entries) > before

    @rule(data=st.data(), amount=st.integers(1, 500), day=st.sampled_from(DAYS[:3]))
    def correct(self, data, amount, day):
        told = data.draw(st.sampled_from(self.entries))
        legs = self.event(EventKind.SIDE_WAGER_WON, amount, 2, DOCUMENTS[0])
        expected = (
            ({ReversalOfReversalError} if told.is_reversal else set())
            or ({AlreadyReversedError} if told.is_reversed else set())
            or self.model.refusals(legs, day, "")
        )
        entry = draft(key=self.key(), legs=legs, gaming_day=day, approver=PIT_BOSS, memo="misread")
        entry = replace(entry, kind="entry_correction", corrects=told.id)
        act = partial(
            correct_entry,
            property_id=self.house.pk,
            entry_id=told.id,
            key=entry.key,
            kind=entry.kind,
            legs=legs,
            source=entry.source,
            actor=entry.actor,
            approver=PIT_BOSS,
            at=AT,
            gaming_day=day,
            reason="misread",
        )
        if posted := self.attempt(act, frozenset(expected)):
            self.note(entry, posted)
            self.calls.append((act, posted.id))

    @rule(
        amount=st.integers(10, 3_000),
        is_home_sold=st.booleans(),
        rate=st.sampled_from([(100, 780), (780, 100), (1, 1)]),
        day=st.sampled_from(DAYS[:2]),
    )
    def exchange(self, amount, is_home_sold, rate, day):
        sold, bought = ("USD", "HKD") if is_home_sold else ("HKD", "USD")
        done = exchange_legs(
            sold=Money(amount, sold),
            currency=bought,
            rate=rate,
            own_currency="USD",
            places=Places(window="main"),
        )
        self.post(draft(key=self.key(), legs=done.legs, rate=done.rate, gaming_day=day))

    @rule(amount=st.integers(1, 500), late=st.sampled_from(DAYS[:2]), ahead=st.integers(1, 2))
    def come_late(self, amount, late, ahead):
        day = late + timedelta(days=ahead)
        is_open = not any(closed >= late for closed in self.model.closed)
        legs = self.event(EventKind.LATE_RECOVERY, amount, 1, DOCUMENTS[0])
        self.post(
            draft(key=self.key(), legs=legs, gaming_day=day, late_day=late),
            frozenset({DayOpenError} if is_open else set()),
        )

    @rule(day=st.sampled_from([DAYS[0], DAYS[0], *DAYS[:3]]))
    def close_a_day(self, day):
        model = self.model
        sent = Counter()
        for each, moved in model.by_day.items():
            if each <= day:
                sent.update({code: amount for code, amount in moved.items() if code[:4] == "1130"})
        on_the_way = {code for code, amount in sent.items() if amount and model.held[code]}
        open_before = {each for each in model.opened - model.closed if each < day}
        expected: Refusals = NONE
        if day not in model.closed:
            if any(closed > day for closed in model.closed):
                expected = frozenset({DayClosedError})
            elif open_before:
                expected = frozenset({EarlierDayOpenError})
            elif on_the_way - model.closed_accounts:
                expected = frozenset({NotArrivedError})
        closed = self.attempt(partial(close, self.house, day), expected)
        if not expected:
            assert closed == (day not in model.closed)
            model.closed.add(day)
            model.opened.add(day)

    @rule(day=st.sampled_from(DAYS[:3]), shift=st.sampled_from(SHIFTS[1:]))
    def close_a_shift(self, day, shift):
        is_closed = (day, shift) in self.model.closed_shifts
        refusals = NONE if is_closed else self.model.day_refusals(day, "")
        act = partial(
            close_shift,
            property_id=self.house.pk,
            gaming_day=day,
            shift=shift,
            actor=PIT_BOSS,
            at=AT,
        )
        # A day that closed has closed the shifts in which something was posted.
        period = Period.objects.filter(property_id=self.house.pk, gaming_day=day, shift=shift)
        if day in self.model.closed and period.exists():
            refusals, is_closed = NONE, True
        closed = self.attempt(act, refusals)
        if not refusals:
            assert closed == (not is_closed)
            self.model.closed_shifts.add((day, shift))
            self.model.opened.add(day)

    @precondition(lambda self: self.model.accounts)
    @rule(data=st.data())
    def close_an_account(self, data):
        codes = sorted(self.model.accounts)
        empty = [code for code in codes if not self.model.held[code]]
        code = data.draw(st.sampled_from(empty or codes))
        expected = frozenset({AccountNotEmptyError} if self.model.held[code] else set())
        act = partial(close_account, property_id=self.house.pk, code=code, at=AT)
        closed = self.attempt(act, expected)
        if not expected:
            assert closed == (code not in self.model.closed_accounts)
            self.model.closed_accounts.add(code)

    @rule(code=st.sampled_from(["1120/table:1", "1120/table:9", "2400/meter:1", "1110"]))
    def open_an_account(self, code):
        """An account that stands stays as it is, closed ones too."""
        with transaction.atomic():
            first = open_account(property_id=self.house.pk, code=code, at=AT)
            assert open_account(property_id=self.house.pk, code=code, at=AT) == first
        self.model.accounts.add(code)

    @rule(document=st.integers(1, 6), fails=st.booleans())
    def draw_a_slip(self, document, fails):
        document = f"fill:{document}"
        with transaction.atomic():
            number = draw_slip(
                property_id=self.house.pk,
                series="fill_slip",
                document=document,
                actor="employee:7",
                at=AT,
            )
            if fails:
                transaction.set_rollback(True)
        drawn = self.slips if document in self.slips else [*self.slips, document]
        assert number == drawn.index(document) + 1
        if not fails:
            self.slips = drawn

    @rule(at_most=st.sampled_from([1, 3, 1000]))
    def seal(self, at_most):
        seal_next(property_id=self.house.pk, at=AT, at_most=at_most)

    # --- invariants

    def ask(self, query: str, values: Any) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(query, values)
            return cursor.fetchall()

    def state(self) -> Any:
        return (
            sorted(self.ask(HELD, [self.house.pk])),
            self.ask("SELECT count(*), max(id) FROM ledger_entry", None),
            self.ask("SELECT count(*) FROM events_outbox", None),
        )

    @invariant()
    def balances_are_those_of_the_model(self):
        held = dict(self.ask(HELD, [self.house.pk]))
        assert set(held) == self.model.accounts
        assert {code: amount for code, amount in held.items() if amount} == {
            code: amount for code, amount in self.model.held.items() if amount
        }

    @invariant()
    def everything_adds_up_to_zero(self):
        assert self.ask(SUMS, {"property": self.house.pk}) == []
        for day in (None, *DAYS[:3]):
            sums = Counter()
            for row in trial_balance(self.house.pk, day):
                sums[row.currency, "closing"] += row.closing
                sums[row.currency, "moved"] += row.debits - row.credits
            assert not any(sums.values())

    @invariant()
    def document_that_is_completed_holds_nothing(self):
        held = dict(self.ask(HELD, [self.house.pk]))
        for document in DOCUMENTS:
            code = f"1130/document:{document}"
            moved = sum(amounts[code] for amounts in self.model.by_day.values())
            assert held.get(code, 0) == moved

    @invariant()
    def chips_outstanding_are_those_that_patrons_hold(self):
        held = dict(self.ask(HELD, [self.house.pk]))
        chips = sum(amount for code, amount in held.items() if code[:4] == "2100")
        kept = sum(amount for code, amount in held.items() if code[:4] in CUSTODY)
        assert -chips - kept == self.model.outstanding() >= 0

    @invariant()
    def slips_have_no_gap(self):
        rows = Slip.objects.filter(property_id=self.house.pk).order_by("number")
        assert list(rows.values_list("document", flat=True)) == self.slips
        assert self.ask(GAPS, [self.house.pk]) == []

    @invariant()
    def what_is_kept_is_what_adding_up_finds(self):
        assert list(answers(BOOKS)) == []
        assert compare(self.house.pk) == ()

    @invariant()
    def what_is_closed_stays_as_it_was(self):
        for period in Period.objects.filter(property_id=self.house.pk, status="closed"):
            name = (period.gaming_day, period.shift)
            kept = (period.totals, bytes(period.report_hash), period.last_entry_id)
            if not period.shift:
                rows = Snapshot.objects.filter(
                    property_id=self.house.pk, gaming_day=period.gaming_day
                ).order_by("account_id", "shard")
                kept += (list(rows.values_list("account_id", "debit", "credit", "upto_version")),)
            assert self.closings.setdefault(name, kept) == kept
        days = {day for day, shift in self.closings if not shift}
        assert days == self.model.closed

    @invariant()
    def chain_of_seals_holds(self):
        assert verify(property_id=self.house.pk, at=AT).findings == ()

    def teardown(self):
        if hasattr(self, "house"):
            while seal_next(property_id=self.house.pk, at=AT):
                pass
            found = verify(property_id=self.house.pk, at=AT)
            assert (found.findings, found.unsealed) == ((), 0)


def run(*, examples: int, steps: int) -> None:
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            # A step commits: to shrink a failure would take longer than to read it.
            phases=(Phase.explicit, Phase.reuse, Phase.generate),
        ),
    )


@pytest.mark.django_db(transaction=True)
def test_books_of_a_casino_at_play_are_what_a_bookkeeper_says():
    run(examples=10, steps=25)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_books_of_a_casino_at_play_for_long_are_what_a_bookkeeper_says():
    run(examples=25, steps=50)
