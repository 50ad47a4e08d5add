"""A day and its shifts close with what they came to, and nothing changes that afterwards.

Source: table-operations.md 12; ledger.md 1.5.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import date, time, timedelta
from functools import partial

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import errors

from casino.properties.days import day_bounds, gaming_day, wall_clock
from ledger.errors import (
    DayClosedError,
    DayOpenError,
    InvalidEntryError,
    NotArrivedError,
    ShiftClosedError,
    TrialBalanceError,
    UnknownPropertyError,
)
from ledger.models import Balance, Entry, Key, Period, Posting, Snapshot
from ledger.services.batches import post_entries
from ledger.services.days import close_day, close_shift
from tests.ledger.conftest import (
    AT,
    AUDITOR,
    DAY,
    NEXT_DAY,
    PIT_BOSS,
    books,
    close,
    draft,
    house,
    legs,
    poster,
)

pytestmark = pytest.mark.django_db

DAY_BEFORE = DAY - timedelta(days=1)
SHIFTS = ("day", "swing", "grave")
SENT = legs(("1130/document:F-0001", 500), ("1120/table:3", -500), event="fill_dispatched")
ARRIVED = legs(("1120/table:3", 500), ("1130/document:F-0001", -500), event="fill_received")


def end_shift(casino, shift="swing", **other):
    usual = {"property_id": casino.pk, "gaming_day": DAY, "actor": PIT_BOSS, "at": AT}
    return close_shift(shift=shift, **(usual | other))


def period(casino, day=DAY, shift=""):
    return Period.objects.get(property_id=casino.pk, gaming_day=day, shift=shift)


def report_hash(day, shift, totals):
    """Return the hash of a period's totals, as anybody can compute it from what is printed."""
    lines = [f"{day.isoformat()} {shift}"]
    for line in sorted(totals, key=lambda line: (line["number"], line["currency"])):
        columns = ("number", "currency", "opening", "debits", "credits", "closing")
        lines.append(" ".join(str(line[column]) for column in columns))
    return hashlib.sha256("\n".join(lines).encode()).digest()


def totals_of(casino, day, shift=""):
    """Return a period's trial balance, added up from every posting there is."""
    found = {}
    postings = Posting.objects.filter(property_id=casino.pk, gaming_day__lte=day)
    for posting in postings.select_related("account", "entry"):
        is_of_it = posting.gaming_day == day and shift in ("", posting.entry.shift)
        if shift and not is_of_it:
            continue
        line = found.setdefault((posting.account.number, posting.currency), Counter())
        line["opening"] += 0 if is_of_it else posting.amount
        line["debits"] += max(posting.amount, 0) if is_of_it else 0
        line["credits"] += max(-posting.amount, 0) if is_of_it else 0
        line["closing"] += posting.amount
    return [
        {"number": number, "currency": currency}
        | {name: line[name] for name in ("opening", "debits", "credits", "closing")}
        for (number, currency), line in sorted(found.items())
    ]


# --- shifts


def test_first_posting_of_a_shift_opens_it(post, casino):
    post(shift="swing")
    assert list(Period.objects.order_by("shift").values_list("shift", "status", "opened_by")) == [
        ("", "open", "employee:12"),
        ("swing", "open", "employee:12"),
    ]


def test_closed_shift_takes_nothing_while_the_others_go_on(post, casino):
    post(shift="day")
    assert end_shift(casino, "day", approver=AUDITOR)
    closed = period(casino, shift="day")
    assert (closed.status, closed.closed_by, closed.approved_by) == ("closed", PIT_BOSS, AUDITOR)
    before = books()

    with pytest.raises(ShiftClosedError) as refused, transaction.atomic():
        post(key="late", shift="day")

    assert refused.value.members == {"gaming_day": "2026-03-14", "shift": "day"}
    assert (refused.value.code, refused.value.status) == ("shift_closed", 409)
    assert books() == before
    assert not post(key="swing", shift="swing").replayed
    assert not post(key="none").replayed


