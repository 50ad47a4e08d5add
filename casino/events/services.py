"""Events are written with what they tell of, and numbered after the commit, never inside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction

from casino.events.errors import EventKeyReusedError
from casino.web.waking import gather_on_commit

RELAY = "casino.events.tasks.relay"
"""By name: its module calls this one."""

INSERT = """
INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key, payload,
                           occurred_at, gaming_day)
VALUES (%s, %s, %s, %s, %s, %s, %s::jsonb, %s, %s)
ON CONFLICT (property_id, key) DO NOTHING
"""

COMPARE = """
SELECT topic = %s, subject_type = %s AND subject_id = %s, version = %s, payload = %s::jsonb,
       gaming_day = %s
FROM events_outbox WHERE property_id = %s AND key = %s
"""
COMPARED = ("topic", "subject", "version", "data", "gaming_day")


def emit(
    *,
    property_id: int,
    topic: str,
    subject: tuple[str, str | int],
    version: int,
    data: Mapping[str, Any],
    occurred_at: datetime,
    gaming_day: date,
    key: str,
) -> None:
    """Write one event in the caller's transaction; it reaches the feed after the commit.

    Args:
        topic: `table_session.opened`.
        subject: type and id as the API names them: `("table_session", "ses_12")`.
        version: of the subject, ascending, drawn while the caller holds the subject.
        data: the document as the API shows it, below 20 kB.
        key: the event's natural key in its property; a second emit of it changes nothing.

    Raises:
        EventKeyReusedError: the key stands for an event with other content.
    """
    assert connection.in_atomic_block, "an event commits with what it tells of"
    subject_type, subject_id = subject
    payload = json.dumps(data, cls=DjangoJSONEncoder)
    with connection.cursor() as cursor:
        cursor.execute(
            INSERT,
            [
                property_id,
                topic,
                subject_type,
                str(subject_id),
                version,
                key,
                payload,
                occurred_at,
                gaming_day,
            ],
        )
        if cursor.rowcount == 1:
            gather_on_commit(RELAY)
            return
        cursor.execute(
            COMPARE,
            [topic, subject_type, str(subject_id), version, payload, gaming_day, property_id, key],
        )
        same = dict(zip(COMPARED, cursor.fetchone(), strict=True))
    for member, is_same in same.items():
        if not is_same:
            raise EventKeyReusedError(key, field=member)


def number_events(property_id: int, *, at_most: int = 1000) -> int:
    """Give the next numbers of the property's feed to what has committed; return how many."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT events_number(%s, %s)", [property_id, at_most])
        return int(cursor.fetchone()[0])
