"""Live updates: what was committed wakes the pages that show it; no fact lives here alone.

A channel is a Redis stream, the id of an event is the stream's. A page that was away a short
while gets what it missed; one that was away too long is told to reload, by the event `reset`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from functools import cache, partial
from typing import Any

import redis
import redis.asyncio
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connections, transaction
from django.http import HttpRequest, StreamingHttpResponse

from casino.web.patience import PATIENCE_SECONDS, impatient_redis

Entries = Any
"""What redis-py types as all that any server may answer; here `[(id, {name: value})]`, in bytes."""

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5
HEARTBEAT = b"event: heartbeat\ndata: {}\n\n"
"""An event, not a comment: a page's script cannot hear comments, and silence must be heard."""
RETRY_SECONDS = 1
KEPT_EVENTS = 1000
KEPT_SECONDS = 24 * 3600
BEFORE_ANY = "0-0"


def tell_on_commit(channel: str, event: str, data: Mapping[str, Any]) -> None:
    """Tell the pages that watch *channel*, once this transaction has committed.

    Neither waits for Redis longer than a moment nor fails without it: a page that heard nothing
    finds the change when it next asks.
    """
    fields = {"event": event, "data": json.dumps(data, cls=DjangoJSONEncoder)}
    transaction.on_commit(partial(_tell, channel, fields), robust=True)


def latest_id(channel: str) -> str:
    """Return the id up to which a page that is drawn now knows the *channel*.

    Draw it into the page before reading what the page shows; the stream then goes on from there.
    Empty when Redis does not answer.
    """
    try:
        newest: Entries = _client().xrevrange(_key(channel), count=1)
    except redis.RedisError as error:
        logger.warning("Redis does not answer; a page starts without live updates: %s", error)
        return ""
    return _last_of(newest)


def forget_connections() -> None:
    """Let the next event ask the settings anew where Redis is."""
    if _client.cache_info().currsize:
        _client().close()
        _client.cache_clear()


async def sse_response(request: HttpRequest, channel: str) -> StreamingHttpResponse:
    """Return the stream of *channel* for a browser's EventSource; the caller has let it in.

    It goes on after the `Last-Event-ID` that the browser sends by itself, or at first after the
    query parameter `after`, which a page takes from `latest_id`. Needs an ASGI server.
    """
    # Kept through a stream of hours, a pool of eight connections is gone at the eighth tablet.
    await sync_to_async(connections.close_all)()
    last_id = request.headers.get("Last-Event-ID") or request.GET.get("after")
    return StreamingHttpResponse(
        stream(channel, last_id),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def stream(channel: str, last_id: str | None) -> AsyncIterator[bytes]:
    """Yield the server-sent events of *channel* after *last_id*, or from now on.

    While Redis does not answer only heartbeats are sent; what came meanwhile follows, or `reset`.
    """
    yield f"retry: {RETRY_SECONDS * 1000}\n\n".encode()
    position = last_id
    while True:
        try:
            async with _async_client() as client:
                position, is_lost = await _resume(client, channel, position)
                if is_lost:
                    yield _frame(position, "reset", "{}")
                while True:
                    found: Any = await client.xread(
                        {_key(channel): position}, count=100, block=HEARTBEAT_SECONDS * 1000
                    )
                    if not found:
                        yield HEARTBEAT
                        continue
                    for entry_id, fields in found[0][1]:
                        position = entry_id.decode()
                        yield _frame(position, fields[b"event"].decode(), fields[b"data"].decode())
        except redis.RedisError as error:
            logger.warning("Redis does not answer; a live stream waits: %s", error)
            yield HEARTBEAT
            await asyncio.sleep(RETRY_SECONDS)


def _tell(channel: str, fields: dict[Any, Any]) -> None:
    try:
        with _client().pipeline(transaction=False) as pipe:
            pipe.xadd(_key(channel), fields, maxlen=KEPT_EVENTS, approximate=True)
            pipe.expire(_key(channel), KEPT_SECONDS)
            pipe.execute()
    except redis.RedisError as error:
        logger.warning("Redis does not answer; %s on %s not told: %s", fields, channel, error)


async def _resume(
    client: redis.asyncio.Redis, channel: str, last_id: str | None
) -> tuple[str, bool]:
    """Return the id to read on after, and whether anything since *last_id* may be lost."""
    latest = _last_of(await client.xrevrange(_key(channel), count=1))
    if last_id is None or last_id == latest:
        return latest, False
    if await _is_kept(client, channel, last_id):
        return last_id, False
    return latest, True


def _last_of(newest: Entries) -> str:
    return newest[0][0].decode() if newest else BEFORE_ANY


async def _is_kept(client: redis.asyncio.Redis, channel: str, last_id: str) -> bool:
    if last_id == BEFORE_ANY:
        # Nothing came before it, so nothing is lost while the stream still has its first event.
        about = await client.xinfo_stream(_key(channel))
        return bool(about["entries-added"] == about["length"])
    if not _is_stream_id(last_id):
        return False
    return bool(await client.xrange(_key(channel), min=last_id, max=last_id, count=1))


def _is_stream_id(text: str) -> bool:
    parts = text.split("-")
    return len(parts) == 2 and all(
        part.isascii() and part.isdigit() and len(part) < 20 for part in parts
    )


def _frame(event_id: str, event: str, data: str) -> bytes:
    return f"id: {event_id}\nevent: {event}\ndata: {data}\n\n".encode()


def _key(channel: str) -> str:
    return f"live:{channel}"


@cache
def _client() -> redis.Redis:
    return impatient_redis()


def _async_client() -> redis.asyncio.Redis:
    return redis.asyncio.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=HEARTBEAT_SECONDS * 2,
        socket_connect_timeout=PATIENCE_SECONDS,
    )