def test_repeat_of_an_entry_is_answered_after_its_shift_closed(post, casino):
    first = post(shift="swing")
    end_shift(casino)
    assert post(shift="swing").id == first.id


def test_shift_of_one_day_is_not_that_of_the_next(post, casino):
    post(shift="swing")
    end_shift(casino)
    assert not post(key="next", gaming_day=NEXT_DAY, shift="swing").replayed


def test_closing_a_shift_twice_changes_nothing(post, casino):
    post(shift="swing")
    assert end_shift(casino)
    before = books()
    assert not end_shift(casino, actor=AUDITOR)
    assert books() == before


def test_shift_in_which_nothing_was_posted_closes_empty(casino):
    assert end_shift(casino)
    assert period(casino, shift="swing").totals == []
    assert period(casino).status == "open"


def test_shift_of_a_closed_day_does_not_close_again(post, casino):
    post()
    close(casino)
    before = books()
    for day in (DAY, DAY_BEFORE):
        with pytest.raises(DayClosedError), transaction.atomic():
            end_shift(casino, gaming_day=day)
    assert books() == before


@pytest.mark.parametrize("field", ["shift", "actor"])
def test_shift_has_a_name_and_somebody_closes_it(casino, field):
    with pytest.raises(InvalidEntryError) as refused:
        end_shift(casino, **{field: ""})
    assert refused.value.field == field
    assert Period.objects.count() == 0


def test_close_of_the_day_closes_its_shifts(post, casino):
    for shift in SHIFTS:
        post(key=shift, shift=shift)
    end_shift(casino, "day")
    assert close(casino)
    assert list(Period.objects.order_by("shift").values_list("shift", "approved_by", "status")) == [
        ("", AUDITOR, "closed"),
        ("day", "", "closed"),
        ("grave", AUDITOR, "closed"),
        ("swing", AUDITOR, "closed"),
    ]


@given(
    moves=st.lists(
        st.tuples(st.sampled_from(SHIFTS), st.integers(1, 3), st.integers(-50, 50).filter(bool)),
        max_size=8,
    )
)
@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_shifts_add_up_to_their_day(moves):
    with transaction.atomic():
        casino = house("shifts")
        post_entries(
            property_id=casino.pk,
            entries=[
                draft(
                    key=f"key:{number}",
                    shift=shift,
                    legs=legs((f"1120/table:{table}", amount), ("4010/session:7", -amount)),
                )
                for number, (shift, table, amount) in enumerate(moves)
            ],
        )
        close(casino)

        moved = Counter()
        for shift in {shift for shift, _, _ in moves}:
            totals = period(casino, shift=shift).totals
            assert totals == totals_of(casino, DAY, shift)
            for line in totals:
                moved[line["number"], "debits"] += line["debits"]
                moved[line["number"], "credits"] += line["credits"]
        assert +moved == +Counter(
            {
                (line["number"], side): line[side]
                for line in period(casino).totals
                for side in ("debits", "credits")
            }
        )
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("day", "hours", "grave"),
    [(date(2026, 3, 7), 23, 7), (date(2026, 10, 31), 25, 9), (date(2026, 3, 14), 24, 8)],
)
def test_day_of_any_length_closes_with_all_of_its_hours(casino, day, hours, grave):
    zone, start = casino.time_zone, time(6)
    begins, ends = day_bounds(day, time_zone=zone, day_start=start)
    hour = timedelta(hours=1)

    def shift_at(at):
        clock = wall_clock(at, time_zone=zone).hour
        return "day" if 6 <= clock < 14 else "swing" if 14 <= clock < 22 else "grave"

    moments = [begins + hour * number for number in range(-3, hours + 3)]
    post_entries(
        property_id=casino.pk,
        entries=[
            draft(
                key=f"hour:{at.isoformat()}",
                at=at,
                gaming_day=gaming_day(at, time_zone=zone, day_start=start),
                shift=shift_at(at),
            )
            for at in moments
        ],
    )
    assert ends - begins == hours * hour
    assert Entry.objects.filter(gaming_day=day).count() == hours

    for each in (-1, 0):
        close(casino, day + timedelta(days=each), at=ends)

    (tray, win) = period(casino, day).totals
    assert (tray["opening"], tray["debits"], tray["closing"]) == (
        3 * 500,
        hours * 500,
        (3 + hours) * 500,
    )
    assert win["credits"] == hours * 500
    moved = {shift: period(casino, day, shift).totals[0]["debits"] for shift in SHIFTS}
    assert moved == {"day": 8 * 500, "swing": 8 * 500, "grave": grave * 500}


