"""The feed has no gap and no order that a reader could be misled by, whoever writes beside whom."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime

import pytest
from django.db import connection as django_connection
from django.db import transaction
from django.db.models import F

from casino.events.models import OutboxEvent
from casino.events.services import emit, number_events
from casino.events.tasks import relay

AT = datetime(2026, 3, 14, 21, 22, 5, tzinfo=UTC)

pytestmark = pytest.mark.django_db(transaction=True)

INSERT = """
INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key, payload,
                           occurred_at, gaming_day)
VALUES (%(property)s, 'fill.approved', 'fill', %(subject)s, %(version)s, %(key)s, '{}', now(),
        '2026-03-14')
"""


def write(connection, key, *, subject=None, version=1, property_id=1):
    connection.execute(
        INSERT,
        {"property": property_id, "subject": subject or key, "version": version, "key": key},
    )


def reached(*keys):
    """Return once every transaction that may precede these events has ended.

    A cluster has one horizon: what runs in its other databases holds it up as well.
    """
    above = (
        "SELECT EXISTS (SELECT FROM events_outbox WHERE key = ANY (%s)"
        " AND txid >= pg_snapshot_xmin(pg_current_snapshot()))"
    )
    with django_connection.cursor() as cursor:
        while cursor.execute(above, [list(keys)]).fetchone()[0]:
            pass


def feed(property_id=1):
    """Return the numbered events: (number, key)."""
    rows = OutboxEvent.objects.filter(property_id=property_id, sequence__isnull=False)
    return list(rows.order_by("sequence").values_list("sequence", "key"))


def test_events_are_numbered_from_one_in_each_property(connect):
    writer = connect(autocommit=True)
    for key in ("a", "b"):
        write(writer, key)
    write(writer, "a", property_id=2)
    reached("a", "b")
    assert (number_events(1), number_events(2), number_events(3)) == (2, 1, 0)
    assert (feed(1), feed(2)) == ([(1, "a"), (2, "b")], [(1, "a")])


def test_relay_numbers_every_property_and_runs_twice_for_nothing(connect):
    writer = connect(autocommit=True)
    for property_id in (1, 2):
        write(writer, "a", property_id=property_id)
    reached("a")
    relay()
    before = list(OutboxEvent.objects.order_by("id").values_list("sequence", "numbered_at"))
    relay()
    assert list(OutboxEvent.objects.order_by("id").values_list("sequence", "numbered_at")) == before
    assert [sequence for sequence, _at in before] == [1, 1]


def test_relay_goes_on_where_it_stopped(connect):
    writer = connect(autocommit=True)
    for key in "abcde":
        write(writer, key)
    reached(*"abcde")
    assert [number_events(1, at_most=2) for _ in range(4)] == [2, 2, 1, 0]
    assert feed() == list(enumerate("abcde", start=1))


def test_nothing_overtakes_a_transaction_that_may_still_commit_before_it(connect):
    slow, quick = connect(), connect()
    write(slow, "slow")
    write(quick, "quick")
    quick.commit()
    assert number_events(1) == 0
    slow.commit()
    reached("slow", "quick")
    assert number_events(1) == 2
    assert feed() == [(1, "slow"), (2, "quick")]


def test_long_transaction_that_writes_nothing_here_holds_up_only_what_came_after_it(connect):
    writer, long_one = connect(autocommit=True), connect()
    write(writer, "before")
    long_one.execute("SELECT pg_current_xact_id()")
    write(writer, "after")
    reached("before")
    assert number_events(1) == 1
    long_one.rollback()
    reached("after")
    assert number_events(1) == 1
    assert feed() == [(1, "before"), (2, "after")]


def test_rolled_back_event_leaves_no_gap(connect):
    writer = connect()
    for key in "abc":
        write(writer, key)
        writer.rollback() if key == "b" else writer.commit()
    reached("a", "c")
    number_events(1)
    assert feed() == [(1, "a"), (2, "c")]


def test_versions_of_one_subject_stay_in_order_though_their_transactions_do_not(connect):
    """The later version is written by the transaction with the lower txid, which had to wait."""
    waiting, quick = connect(), connect()
    waiting.execute("SELECT pg_current_xact_id()")
    write(quick, "first", subject="fil_1", version=1)
    quick.commit()
    write(waiting, "second", subject="fil_1", version=2)
    waiting.commit()
    reached("first", "second")
    number_events(1)
    assert feed() == [(1, "first"), (2, "second")]


def test_version_waits_while_a_lower_one_is_not_yet_below_the_horizon(connect):
    older, waiting, quick = connect(), connect(), connect()
    waiting.execute("SELECT pg_current_xact_id()")
    older.execute("SELECT pg_current_xact_id()")
    write(quick, "first", subject="fil_1", version=1)
    quick.commit()
    write(waiting, "second", subject="fil_1", version=2)
    write(waiting, "other", subject="fil_2", version=1)
    waiting.commit()
    # Now `second` lies below the horizon and `first` above it.
    reached("second", "other")
    assert number_events(1) == 1
    assert feed() == [(1, "other")]
    older.commit()
    reached("first")
    assert number_events(1) == 2
    assert feed() == [(1, "other"), (2, "first"), (3, "second")]


def test_second_relay_leaves_the_work_to_the_first(connect):
    write(connect(autocommit=True), "a")
    reached("a")
    first, second = connect(), connect(autocommit=True)
    assert first.execute("SELECT events_number(1, 10)").fetchone() == (1,)
    assert second.execute("SELECT events_number(1, 10)").fetchone() == (0,)
    first.commit()
    assert second.execute("SELECT events_number(1, 10)").fetchone() == (0,)
    assert feed() == [(1, "a")]


def test_killed_relay_loses_nothing(owner, connect):
    write(connect(autocommit=True), "a")
    reached("a")
    killed = connect()
    killed.execute("SELECT events_number(1, 10)")
    killed_pid = killed.info.backend_pid
    killed.close()
    while owner.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [killed_pid]).fetchone():
        pass
    assert number_events(1) == 1
    assert feed() == [(1, "a")]


def test_feed_is_gapless_under_writers_and_relays_at_once(together):
    """Six writers move twelve documents while two relays number what they wrote."""
    documents = [f"fil_{number}" for number in range(1, 13)]

    def writer(seed):
        chance = random.Random(seed)
        for _turn in range(15):
            subject = chance.choice(documents)
            with transaction.atomic():
                # Stands for the row lock under which a document draws its next version.
                transaction.get_connection().cursor().execute(
                    "SELECT pg_advisory_xact_lock(hashtext(%s))", [subject]
                )
                version = OutboxEvent.objects.filter(subject_id=subject).count() + 1
                emit(
                    property_id=1,
                    topic="fill.approved",
                    subject=("fill", subject),
                    version=version,
                    data={},
                    occurred_at=AT,
                    gaming_day=date(2026, 3, 14),
                    key=f"{subject}:{version}",
                )
                transaction.set_rollback(chance.random() < 0.2)

    def relaying():
        seen = []
        for _ in range(40):
            relay()
            seen.append([sequence for sequence, _key in feed()])
        return seen

    acts = [lambda seed=seed: writer(seed) for seed in range(6)]
    *_writers, first, second = together(*acts, relaying, relaying)
    assert [error for error in (*_writers, first, second) if isinstance(error, Exception)] == []
    for seen in (*first, *second):
        assert seen == list(range(1, len(seen) + 1))
    reached(*OutboxEvent.objects.values_list("key", flat=True))
    relay()
    assert not OutboxEvent.objects.filter(sequence=None).exists()
    assert [sequence for sequence, _key in feed()] == list(
        range(1, OutboxEvent.objects.count() + 1)
    )
    for subject in documents:
        events = OutboxEvent.objects.filter(subject_id=subject).order_by("sequence")
        versions = list(events.values_list("version", flat=True))
        assert versions == list(range(1, len(versions) + 1))


def test_application_may_call_the_numbering_and_nobody_else_may(owner, connect):
    granted = owner.execute(
        "SELECT grantee FROM information_schema.routine_privileges"
        " WHERE routine_name = 'events_number' AND grantee <> current_user"
    ).fetchall()
    assert granted == [("baize_app",)]


def test_numbering_cannot_be_turned_to_other_tables(connect):
    """A temporary table of the caller's must not stand in for the outbox."""
    caller = connect(autocommit=True)
    write(caller, "a")
    reached("a")
    caller.execute("CREATE TEMPORARY TABLE events_outbox (LIKE events_outbox)")
    assert caller.execute("SELECT events_number(1, 10)").fetchone() == (1,)
    assert feed() == [(1, "a")]


def test_numbered_rows_are_in_the_order_in_which_they_were_recorded(connect):
    writer = connect(autocommit=True)
    for key in "abc":
        write(writer, key)
    reached(*"abc")
    assert number_events(1) == 3
    assert not OutboxEvent.objects.filter(numbered_at__lt=F("recorded_at")).exists()
