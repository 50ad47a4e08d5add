"""An event is written once, with what it tells of, and stays as it was written."""

from __future__ import annotations

from datetime import UTC, date, datetime

import psycopg
import pytest
from django.db import transaction

from casino.events.errors import EventKeyReusedError
from casino.events.models import OutboxEvent
from casino.events.services import emit

AT = datetime(2026, 3, 14, 21, 22, 5, 120000, tzinfo=UTC)

OPENED = {
    "property_id": 1,
    "topic": "table_session.opened",
    "subject": ("table_session", "ses_12"),
    "version": 1,
    "data": {"id": "ses_12", "status": "open"},
    "occurred_at": AT,
    "gaming_day": date(2026, 3, 14),
    "key": "session:12:opened",
}

pytestmark = pytest.mark.django_db(transaction=True)


def emit_now(**other):
    with transaction.atomic():
        emit(**{**OPENED, **other})


def test_event_is_stored_without_a_number(owner):
    emit_now()
    [row] = owner.execute(
        "SELECT property_id, topic, subject_type, subject_id, version, key, payload, occurred_at,"
        " gaming_day, sequence, numbered_at FROM events_outbox"
    ).fetchall()
    assert row == (
        *(1, "table_session.opened", "table_session", "ses_12", 1, "session:12:opened"),
        *({"id": "ses_12", "status": "open"}, AT, date(2026, 3, 14), None, None),
    )


def test_second_emit_of_an_event_changes_nothing():
    emit_now()
    emit_now()
    assert OutboxEvent.objects.count() == 1


def test_keys_belong_to_their_property():
    emit_now()
    emit_now(property_id=2)
    assert OutboxEvent.objects.count() == 2


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"topic": "table_session.settled"}, "topic"),
        ({"subject": ("table_session", "ses_13")}, "subject"),
        ({"version": 2}, "version"),
        ({"data": {"id": "ses_12", "status": "closed"}}, "data"),
        ({"gaming_day": date(2026, 3, 15)}, "gaming_day"),
    ],
)
def test_other_content_under_a_known_key_is_refused_by_its_field(other, field):
    emit_now()
    with pytest.raises(EventKeyReusedError) as refused:
        emit_now(**other)
    assert refused.value.field == field
    assert OutboxEvent.objects.get().payload == OPENED["data"]


def test_event_of_rolled_back_work_never_was():
    with transaction.atomic():
        emit(**OPENED)
        transaction.set_rollback(True)
    assert not OutboxEvent.objects.exists()


def test_emit_outside_a_transaction_is_a_fault():
    with pytest.raises(AssertionError):
        emit(**OPENED)


def test_emit_neither_fails_nor_waits_without_a_broker(dead_redis, caplog):
    emit_now()
    assert OutboxEvent.objects.count() == 1
    assert "waits for its sweep" in caplog.text


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events_outbox SET payload = '{}'",
        "UPDATE events_outbox SET sequence = 1, numbered_at = now()",
        "DELETE FROM events_outbox",
        "TRUNCATE events_outbox",
    ],
)
def test_application_has_no_right_to_change_events(connect, statement):
    emit_now()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connect().execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events_outbox SET payload = '{}'",
        "UPDATE events_outbox SET sequence = 1, numbered_at = now(), payload = '{}'",
        "UPDATE events_outbox SET numbered_at = now()",
        "DELETE FROM events_outbox",
    ],
)
def test_even_the_owner_may_only_number_an_event(owner, statement):
    emit_now()
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        owner.execute(statement)


def test_number_once_given_stays(owner):
    emit_now()
    owner.execute("UPDATE events_outbox SET sequence = 1, numbered_at = now()")
    for number in (2, None):
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
            owner.execute("UPDATE events_outbox SET sequence = %s", [number])


INSERT = """
INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key, payload,
                           occurred_at, gaming_day, sequence, txid)
VALUES (1, 'fill.approved', 'fill', 'fil_1', %(version)s, 'k', '{}', now(), '2026-03-14',
        %(sequence)s, coalesce(%(txid)s::xid8, pg_current_xact_id()))
"""
HONEST = {"version": 1, "sequence": None, "txid": None}


@pytest.mark.parametrize("forged", [{"sequence": 1}, {"txid": "3"}, {"txid": "9999999999"}])
def test_even_the_owner_forges_neither_number_nor_transaction(owner, forged):
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        owner.execute(INSERT, HONEST | forged)
    assert owner.execute(INSERT, HONEST).rowcount == 1


@pytest.mark.parametrize("column", ["id", "txid", "recorded_at", "sequence", "numbered_at"])
def test_application_cannot_write_what_is_the_databases_own(connect, column):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connect().execute(
            f"INSERT INTO events_outbox ({column}) VALUES (DEFAULT)"  # noqa: S608
        )


def test_event_has_no_time_of_numbering_without_a_number(owner):
    with pytest.raises(psycopg.errors.CheckViolation, match="events_outbox_numbered"):
        owner.execute(
            "INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key,"
            " payload, occurred_at, gaming_day, numbered_at)"
            " VALUES (1, 'x', 'fill', 'fil_1', 1, 'k', '{}', now(), '2026-03-14', now())"
        )


@pytest.mark.parametrize(
    ("payload", "occurred_at", "gaming_day"),
    [
        ("null", "2026-03-14 21:00Z", "2026-03-14"),
        ("[]", "2026-03-14 21:00Z", "2026-03-14"),
        ("{}", "infinity", "2026-03-14"),
        ("{}", "0100-01-01 00:00Z BC", "2026-03-14"),
        ("{}", "2026-03-14 21:00Z", "-infinity"),
        ("{}", "2026-03-14 21:00Z", "10000-01-01"),
    ],
)
def test_what_no_reader_could_be_shown_does_not_stop_the_feed(
    connect, payload, occurred_at, gaming_day
):
    with pytest.raises(psycopg.errors.CheckViolation, match="events_outbox_readable"):
        connect().execute(
            "INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key,"
            " payload, occurred_at, gaming_day)"
            " VALUES (1, 'x', 'fill', 'fil_1', 1, 'k', %s, %s, %s)",
            [payload, occurred_at, gaming_day],
        )


def test_versions_begin_at_one(owner):
    with pytest.raises(psycopg.errors.CheckViolation):
        owner.execute(INSERT, HONEST | {"version": 0})