# --- the close of a day


@pytest.mark.parametrize(
    ("people", "field"),
    [
        ({"actor": ""}, "actor"),
        ({"approver": ""}, "approver"),
        ({"approver": PIT_BOSS}, "approver"),
    ],
)
def test_day_is_closed_by_two_different_people(post, casino, people, field):
    post()
    before = books()
    with pytest.raises(InvalidEntryError) as refused:
        close(casino, **people)
    assert refused.value.field == field
    assert books() == before


def test_close_keeps_who_when_and_what_it_came_to(post, casino):
    post(legs=legs(("1010/window:main", 900), ("3000", -900)), gaming_day=DAY_BEFORE, key="before")
    close(casino, DAY_BEFORE)
    last = post()
    close(casino, at=AT + timedelta(hours=9))

    closed = period(casino)
    assert (closed.closed_by, closed.approved_by, closed.last_entry_id, closed.closed_at) == (
        PIT_BOSS,
        AUDITOR,
        last.id,
        AT + timedelta(hours=9),
    )
    assert closed.recorded_at >= Entry.objects.get(pk=last.id).recorded_at
    columns = ("number", "currency", "opening", "debits", "credits", "closing")
    assert [tuple(line[column] for column in columns) for line in closed.totals] == [
        ("1010", "USD", 900, 0, 0, 900),
        ("1120", "USD", 0, 500, 0, 500),
        ("3000", "USD", -900, 0, 0, -900),
        ("4010", "USD", 0, 0, 500, -500),
    ]
    printed = (
        b"2026-03-14 \n"
        b"1010 USD 900 0 0 900\n"
        b"1120 USD 0 500 0 500\n"
        b"3000 USD -900 0 0 -900\n"
        b"4010 USD 0 0 500 -500"
    )
    assert bytes(closed.report_hash) == hashlib.sha256(printed).digest()


def test_day_without_books_has_a_hash_too(casino):
    close(casino)
    assert period(casino).totals == []
    assert bytes(period(casino).report_hash) == hashlib.sha256(b"2026-03-14 ").digest()


def test_close_is_announced_once(post, casino):
    post()
    close(casino)
    close(casino)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT property_id, subject_type, subject_id, version, payload, occurred_at,"
            " gaming_day FROM events_outbox WHERE topic = 'gaming_day.closed'"
        )
        (row,) = cursor.fetchall()
    assert row[:4] == (casino.pk, "gaming_day", "2026-03-14", 1)
    assert row[5:] == (AT, DAY)
    for fact in (PIT_BOSS, AUDITOR, bytes(period(casino).report_hash).hex()):
        assert f'"{fact}"' in str(row[4])


def test_second_close_by_others_changes_nothing(post, casino):
    post()
    close(casino)
    before = books()
    assert not close(casino, actor="employee:8", approver="employee:9", at=AT + timedelta(hours=1))
    assert books() == before


def test_day_before_a_closed_one_is_shut_with_it(casino):
    close(casino, NEXT_DAY)
    before = books()
    with pytest.raises(DayClosedError), transaction.atomic():
        close(casino)
    assert books() == before


