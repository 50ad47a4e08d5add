"""Posters that meet: one entry for a key, nothing in a closed day, no balance lost or overdrawn."""

from __future__ import annotations

import random
import threading
from functools import partial

import pytest
from django.db import transaction
from psycopg import errors

from ledger.doctor import BOOKS, answers
from ledger.errors import (
    AccountClosedError,
    AccountNotEmptyError,
    AlreadyReversedError,
    DayClosedError,
    InsufficientFundsError,
    KeyReusedError,
)
from ledger.models import Account, Entry, Period
from ledger.selectors import balance
from ledger.services.accounts import close_account, open_account
from ledger.services.posting import PostedEntry
from ledger.services.reversal import reverse_entry
from tests.ledger.conftest import AT, DAY, close, legs

pytestmark = pytest.mark.django_db(transaction=True)

CLOSE = "SELECT ledger_close_day(%s, %s, 'x', 'y', now(), '{}')"


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


def test_day_closes_once_whoever_asks(casino, together):
    assert sorted(together(*[partial(close, casino)] * 4)) == [False, False, False, True]


def test_account_is_opened_once_whoever_posts_first(post, together):
    answers = together(*[partial(post, key=f"key:{number}") for number in range(6)])
    assert len(of(PostedEntry, answers)) == 6
    assert Account.objects.count() == 2


def test_legs_in_any_order_do_not_deadlock(post, casino, together):
    accounts = [f"1120/table:{number}" for number in range(6)]
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

    answers = together(*[poster(name, [order() for _ in range(15)]) for name in range(6)])

    assert of(Exception, answers) == []
    assert Entry.objects.count() == 90
    assert sum(balance(casino.pk, code) for code in accounts) == 0


def test_last_chips_are_given_out_once(post, casino, together):
    post(key="opening", legs=legs(("1010/window:main", 100), ("3000", -100)))
    give = legs(("1010/window:main", -30), ("3000", 30))

    answers = together(*[partial(post, key=f"key:{number}", legs=give) for number in range(8)])

    assert len(of(PostedEntry, answers)) == 3
    assert [each.account for each in of(InsufficientFundsError, answers)] == [
        "1010/window:main"
    ] * 5
    assert balance(casino.pk, "1010/window:main") == 10


def test_entry_is_reversed_once(post, together):
    entry = post()
    acts = [
        partial(
            reverse_entry,
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
    open_account(property_id=casino.pk, code="4010/session:7", at=AT)
    close = partial(close_account, property_id=casino.pk, code="4010/session:7", at=AT)

    closed, posted = together(close, post)

    if closed is True:
        assert isinstance(posted, AccountClosedError)
        assert Entry.objects.count() == 0
    else:
        assert isinstance(closed, AccountNotEmptyError)
        assert not posted.replayed


def test_shards_of_one_account_take_postings_at_once(post, casino, together):
    contribution = legs(("4020/session:7/wager:tiger9", 30), ("2400/meter:1", -30))
    post(key="first", legs=contribution)
    answers = together(
        *[partial(post, key=f"key:{number}", legs=contribution) for number in range(6)]
    )
    assert len(of(PostedEntry, answers)) == 6
    assert balance(casino.pk, "2400/meter:1") == -210
