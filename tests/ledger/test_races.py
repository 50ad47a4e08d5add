"""Posters that meet: one entry for a key, nothing in a closed day, no balance lost or overdrawn."""

from __future__ import annotations

import random
import threading
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction
from psycopg import errors

from ledger.doctor import BOOKS, answers
from ledger.errors import (
    AccountClosedError,
    AccountNotEmptyError,
    AlreadyRestatedError,
    AlreadyReversedError,
    DayClosedError,
    EarlierDayOpenError,
    InsufficientFundsError,
    KeyReusedError,
    ShiftClosedError,
)
from ledger.models import Account, Entry, Period, Posting, Snapshot
from ledger.selectors import balance, balances
from ledger.services.accounts import close_account, open_account
from ledger.services.batches import post_entries
from ledger.services.days import close_shift
from ledger.services.posting import PostedEntry
from ledger.services.reversal import correct_entry, reverse_entry
from tests.ledger.conftest import AT, DAY, NEXT_DAY, USUAL, close, draft, legs
from tests.local.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

CLOSE = "SELECT ledger_close_day(%s, %s, 'x', 'y', now(), '{}')"
CLOSE_SHIFT = "SELECT ledger_close_shift(%s, %s, 'swing', 'x', '', now())"
WAITERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
BACKWARDS = """
SELECT account_id, account_version
FROM (SELECT p.account_id, p.account_version, e.recorded_at,
             lag(e.recorded_at) OVER (PARTITION BY p.account_id, p.shard
                                      ORDER BY p.account_version) AS before
      FROM ledger_posting AS p JOIN ledger_entry AS e ON e.id = p.entry_id) AS told
WHERE recorded_at < before
"""
"""Where the time at which postings were recorded runs against their order on an account."""


def of(kind, answers):
    return [each for each in answers if isinstance(each, kind)]


@pytest.fixture(autouse=True)
def _books_add_up_afterwards(transactional_db):
    yield
    assert list(answers(BOOKS)) == []


def test_twins_of_one_key_get_one_entry_and_one_answer(post, together):
    answers = together(*[post] * 8)

    assert len(of(PostedEntry, answers)) == 8
    assert sum(not each.replayed for each in answers) == 1
    assert len({(each.id, each.balances) for each in answers}) == 1
    assert Entry.objects.count() == 1


def test_of_twins_with_other_content_one_wins_and_the_others_are_told_the_field(post, together):
    answers = together(*[partial(post, memo=str(number)) for number in range(6)])

    assert len(of(PostedEntry, answers)) == 1
    assert [each.field for each in of(KeyReusedError, answers)] == ["memo"] * 5
    assert Entry.objects.count() == 1


def test_twenty_keys_of_sixteen_twins_make_twenty_entries_with_one_answer_each(post, together):
    chance = random.Random(20260314)
    keys = [f"key:{number}" for number in range(20)]

    def twin():
        order = random.Random(chance.random()).sample(keys, len(keys))
        return {key: post(key=key) for key in order}

    answers = together(*[twin] * 16)

    assert of(Exception, answers) == []
    assert Entry.objects.count() == 20
    for key in keys:
        told = [each[key] for each in answers]
        assert len({(each.id, each.public_id, each.balances) for each in told}) == 1
        assert sum(not each.replayed for each in told) == 1


def test_twin_waits_for_the_winner_and_takes_over_when_it_fails(post, together):
    inside, leave = threading.Event(), threading.Event()

    class GivenUpError(Exception):
        pass

    def give_up():
        with transaction.atomic():
            post()
            inside.set()
            leave.wait(timeout=30)
            raise GivenUpError

    def follow():
        inside.wait(timeout=30)
        leave.set()
        return post()

    first, second = together(give_up, follow)

    assert isinstance(first, GivenUpError)
    assert not second.replayed
    assert Entry.objects.count() == 1


