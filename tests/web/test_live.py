"""Pages hear what was committed, in order and without a gap, or are told to reload."""

from __future__ import annotations

import asyncio
import json

import pytest
import redis
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection, transaction
from django.test import RequestFactory

from casino.web import live

CHANNEL = "test:table:3"


@pytest.fixture
def redis_server():
    """Return a client of the real server, with the channel of these tests empty."""
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.delete(f"live:{CHANNEL}")
        yield server
        server.delete(f"live:{CHANNEL}")


def tell(*numbers):
    with transaction.atomic():
        for number in numbers:
            live.tell_on_commit(CHANNEL, "round.settled", {"round": number})


def read(count, last_id):
    """Return the next *count* events of the channel after *last_id*."""

    async def collect():
        found = []
        source = live.stream(CHANNEL, last_id)
        async for chunk in source:
            if chunk.startswith(b"id: "):
                found.append(parse(chunk))
            if len(found) == count:
                await source.aclose()
                return found
        raise AssertionError("a live stream has no end")

    return asyncio.run(asyncio.wait_for(collect(), 30))


def parse(chunk):
    fields = dict(line.split(": ", 1) for line in chunk.decode().strip().split("\n"))
    return fields["id"], fields["event"], json.loads(fields["data"])


def rounds(found):
    return [(event, data.get("round")) for _id, event, data in found]


pytestmark = pytest.mark.django_db(transaction=True)


def test_page_hears_what_was_committed_after_it_was_drawn(redis_server):
    tell(1)
    drawn_at = live.latest_id(CHANNEL)
    tell(2, 3)
    assert rounds(read(2, drawn_at)) == [("round.settled", 2), ("round.settled", 3)]


def test_page_that_was_away_gets_what_it_missed(redis_server):
    before = live.latest_id(CHANNEL)
    tell(1)
    [(last_id, _event, _data)] = read(1, before)
    tell(2)
    tell(3)
    assert rounds(read(2, last_id)) == [("round.settled", 2), ("round.settled", 3)]


def test_nothing_is_told_of_what_was_rolled_back(redis_server):
    with transaction.atomic():
        live.tell_on_commit(CHANNEL, "round.settled", {"round": 1})
        transaction.set_rollback(True)
    assert redis_server.xlen(f"live:{CHANNEL}") == 0


@pytest.mark.parametrize(
    "unknown", ["1-1", "99999999999999-0", "nonsense", "1-", "-1", "\u0661-\u0661", "9" * 30 + "-0"]
)
def test_unknown_id_makes_the_page_reload(redis_server, unknown):
    tell(1)
    assert read(1, unknown) == [(live.latest_id(CHANNEL), "reset", {})]


def test_page_drawn_before_the_oldest_kept_event_reloads(redis_server):
    tell(1, 2)
    redis_server.xtrim(f"live:{CHANNEL}", maxlen=1, approximate=False)
    assert rounds(read(1, live.BEFORE_ANY)) == [("reset", None)]


def test_redis_that_lost_everything_makes_the_page_reload(redis_server):
    tell(1)
    known = live.latest_id(CHANNEL)
    redis_server.delete(f"live:{CHANNEL}")
    assert read(1, known) == [("0-0", "reset", {})]


def test_stream_keeps_a_bounded_number_of_events_for_a_day(redis_server):
    tell(*range(1, 1201))
    assert redis_server.xlen(f"live:{CHANNEL}") < 1200
    assert 0 < redis_server.ttl(f"live:{CHANNEL}") <= 24 * 3600


def test_telling_neither_fails_nor_waits_without_redis(dead_redis, caplog):
    tell(1)
    assert "not told" in caplog.text
    assert live.latest_id(CHANNEL) == ""


def test_stream_sends_heartbeats_while_redis_is_away(dead_redis, monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)

    async def first_two():
        source = live.stream(CHANNEL, None)
        chunks = [await anext(source), await anext(source)]
        await source.aclose()
        return chunks

    assert asyncio.run(first_two()) == [b"retry: 1000\n\n", live.HEARTBEAT]


def test_quiet_stream_sends_heartbeats(redis_server, monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)

    async def first_two():
        source = live.stream(CHANNEL, None)
        chunks = [await anext(source), await anext(source)]
        await source.aclose()
        return chunks

    assert asyncio.run(first_two()) == [b"retry: 1000\n\n", live.HEARTBEAT]


def test_response_holds_no_database_connection_and_goes_on_after_the_last_event(redis_server):
    tell(1)
    [(last_id, _event, _data)] = read(1, live.BEFORE_ANY)
    tell(2)
    request = RequestFactory().get("/x", headers={"Last-Event-ID": last_id})

    def look_up_the_user():
        connection.ensure_connection()

    async def answer():
        await sync_to_async(look_up_the_user)()
        response = await live.sse_response(request, CHANNEL)
        chunks = aiter(response)
        await anext(chunks)
        event = parse(await anext(chunks))
        held = await sync_to_async(lambda: connection.connection)()
        await chunks.aclose()
        return response, event, held

    response, event, held = asyncio.run(answer())
    assert response["Content-Type"] == "text/event-stream"
    assert response["Cache-Control"] == "no-store"
    assert event[1:] == ("round.settled", {"round": 2})
    assert held is None
