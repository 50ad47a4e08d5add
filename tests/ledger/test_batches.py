"""Entries that come together are posted as if one came after the other, all of them or none."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.errors import (
    AccountClosedError,
    AlreadyRestatedError,
    CeilingExceededError,
    DayClosedError,
    DayOpenError,
    InsufficientFundsError,
    InvalidEntryError,
    KeyReusedError,
    LedgerError,
    NotReversedError,
    ShiftClosedError,
    UnbalancedError,
    UnknownAccountError,
    UnknownEntryError,
    UnknownPropertyError,
)
from ledger.models import Account, Denomination, Entry, Posting
from ledger.selectors import balance, balances
from ledger.services.accounts import close_account, open_account
from ledger.services.batches import post_entries
from ledger.services.days import close_shift
from ledger.services.posting import Leg, LegBalance, post_draft, post_entry
from ledger.services.reversal import reverse_entry
from tests.ledger.conftest import AT, DAY, NEXT_DAY, PIT_BOSS, WIN, books, close, draft, house, legs

pytestmark = pytest.mark.django_db

CASH_IN = legs(("1010/window:main", 100), ("3000", -100))
CASH_OUT = legs(("3000", 100), ("1010/window:main", -100))

SHAPES = {
    "accounts": """
        SELECT code, name, currency, side, type, instrument, shards, parent, opened_at, closed_at
        FROM ledger_account WHERE property_id = %s""",
    "balances": """
        SELECT code, shard, is_open, floor, ceiling, debit, credit, version
        FROM ledger_balance AS b JOIN ledger_account AS a ON a.id = b.account_id
        WHERE a.property_id = %s""",
    "entries": """
        SELECT k.key, e.gaming_day, effective_at, legs, kind, source, actor, approver, table_ref,
               session_ref, shift, memo, late_day, rate_sold, rate_bought,
               (SELECT key FROM ledger_key WHERE entry_id = e.reverses_id),
               (SELECT key FROM ledger_key WHERE entry_id = e.restates_id),
               (SELECT key FROM ledger_key WHERE entry_id = e.corrects_id),
               rank() OVER (ORDER BY e.id),
               txid = pg_current_xact_id(), recorded_at <= clock_timestamp()
        FROM ledger_entry AS e JOIN ledger_key AS k ON k.entry_id = e.id
        WHERE e.property_id = %s""",
    "postings": """
        SELECT k.key, line, code, shard, p.currency, amount, event, balance_after,
               account_version, gaming_day, denomination, pieces
        FROM ledger_posting AS p JOIN ledger_account AS a ON a.id = p.account_id
        JOIN ledger_key AS k ON k.entry_id = p.entry_id
        LEFT JOIN ledger_denom AS d ON d.posting_id = p.id AND d.property_id = p.property_id
        WHERE p.property_id = %s""",
    "periods": """
        SELECT gaming_day, shift, status, opened_at, opened_by, closed_at
        FROM ledger_period WHERE property_id = %s""",
}
"""Every table of the books without what differs from one posting of the same to the next."""


def shape(casino):
    """Return the books of *casino* without ids and moments."""
    found = {}
    with connection.cursor() as cursor:
        for name, query in SHAPES.items():
            cursor.execute(query, [casino.pk])
            found[name] = sorted(map(repr, cursor.fetchall()))
    return found


def counted(amount, *pieces):
    """Return legs by which chips that were counted come into a tray."""
    return [
        Leg(account="1120/table:3", amount=amount, event="fill_received", pieces=pieces),
        Leg(account="1130/document:F-1", amount=-amount, event="fill_received", pieces=pieces),
    ]


@pytest.fixture
def post_all(casino):
    """Return a function that posts a batch to the books of *casino*."""

    def post(*entries):
        with transaction.atomic():
            return post_entries(property_id=casino.pk, entries=entries)

    return post


# --- as if one came after the other

ACCOUNTS = ("1010/window:main", "1120/table:1", "1120/table:2", "2200/patron:4", "2400/meter:1")
SIDES = st.lists(
    st.tuples(st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS), st.integers(1, 30)),
    min_size=1,
    max_size=3,
).map(
    lambda moves: [
        side
        for debit, credit, amount in moves
        for side in ((debit, amount, ()), (credit, -amount, ()))
    ]
)
PIECES = st.dictionaries(st.sampled_from([1, 5, 25]), st.integers(1, 4), min_size=1).map(
    lambda pieces: [
        ("1120/table:1", sum(v * n for v, n in pieces.items()), tuple(pieces.items())),
        ("1120/table:2", -sum(v * n for v, n in pieces.items()), tuple(reversed(pieces.items()))),
    ]
)
DRAFTS = st.builds(
    lambda number, sides, day, shift, memo, at: draft(
        key=f"key:{number}",
        source=f"round:{number}",
        at=AT + timedelta(minutes=at),
        gaming_day=day,
        shift=shift,
        memo=memo,
        legs=[
            Leg(account=account, amount=amount, event="main_wager_lost", pieces=pieces)
            for account, amount, pieces in sides
        ],
    ),
    st.integers(0, 6),
    SIDES | PIECES,
    st.sampled_from([DAY, DAY, DAY, NEXT_DAY]),
    st.sampled_from(["", "swing", "grave"]),
    st.sampled_from(["", "", "", "other"]),
    st.integers(0, 2),
)


@given(
    earlier=st.lists(DRAFTS, max_size=4),
    batch=st.lists(DRAFTS, min_size=1, max_size=7),
    repeats=st.lists(st.integers(0, 100), max_size=3),
    is_closed=st.sampled_from(["", "", "day", "shift", "account"]),
)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_batch_makes_the_books_that_its_entries_make_one_by_one(earlier, batch, repeats, is_closed):
    for again in repeats:  # so that most batches have entries that stand already, or twice
        batch.insert(again % (len(batch) + 1), (earlier + batch)[again % len(earlier + batch)])
    with transaction.atomic():
        one, other = house("one"), house("other")
        for casino in (one, other):
            open_all(casino)
            for each in earlier:
                attempt(partial(post_draft, property_id=casino.pk, draft=each))
            shut(casino, is_closed)
        assert shape(one) == shape(other)
        before = shape(other)

        singly = attempt(lambda: [post_draft(property_id=one.pk, draft=each) for each in batch])
        at_once = attempt(lambda: post_entries(property_id=other.pk, entries=batch))

        if isinstance(singly, LedgerError):
            assert isinstance(at_once, LedgerError)
            assert shape(one) == before
        else:
            assert [(each.replayed, each.balances) for each in at_once] == [
                (each.replayed, each.balances) for each in singly
            ]
        assert shape(one) == shape(other)
        transaction.set_rollback(True)


def open_all(casino):
    for code in ACCOUNTS:
        open_account(property_id=casino.pk, code=code, at=AT)
    # From here on, some that is taken out is there.
    post_entry(
        property_id=casino.pk,
        **{each: getattr(OPENING, each) for each in ("key", "kind", "legs", "source", "actor")},
        at=AT,
        gaming_day=DAY,
    )


OPENING = draft(key="opening", legs=legs(("1010/window:main", 40), ("2200/patron:4", -40)))


def shut(casino, what):
    if what == "day":
        close(casino)
    elif what == "shift":
        close_shift(property_id=casino.pk, gaming_day=DAY, shift="swing", actor="x", at=AT)
    elif what == "account" and balance(casino.pk, "1120/table:2") == 0:
        close_account(property_id=casino.pk, code="1120/table:2", at=AT)


def attempt(act):
    try:
        with transaction.atomic():
            return act()
    except LedgerError as refused:
        return refused


# --- answers


def test_batch_is_one_statement_whatever_its_size(casino, post_all, django_assert_num_queries):
    post_all(draft(key="first"))
    with transaction.atomic(), django_assert_num_queries(1):
        post_entries(
            property_id=casino.pk, entries=[draft(key=f"key:{number}") for number in range(50)]
        )


def test_batch_answers_each_entry_in_its_order(post_all):
    standing = post_all(draft(key="b"))[0]

    answers = post_all(draft(key="c"), draft(key="b"), draft(key="a"))

    assert [each.replayed for each in answers] == [False, True, False]
    assert answers[1].id == standing.id
    assert answers[0].id < answers[2].id
    assert [each.balances[0] for each in answers] == [
        LegBalance(account="1120/table:3", balance_after=held) for held in (1000, 500, 1500)
    ]


def test_batch_opens_the_accounts_it_needs(casino, post_all):
    post_all(
        draft(key="a", at=AT + timedelta(hours=1)),
        draft(key="b", legs=legs(("1100", 5), ("3000", -5))),
    )
    assert set(Account.objects.values_list("code", "opened_at")) == {
        (code, AT) for code in ("1120/table:3", "4010/session:7", "1100", "3000")
    }


def test_batch_of_nothing_posts_nothing(post_all, django_assert_num_queries):
    assert post_all() == []


def test_entry_that_stands_twice_in_a_batch_is_posted_once(post_all):
    first, second = post_all(draft(), draft(legs=WIN[::-1], at=AT + timedelta(hours=1)))
    assert (first.replayed, second.replayed) == (False, True)
    assert (first.id, first.balances) == (second.id, second.balances)
    assert Entry.objects.count() == 1


def test_same_batch_again_changes_nothing(post_all):
    whole = [draft(key=f"key:{number}", legs=counted(500, (100, 5))) for number in range(4)]
    first = post_all(*whole)
    before = books()
    again = post_all(*whole[::-1])
    assert [replace(each, replayed=False) for each in again] == first[::-1]
    assert all(each.replayed for each in again)
    assert books() == before


def test_counted_chips_stand_beside_the_leg_of_their_own_entry(post_all):
    post_all(draft(key="standing", legs=counted(300, (100, 3))))
    post_all(
        draft(key="a", legs=counted(500, (100, 5))),
        draft(key="standing", legs=counted(300, (100, 3))),
        draft(key="b", legs=counted(700, (100, 2), (500, 1))),
        draft(key="c"),
    )
    rows = Denomination.objects.filter(posting__line=2).order_by("posting_id", "denomination")
    assert list(rows.values_list("posting__amount", "denomination", "pieces")) == [
        (-300, 100, 3),
        (-500, 100, 5),
        (-700, 100, 2),
        (-700, 500, 1),
    ]


def test_batch_spreads_over_the_rows_of_a_sharded_account(casino, post_all):
    grow = legs(("4020/session:7/wager:tiger9", 30), ("2400/meter:1", -30))
    answers = post_all(*[draft(key=f"key:{number}", legs=grow) for number in range(5)])
    assert {each.balances[1].balance_after for each in answers} == {None}
    assert balance(casino.pk, "2400/meter:1") == -150


def test_versions_run_through_a_batch_without_a_gap(post_all):
    post_all(*[draft(key=f"key:{number}", legs=[*WIN, *WIN]) for number in range(3)])
    tray = Posting.objects.filter(account__code="1120/table:3").order_by("entry_id", "line")
    assert list(tray.values_list("account_version", "balance_after")) == [
        (version, 500 * version) for version in range(1, 7)
    ]


def test_batch_restates_and_corrects_and_comes_late(casino, post_all):
    wrong, short = post_all(draft(key="wrong"), draft(key="short"))
    reverse_entry(
        property_id=casino.pk,
        entry_id=wrong.id,
        key="voided",
        actor="employee:12",
        approver=PIT_BOSS,
        at=AT,
        gaming_day=DAY,
        reason="misdeal",
    )
    close(casino)

    anew, more = post_all(
        draft(key="anew", restates=wrong.id, gaming_day=NEXT_DAY, late_day=DAY),
        draft(
            key="more",
            corrects=short.id,
            gaming_day=NEXT_DAY,
            approver=PIT_BOSS,
            memo="misread",
        ),
    )

    kept = Entry.objects.filter(pk__in=[anew.id, more.id]).order_by("pk")
    assert list(kept.values_list("restates_id", "corrects_id", "late_day")) == [
        (wrong.id, None, DAY),
        (None, short.id, None),
    ]


# --- refusals


@pytest.mark.parametrize(
    ("refusal", "entries"),
    [
        (UnbalancedError, [draft(key="a"), draft(key="b", legs=legs(("1100", 5), ("3000", -4)))]),
        (InvalidEntryError, [draft(key="a"), draft(key="")]),
        (KeyReusedError, [draft(key="a"), draft(key="a", memo="other")]),
        (KeyReusedError, [draft(key="a"), draft(key="standing", memo="other")]),
        (UnknownAccountError, [draft(key="a"), draft(key="b", legs=legs(("9", 1), ("3000", -1)))]),
        (InsufficientFundsError, [draft(key="a"), draft(key="b", legs=CASH_OUT)]),
        (
            CeilingExceededError,
            [draft(key="a"), draft(key="b", legs=legs(("1100", 9), ("3000", -9)))],
        ),
        (
            AccountClosedError,
            [draft(key="a"), draft(key="b", legs=legs(("1110", 9), ("3000", -9)))],
        ),
        (DayClosedError, [draft(key="a"), draft(key="b", gaming_day=DAY - timedelta(days=1))]),
        (ShiftClosedError, [draft(key="a"), draft(key="b", shift="swing")]),
        (DayOpenError, [draft(key="a"), draft(key="b", gaming_day=NEXT_DAY, late_day=DAY)]),
        (NotReversedError, [draft(key="a"), draft(key="b", restates=-1)]),
        (UnknownEntryError, [draft(key="a"), draft(key="b", restates=10**15)]),
        (
            AlreadyRestatedError,
            [draft(key="a", restates=-2), draft(key="b", restates=-2)],
        ),
    ],
)
def test_one_refusal_refuses_the_whole_batch(casino, post_all, refusal, entries):
    close(casino, DAY - timedelta(days=1))
    standing, voided = post_all(draft(key="standing"), draft(key="voided"))
    reverse_entry(
        property_id=casino.pk,
        entry_id=voided.id,
        key="void",
        actor="employee:12",
        approver=PIT_BOSS,
        at=AT,
        gaming_day=DAY,
        reason="misdeal",
    )
    open_account(property_id=casino.pk, code="1010/window:main", at=AT)
    open_account(property_id=casino.pk, code="3000", at=AT)
    open_account(property_id=casino.pk, code="1100", at=AT, ceiling=5)
    open_account(property_id=casino.pk, code="1110", at=AT)
    close_account(property_id=casino.pk, code="1110", at=AT)
    close_shift(property_id=casino.pk, gaming_day=DAY, shift="swing", actor="x", at=AT)
    standing_for = {-1: standing.id, -2: voided.id}
    entries = [
        replace(each, restates=standing_for.get(each.restates, each.restates)) for each in entries
    ]
    before = books()

    with pytest.raises(refusal):
        post_all(*entries)

    assert books() == before


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("legs", {"legs": legs(("1120/table:3", 501), ("4010/session:7", -501))}),
        ("pieces", {"legs": counted(500, (50, 10))}),
        ("memo", {"memo": "other"}),
        ("rate", {"rate": (1, 1)}),
    ],
)
def test_difference_within_a_batch_has_the_name_it_has_across_batches(post_all, field, other):
    first = draft(legs=counted(500, (100, 5))) if field == "pieces" else draft()
    second = replace(first, **other)
    if field == "rate":
        first = exchange()
        second = replace(first, rate=(2, 2))
    with pytest.raises(KeyReusedError) as refused:
        post_all(first, second)
    assert refused.value.field == field
    post_all(first)
    with pytest.raises(KeyReusedError) as refused:
        post_all(second)
    assert refused.value.field == field


def exchange():
    return draft(
        rate=(100, 103),
        legs=legs(
            ("1010/window:main/currency:HKD", 100),
            ("3100/pair:HKD-USD/currency:HKD", -100),
            ("3100/pair:HKD-USD", 103),
            ("3000", -103),
        ),
    )


def test_floor_that_a_later_entry_would_mend_is_refused_all_the_same(casino, post_all):
    post_all(draft(key="opening", legs=CASH_IN))
    before = books()
    with pytest.raises(InsufficientFundsError) as refused:
        post_all(
            draft(key="a", legs=CASH_OUT),
            draft(key="b", legs=CASH_OUT),
            draft(key="c", legs=CASH_IN),
        )
    assert refused.value.account == "1010/window:main"
    assert books() == before

    post_all(
        draft(key="a", legs=CASH_OUT), draft(key="c", legs=CASH_IN), draft(key="b", legs=CASH_OUT)
    )
    assert balance(casino.pk, "1010/window:main") == 0


def test_floor_holds_for_an_entry_of_a_batch_as_a_whole(casino, post_all):
    whole = [*CASH_OUT, *CASH_IN, *CASH_IN]
    post_all(draft(key="a", legs=whole), draft(key="b", legs=whole))
    assert balance(casino.pk, "1010/window:main") == 200


def test_ceiling_that_a_later_entry_would_mend_is_refused_all_the_same(casino, post_all):
    open_account(property_id=casino.pk, code="1100", at=AT, ceiling=10)
    up, down = legs(("1100", 8), ("3000", -8)), legs(("3000", 8), ("1100", -8))
    with pytest.raises(CeilingExceededError) as refused:
        post_all(draft(key="a", legs=up), draft(key="b", legs=up), draft(key="c", legs=down))
    assert refused.value.account == "1100"
    post_all(draft(key="a", legs=up), draft(key="c", legs=down), draft(key="b", legs=up))
    assert balances(casino.pk, "1100") == {"1100": 8}


def test_batch_for_a_property_that_does_not_exist_is_refused(db):
    with pytest.raises(UnknownPropertyError), transaction.atomic():
        post_entries(property_id=404, entries=[draft()])