def test_nothing_lands_in_a_day_after_it_closed(post, casino, together):
    post(key="first")

    posters = [partial(post, key=f"key:{number}") for number in range(6)]
    answers = together(partial(close, casino), *posters)

    period = Period.objects.get()
    assert answers[0] is True
    assert len(of(PostedEntry, answers)) + len(of(DayClosedError, answers)) == 6
    assert Entry.objects.filter(pk__gt=period.last_entry_id).count() == 0
    assert Entry.objects.count() == 1 + len(of(PostedEntry, answers))


def test_close_waits_for_a_posting_under_way(post, casino, connect):
    with transaction.atomic():
        post()
        other = connect(autocommit=True)
        other.execute("SET lock_timeout = '50ms'")
        with pytest.raises(errors.LockNotAvailable):
            other.execute(CLOSE, [casino.pk, DAY])
    assert other.execute(CLOSE, [casino.pk, DAY]).fetchone() == (True,)


def test_what_posters_land_is_in_the_close_ten_days_running(post, casino, together):
    days = [DAY + timedelta(days=number) for number in range(10)]

    def poster(name, day, begun):
        def act():
            kept = 0
            while True:
                try:
                    post(key=f"{name}:{day}:{kept}", gaming_day=day)
                except DayClosedError:
                    return kept
                kept += 1
                if kept == 2:
                    begun.release()

        return act

    def closer(day, begun):
        def act():
            for _ in range(4):
                assert begun.acquire(timeout=60)
            return close(casino, day)

        return act

    landed = 0
    for day in days:
        begun = threading.Semaphore(0)
        *counts, closed = together(
            *[poster(name, day, begun) for name in range(4)], closer(day, begun)
        )
        assert closed is True
        landed += sum(counts)
        period = Period.objects.get(gaming_day=day)
        on_it = Entry.objects.filter(gaming_day=day)
        assert on_it.count() == sum(counts)
        assert period.last_entry_id == on_it.latest("pk").pk
        (tray, win) = period.totals
        assert (tray["debits"], tray["closing"]) == (500 * sum(counts), 500 * landed)
        assert win["closing"] == -500 * landed
        snapshot = Snapshot.objects.get(gaming_day=day, account__code="1120/table:3")
        assert (snapshot.debit, snapshot.held_debit, snapshot.upto_version) == (
            500 * landed,
            500 * landed,
            landed,
        )


def test_snapshot_holds_what_stood_while_the_next_day_was_posted_to(post, casino, together):
    post(key="before")
    begun, enough = threading.Semaphore(0), threading.Event()

    def tomorrow(name):
        kept = 0
        while not enough.is_set() or kept < 5:
            post(key=f"{name}:{kept}", gaming_day=NEXT_DAY)
            kept += 1
            begun.release()
        return kept

    def today():
        for _ in range(6):
            assert begun.acquire(timeout=60)
        closed = close(casino)
        enough.set()
        return closed

    *counts, closed = together(*[partial(tomorrow, name) for name in range(3)], today)

    assert closed is True
    for snapshot in Snapshot.objects.filter(gaming_day=DAY).select_related("account"):
        upto = Posting.objects.filter(
            account=snapshot.account, account_version__lte=snapshot.upto_version
        )
        assert (snapshot.debit + snapshot.credit, upto.count()) == (500, snapshot.upto_version)
        assert snapshot.held_debit - snapshot.held_credit == (
            upto.get(account_version=snapshot.upto_version).balance_after
        )
    close(casino, NEXT_DAY)
    totals = {line["number"]: line for line in Period.objects.get(gaming_day=NEXT_DAY).totals}
    assert totals["1120"]["debits"] == 500 * sum(counts)


def test_close_of_a_shift_waits_for_a_posting_under_way(post, casino, connect):
    with transaction.atomic():
        post(shift="swing")
        other = connect(autocommit=True)
        other.execute("SET lock_timeout = '50ms'")
        with pytest.raises(errors.LockNotAvailable):
            other.execute(CLOSE_SHIFT, [casino.pk, DAY])
    assert other.execute(CLOSE_SHIFT, [casino.pk, DAY]).fetchone() == (True,)