MOVES = st.lists(
    st.tuples(
        st.sampled_from([DAY, NEXT_DAY]),
        st.sampled_from(["1120/table:1", "1120/table:2", "2400/meter:1", "1010/window:main"]),
        st.integers(1, 50),
        st.booleans(),
    ),
    max_size=10,
)


@given(moves=MOVES, later=MOVES)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_close_keeps_what_adding_up_every_posting_finds(moves, later):
    with transaction.atomic():
        casino = house("closing")
        post = poster(casino)
        numbers = iter(range(100))

        def play(part, days):
            for day, account, amount, comes_in in part:
                sides = (
                    (account, "3000") if comes_in or account[:4] == "1010" else ("3000", account)
                )
                post(
                    key=f"key:{next(numbers)}",
                    gaming_day=max(day, days),
                    legs=legs((sides[0], amount), (sides[1], -amount)),
                )

        play(moves, DAY)
        held = {
            (balance.account_id, balance.shard): (balance.debit, balance.credit, balance.version)
            for balance in Balance.objects.filter(property_id=casino.pk)
        }
        close(casino)
        check_close(casino, DAY, held)
        before = (period(casino).totals, snapshots(casino, DAY))

        play(later, NEXT_DAY)
        held = {
            (balance.account_id, balance.shard): (balance.debit, balance.credit, balance.version)
            for balance in Balance.objects.filter(property_id=casino.pk)
        }
        close(casino, NEXT_DAY)
        check_close(casino, NEXT_DAY, held)
        assert (period(casino).totals, snapshots(casino, DAY)) == before
        transaction.set_rollback(True)


def snapshots(casino, day):
    return sorted(
        Snapshot.objects.filter(property_id=casino.pk, gaming_day=day).values_list(
            "account_id", "shard", "debit", "credit", "held_debit", "held_credit", "upto_version"
        )
    )


def check_close(casino, day, held):
    closed = period(casino, day)
    assert closed.totals == totals_of(casino, day)
    assert bytes(closed.report_hash) == report_hash(day, "", closed.totals)
    reached, moved = {}, set()
    for posting in Posting.objects.filter(property_id=casino.pk, gaming_day__lte=day):
        sides = reached.setdefault((posting.account_id, posting.shard), [0, 0])
        sides[posting.amount < 0] += abs(posting.amount)
        if posting.gaming_day == day:
            moved.add((posting.account_id, posting.shard))
    assert snapshots(casino, day) == sorted((*row, *reached[row], *held[row]) for row in moved)


def test_day_does_not_close_on_chips_that_were_sent_and_did_not_arrive(post, casino):
    post(legs=SENT)
    before = books()

    with pytest.raises(NotArrivedError) as refused, transaction.atomic():
        close(casino)

    assert refused.value.accounts == ("1130/document:F-0001",)
    assert refused.value.members == {"accounts": ["1130/document:F-0001"]}
    assert (refused.value.code, refused.value.status) == ("chips_in_transit", 409)
    assert books() == before

    post(key="arrived", legs=ARRIVED)
    assert close(casino)


def test_day_closes_on_chips_that_arrived_the_day_after(post, casino):
    post(legs=SENT)
    post(key="arrived", legs=ARRIVED, gaming_day=NEXT_DAY)
    assert close(casino)
    assert period(casino).totals[1]["closing"] == 500
    assert close(casino, NEXT_DAY)


def test_chips_sent_the_day_after_do_not_hold_this_one_open(post, casino):
    post()
    post(key="sent", legs=SENT, gaming_day=NEXT_DAY)
    assert close(casino)
    with pytest.raises(NotArrivedError), transaction.atomic():
        close(casino, NEXT_DAY)


def test_document_that_was_completed_and_moves_again_the_day_after_does_not_hold_this_one(
    post, casino
):
    post(legs=SENT)
    post(key="arrived", legs=ARRIVED)
    post(key="again", legs=SENT, gaming_day=NEXT_DAY)
    assert close(casino)


def test_chips_of_another_property_in_transit_do_not_matter(post, casino):
    poster(house("macau"))(legs=SENT)
    post()
    assert close(casino)


