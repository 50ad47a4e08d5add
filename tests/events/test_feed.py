"""The feed as programs read it: their property's, from any number on, always with the same bodies.

Source: cage-integration.md 7 and 10.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.db import transaction

from casino.events.models import OutboxEvent
from casino.events.services import emit, number_events
from tests.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)

TOPICS = ["fill.requested", "fill.approved", "fill.accepted", "credit.requested"]


@pytest.fixture
def reader(transactional_db):
    """Return a program that follows the feed of property 1, where four events stand."""
    for property_id, topics in ((2, ["fill.requested"]), (1, TOPICS)):
        for version, topic in enumerate(topics, start=1):
            with transaction.atomic():
                emit(
                    property_id=property_id,
                    topic=topic,
                    subject=("fill", "fil_2"),
                    version=version,
                    data={"id": "fil_2", "total": {"amount": 1000000, "currency": "USD"}},
                    occurred_at=datetime(2026, 3, 14, 21, 22, 5, 120000, tzinfo=UTC),
                    gaming_day=date(2026, 3, 14),
                    key=f"fil_2:{version}",
                )
        waiting = len(topics)
        while waiting:  # until other databases of the cluster let the horizon pass
            waiting -= number_events(property_id)
    return Program(scopes=["events:read"], property_id=1)


def sequences(response):
    return [event["sequence"] for event in response.json()["data"]]


def test_event_has_the_members_of_the_contract(reader):
    [event] = reader.get("/events", {"limit": 1}).json()["data"]
    stored = OutboxEvent.objects.get(property_id=1, sequence=1)
    assert event == {
        "id": f"evt_{stored.pk}",
        "type": "fill.requested",
        "sequence": 1,
        "timestamp": "2026-03-14T21:22:05.120000Z",
        "gaming_day": "2026-03-14",
        "api_version": "2026-04-01",
        "subject": {"type": "fill", "id": "fil_2", "version": 1},
        "data": {"id": "fil_2", "total": {"amount": 1000000, "currency": "USD"}},
    }


def test_reader_goes_on_from_the_last_number_it_has(reader):
    page = reader.get("/events", {"after_sequence": 1, "limit": 2})
    assert (sequences(page), page.json()["has_more"]) == ([2, 3], True)
    rest = reader.get(
        "/events", {"after_sequence": 1, "limit": 2, "cursor": page.json()["next_cursor"]}
    )
    assert (sequences(rest), rest.json()["has_more"]) == ([4], False)
    assert rest.json()["next_cursor"] is None


def test_feed_can_be_read_by_type(reader):
    assert sequences(reader.get("/events", {"type": "fill.approved"})) == [2]
    assert sequences(reader.get("/events", {"type": "fill.closed"})) == []


def test_feed_shows_one_property_only(reader):
    assert sequences(reader.get("/events")) == [1, 2, 3, 4]
    other = OutboxEvent.objects.get(property_id=2)
    assert reader.get(f"/events/evt_{other.pk}").status_code == 404


def test_event_is_read_by_its_id_with_the_same_body(reader):
    listed = reader.get("/events", {"after_sequence": 2}).json()["data"][0]
    assert reader.get(f"/events/{listed['id']}").json() == listed


def test_event_without_a_number_is_not_there_yet(reader):
    with transaction.atomic():
        emit(
            property_id=1,
            topic="fill.closed",
            subject=("fill", "fil_2"),
            version=9,
            data={},
            occurred_at=datetime(2026, 3, 14, 22, tzinfo=UTC),
            gaming_day=date(2026, 3, 14),
            key="fil_2:9",
        )
    waiting = OutboxEvent.objects.get(sequence=None)
    assert sequences(reader.get("/events")) == [1, 2, 3, 4]
    assert reader.get(f"/events/evt_{waiting.pk}").status_code == 404


@pytest.mark.parametrize("value", ["-1", "9223372036854775808", "x"])
def test_number_that_cannot_be_is_refused(reader, value):
    response = reader.get("/events", {"after_sequence": value})
    assert response.status_code == 400
    assert [fault["parameter"] for fault in response.json()["errors"]] == ["after_sequence"]


def test_feed_needs_its_scope(reader):
    other = Program(scopes=["tables:read"], property_id=1)
    assert other.get("/events").status_code == 403