def test_nothing_lands_in_a_shift_after_it_closed_and_the_others_go_on(post, casino, together):
    begun = threading.Semaphore(0)

    def swing(name):
        kept = 0
        while True:
            try:
                post(key=f"swing:{name}:{kept}", shift="swing")
            except ShiftClosedError:
                break
            kept += 1
            begun.release()
        return kept, post(key=f"grave:{name}", shift="grave")

    def end():
        for _ in range(6):
            assert begun.acquire(timeout=60)
        return close_shift(
            property_id=casino.pk, gaming_day=DAY, shift="swing", actor="employee:4", at=AT
        )

    *posted, closed = together(*[partial(swing, name) for name in range(4)], end)

    assert closed is True
    assert of(Exception, posted) == []
    kept = sum(count for count, _ in posted)
    assert Entry.objects.filter(shift="swing").count() == kept
    assert Period.objects.get(shift="swing").totals[0]["debits"] == 500 * kept
    assert Entry.objects.filter(shift="grave").count() == 4


def test_day_closes_once_whoever_asks(casino, together):
    assert sorted(together(*[partial(close, casino)] * 4)) == [False, False, False, True]


def test_account_is_opened_once_whoever_posts_first(post, together):
    answers = together(*[partial(post, key=f"key:{number}") for number in range(6)])
    assert len(of(PostedEntry, answers)) == 6
    assert Account.objects.count() == 2


def test_accounts_are_opened_in_one_order_whatever_the_order_of_the_legs(post, casino, together):
    shuffled = random.Random(20260314)
    for turn in range(5):
        codes = [f"1120/table:{turn}-{number}" for number in range(6)]

        def act(name, order, turn=turn):
            sides = [*((code, 5) for code in order), ("3000", -5 * len(order))]
            with transaction.atomic():  # in which a deadlock rises instead of being retried
                return post(key=f"{turn}:{name}", legs=legs(*sides))

        answers = together(
            *[partial(act, name, shuffled.sample(codes, len(codes))) for name in range(5)]
        )
        assert [type(each) for each in answers] == [PostedEntry] * 5
        assert {held for code, held in balances(casino.pk, "1120").items() if code in codes} == {25}


def test_legs_in_any_order_neither_deadlock_nor_drift(post, casino, together, owner):
    accounts = [f"1120/table:{number}" for number in range(8)]
    for code in accounts:
        open_account(property_id=casino.pk, code=code, at=AT)
    shuffled = random.Random(20260314)

    def poster(name, orders):
        def act():
            for turn, order in enumerate(orders):
                with transaction.atomic():  # in which a deadlock rises instead of being retried
                    post(key=f"{name}:{turn}", legs=order)

        return act

    def order():
        first, second, third = shuffled.sample(accounts, 3)
        return legs((first, 7), (second, -4), (third, -3))

    answers = together(*[poster(name, [order() for _ in range(15)]) for name in range(8)])

    assert of(Exception, answers) == []
    assert Entry.objects.count() == 120
    assert sum(balance(casino.pk, code) for code in accounts) == 0
    assert owner.execute(BACKWARDS).fetchall() == []


def test_last_chips_are_given_out_once(post, casino, together):
    post(key="opening", legs=legs(("1010/window:main", 100), ("3000", -100)))
    give = legs(("1010/window:main", -10), ("3000", 10))

    answers = together(*[partial(post, key=f"key:{number}", legs=give) for number in range(24)])

    assert len(of(PostedEntry, answers)) == 10
    assert [each.account for each in of(InsufficientFundsError, answers)] == [
        "1010/window:main"
    ] * 14
    assert balance(casino.pk, "1010/window:main") == 0