def test_trial_balance_that_is_off_refuses_the_close(owner, transactional_db, post, casino):
    post()
    guard = "TRIGGER ledger_posting_frozen"
    with owner.transaction():
        owner.execute(f"ALTER TABLE ledger_posting DISABLE {guard}")
        owner.execute("UPDATE ledger_posting SET amount = 501 WHERE amount = 500")
    try:
        before = books()
        with pytest.raises(TrialBalanceError) as refused, transaction.atomic():
            close(casino)
        assert (refused.value.off, refused.value.currency) == (1, "USD")
        assert books() == before
    finally:
        owner.execute(f"ALTER TABLE ledger_posting ENABLE ALWAYS {guard}")


# --- what comes late


def test_late_entry_is_posted_to_the_open_day_and_names_its_own(post, casino):
    post()
    close(casino)
    before = (period(casino).totals, snapshots(casino, DAY))

    late = post(key="late", gaming_day=NEXT_DAY, late_day=DAY)

    entry = Entry.objects.get(pk=late.id)
    assert (entry.gaming_day, entry.late_day) == (NEXT_DAY, DAY)
    assert (period(casino).totals, snapshots(casino, DAY)) == before
    close(casino, NEXT_DAY)
    assert (period(casino).totals, snapshots(casino, DAY)) == before
    (tray, _) = period(casino, NEXT_DAY).totals
    assert (tray["opening"], tray["debits"], tray["closing"]) == (500, 500, 1000)


def test_nothing_is_late_for_a_day_that_is_open(post, casino):
    post()
    before = books()
    with pytest.raises(DayOpenError) as refused, transaction.atomic():
        post(key="late", gaming_day=NEXT_DAY, late_day=DAY)
    assert (refused.value.gaming_day, refused.value.pointer) == (DAY, "/late_day")
    assert (refused.value.code, refused.value.status) == ("gaming_day_open", 409)
    assert books() == before


def test_day_without_books_before_a_closed_one_is_late_too(post, casino):
    close(casino)
    assert not post(gaming_day=NEXT_DAY, late_day=DAY_BEFORE).replayed


@pytest.mark.parametrize("late_day", [NEXT_DAY, NEXT_DAY + timedelta(days=1)])
def test_late_day_lies_before_the_day_that_is_posted_to(post, casino, late_day):
    close(casino)
    with pytest.raises(InvalidEntryError) as refused:
        post(gaming_day=NEXT_DAY, late_day=late_day)
    assert refused.value.field == "late_day"


def test_late_entry_does_not_come_into_a_closed_day(post, casino):
    for day in (DAY, NEXT_DAY):
        close(casino, day)
    with pytest.raises(DayClosedError) as refused, transaction.atomic():
        post(gaming_day=NEXT_DAY, late_day=DAY)
    assert refused.value.gaming_day == NEXT_DAY
    assert Key.objects.count() == 0


def test_property_that_does_not_exist_closes_nothing(db):
    for act in (close_day, partial(close_shift, shift="swing")):
        with pytest.raises(UnknownPropertyError), transaction.atomic():
            act(property_id=404, gaming_day=DAY, actor=PIT_BOSS, approver=AUDITOR, at=AT)


def test_shift_with_a_line_break_is_refused_by_services_and_tables(casino, post, owner):
    name = "swing\nday"
    with pytest.raises(InvalidEntryError, match="shift"):
        post(shift=name)
    with pytest.raises(InvalidEntryError, match="shift"):
        close_shift(property_id=casino.pk, gaming_day=DAY, shift=name, actor=PIT_BOSS, at=AT)
    with pytest.raises(errors.CheckViolation, match="ledger_period_shift"):
        owner.execute(
            "INSERT INTO ledger_period (property_id, gaming_day, shift, opened_at, opened_by)"
            " VALUES (1, '2026-03-14', %s, now(), 'x')",
            [name],
        )