def test_entry_is_reversed_once(post, casino, together):
    entry = post()
    acts = [
        partial(
            reverse_entry,
            property_id=casino.pk,
            entry_id=entry.id,
            key=f"reversal:{number}",
            actor="employee:12",
            approver="employee:4",
            at=AT,
            gaming_day=DAY,
            reason="misdeal",
        )
        for number in range(5)
    ]
    answers = together(*acts)

    assert len(of(PostedEntry, answers)) == 1
    assert [each.entry_id for each in of(AlreadyReversedError, answers)] == [entry.id] * 4
    assert Entry.objects.count() == 2


def test_account_closes_before_a_posting_or_not_at_all(post, casino, together):
    outcomes = set()
    for turn in range(10):
        code = f"4010/session:{turn}"
        open_account(property_id=casino.pk, code=code, at=AT)
        sides = legs(("1120/table:3", 500), (code, -500))
        closed, *posted = together(
            partial(close_account, property_id=casino.pk, code=code, at=AT),
            *[partial(post, key=f"{turn}:{number}", legs=sides) for number in range(3)],
        )
        if closed is True:
            assert [type(each) for each in posted] == [AccountClosedError] * 3
            assert code not in {code for code, held in balances(casino.pk, "4010").items() if held}
        else:
            assert isinstance(closed, AccountNotEmptyError)
            assert -closed.balance in {500, 1000, 1500}
            assert [type(each) for each in posted] == [PostedEntry] * 3
        outcomes.add(closed is True)
    assert outcomes


def test_what_was_taken_back_is_told_anew_once(post, casino, together):
    original = post()
    reverse_entry(**REVERSAL, property_id=casino.pk, entry_id=original.id, key="voided")
    anew = [
        # From different accounts: what makes them meet is the entry alone.
        partial(
            post,
            key=f"anew:{number}",
            restates=original.id,
            legs=legs((f"1120/table:{number}", 5), (f"4010/session:{number}", -5)),
        )
        for number in range(5)
    ]
    answers = together(*anew)
    assert len(of(PostedEntry, answers)) == 1
    assert [each.entry_id for each in of(AlreadyRestatedError, answers)] == [original.id] * 4


def test_correction_comes_before_the_reversal_or_not_at_all(post, casino, together):
    for turn in range(10):
        original = post(key=f"entry:{turn}")
        correction, reversal = together(
            partial(
                correct_entry,
                property_id=casino.pk,
                entry_id=original.id,
                **{name: USUAL[name] for name in ("legs", "source")},
                **REVERSAL | {"key": f"corrected:{turn}", "kind": "entry_correction"},
            ),
            partial(
                reverse_entry,
                **REVERSAL,
                property_id=casino.pk,
                entry_id=original.id,
                key=f"voided:{turn}",
            ),
        )
        assert isinstance(reversal, PostedEntry)
        assert isinstance(correction, PostedEntry | AlreadyReversedError)


REVERSAL = {
    "actor": "employee:12",
    "approver": "employee:4",
    "at": AT,
    "gaming_day": DAY,
    "reason": "misdeal",
}


# --- batches


def batch(casino, *entries):
    """Return an act that posts *entries* in a transaction in which a deadlock would rise."""

    def act():
        with transaction.atomic():
            return post_entries(property_id=casino.pk, entries=entries)

    return act


def test_batches_over_the_same_accounts_in_opposite_order_do_not_deadlock(casino, together):
    codes = [f"1120/table:{number}" for number in range(6)]
    for code in codes:
        open_account(property_id=casino.pk, code=code, at=AT)

    def one_way(name, order):
        return [
            batch(
                casino,
                *[
                    draft(key=f"{name}:{turn}:{one}", legs=legs((one, 3), (other, -3)))
                    for one, other in zip(order, [*order[1:], order[0]], strict=True)
                ],
            )
            for turn in range(6)
        ]

    def all_of(acts):
        return lambda: [act() for act in acts]

    answers = together(
        *[all_of(one_way(name, codes if name % 2 else codes[::-1])) for name in range(6)]
    )

    assert of(Exception, answers) == []
    assert Entry.objects.count() == 6 * 6 * 6
    assert set(balances(casino.pk, "1120").values()) == {0}


def test_batches_with_the_same_keys_in_any_order_make_each_entry_once(casino, post, together):
    keys = [f"key:{number}" for number in range(12)]
    shuffled = random.Random(20260314)

    def some():
        return batch(casino, *[draft(key=key) for key in shuffled.sample(keys, 8)])

    singles = [partial(post, key=key) for key in keys[:4]]
    answers = together(*[some() for _ in range(6)], *singles)

    assert of(Exception, answers) == []
    told = [each for several in answers[:6] for each in several] + answers[6:]
    assert Entry.objects.count() == len({each.id for each in told})
    assert sum(not each.replayed for each in told) == Entry.objects.count()
    assert balance(casino.pk, "1120/table:3") == 500 * Entry.objects.count()


def test_twin_of_a_batch_waits_for_it_and_takes_over_when_it_fails(casino, post, together, owner):
    inside = threading.Event()

    class GivenUpError(Exception):
        pass

    def give_up():
        with transaction.atomic():
            post_entries(property_id=casino.pk, entries=[draft(key="a"), draft(key="b")])
            inside.set()
            assert wait_for(lambda: owner.execute(WAITERS).fetchone()[0] == 1)
            raise GivenUpError

    def follow():
        assert inside.wait(timeout=60)
        return post_entries(property_id=casino.pk, entries=[draft(key="b"), draft(key="c")])

    first, second = together(give_up, follow)

    assert isinstance(first, GivenUpError)
    assert [each.replayed for each in second] == [False, False]
    assert Entry.objects.count() == 2


def test_batches_and_single_postings_share_a_hot_account(casino, post, together, owner):
    def many(name):
        return batch(casino, *[draft(key=f"{name}:{number}") for number in range(10)])

    def singles(name):
        return lambda: [post(key=f"{name}:{number}") for number in range(10)]

    answers = together(*[many(name) for name in range(4)], *[singles(name) for name in "abcd"])

    assert of(Exception, answers) == []
    assert balance(casino.pk, "1120/table:3") == 80 * 500
    assert owner.execute(BACKWARDS).fetchall() == []


def test_batches_give_out_the_last_chips_once(casino, post, together):
    post(key="opening", legs=legs(("1010/window:main", 100), ("3000", -100)))
    give = legs(("1010/window:main", -10), ("3000", 10))

    def three(name):
        return batch(casino, *[draft(key=f"{name}:{number}", legs=give) for number in range(3)])

    answers = together(*[three(name) for name in range(8)])

    assert len(of(list, answers)) == 3
    assert len(of(InsufficientFundsError, answers)) == 5
    assert balance(casino.pk, "1010/window:main") == 10


def test_batch_lands_whole_before_the_close_or_not_at_all(casino, together):
    outcomes = set()
    for turn in range(5):
        day = DAY + timedelta(days=turn)
        acts = [
            batch(
                casino,
                *[draft(key=f"{day}:{name}:{number}", gaming_day=day) for number in range(5)],
            )
            for name in range(3)
        ]
        closed, *posted = together(partial(close, casino, day), *acts)
        assert closed is True
        landed = of(list, posted)
        assert len(landed) + len(of(DayClosedError, posted)) == 3
        totals = Period.objects.get(gaming_day=day).totals
        assert sum(line["debits"] for line in totals) == 5 * 500 * len(landed)
        outcomes.add(len(landed))
    assert outcomes <= {0, 1, 2, 3}


def test_batch_over_two_days_and_the_close_of_one_do_not_wait_in_a_ring(
    casino, post, together, owner
):
    """A close holds its day when it waits for whoever begins another one."""
    post(gaming_day=NEXT_DAY)
    inside, leave = threading.Event(), threading.Event()

    def waiting(count):
        return wait_for(lambda: owner.execute(WAITERS).fetchone()[0] == count)

    def hold():
        with transaction.atomic():
            post(key="held", gaming_day=NEXT_DAY)
            inside.set()
            assert leave.wait(timeout=60)

    def end():
        assert inside.wait(timeout=60)
        with transaction.atomic():
            return close(casino, NEXT_DAY)

    def both():
        assert inside.wait(timeout=60)
        assert waiting(1)  # the close, for the poster
        days = [draft(key="today"), draft(key="tomorrow", gaming_day=NEXT_DAY)]
        return batch(casino, *days)()

    def let_go():
        assert inside.wait(timeout=60)
        assert waiting(2)
        leave.set()

    held, closed, posted, _ = together(hold, end, both, let_go)

    assert held is None
    # Either may be first; neither is broken off.
    assert (type(closed), type(posted)) in {
        (bool, DayClosedError),
        (EarlierDayOpenError, list),
    }


def test_batches_that_tell_the_same_anew_do_not_deadlock(casino, post, together):
    for turn in range(4):
        wrong = [post(key=f"{turn}:wrong:{number}") for number in range(3)]
        for entry in wrong:
            reverse_entry(
                **REVERSAL,
                property_id=casino.pk,
                entry_id=entry.id,
                key=f"{turn}:voided:{entry.id}",
            )
        acts = [
            batch(
                casino,
                *[
                    draft(
                        key=f"{turn}:{name}:{entry.id}",
                        restates=entry.id,
                        legs=legs((f"1120/table:{name}", 5), (f"4010/session:{name}", -5)),
                    )
                    for entry in (wrong if name % 2 else wrong[::-1])
                ],
            )
            for name in range(4)
        ]
        answers = together(*acts)
        assert len(of(list, answers)) == 1
        assert len(of(AlreadyRestatedError, answers)) == 3


# --- the clock


def test_recorded_times_never_run_against_the_order_on_an_account(casino, post, together, owner):
    """The clock is read while the balances are held, so the next one reads it later."""
    chance = random.Random(20260314)
    codes = [f"1120/table:{number}" for number in range(3)]

    def poster(name):
        mine = random.Random(chance.random())

        def act():
            for turn in range(12):
                one, other = mine.sample(codes, 2)
                sides = legs((one, 5), (other, -5))
                if mine.random() < 0.3:
                    entries = [draft(key=f"{name}:{turn}:{n}", legs=sides) for n in range(4)]
                    post_entries(property_id=casino.pk, entries=entries)
                else:
                    post(key=f"{name}:{turn}", legs=sides)

        return act

    answers = together(*[poster(name) for name in range(8)])

    assert of(Exception, answers) == []
    assert owner.execute(BACKWARDS).fetchall() == []


def test_time_of_an_entry_that_waited_is_when_it_could_move(casino, post, together, owner):
    post(key="first")
    inside = threading.Event()

    def hold():
        with transaction.atomic():
            post(key="held")
            inside.set()
            assert wait_for(lambda: owner.execute(WAITERS).fetchone()[0] == 1)
            with connection.cursor() as cursor:
                cursor.execute("SELECT clock_timestamp()")
                return cursor.fetchone()[0]

    def follow():
        assert inside.wait(timeout=60)
        return post(key="waited")

    still_held, waited = together(hold, follow)
    assert Entry.objects.get(pk=waited.id).recorded_at > still_held


def test_shards_of_one_account_take_postings_at_once(post, casino, together):
    contribution = legs(("4020/session:7/wager:tiger9", 30), ("2400/meter:1", -30))
    post(key="first", legs=contribution)
    answers = together(
        *[partial(post, key=f"key:{number}", legs=contribution) for number in range(6)]
    )
    assert len(of(PostedEntry, answers)) == 6
    assert balance(casino.pk, "2400/meter:1") == -210
