"""A client that asks too fast is told when to come back; Redis counts, and without it all pass.

Source: cage-integration.md 14.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import redis
from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from typing_extensions import override

from casino.web.patience import impatient_redis

logger = logging.getLogger(__name__)

AWAY_SECONDS: Final = 10.0
"""How long requests pass uncounted before one of them asks a silent Redis again."""

TAKE: Final = """
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local gap, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local wait = full + gap - burst * gap - now
if wait > 0 then return math.ceil(wait) end
full = full + gap
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return 0
"""
"""Takes one token, or answers for how many microseconds there is none.

A bucket is one number: the moment at which it will be full again. It fills by one token a *gap*
and holds *burst* of them. The clock is Redis's own, or processes with clocks apart would disagree.
"""


class Gate:
    """The buckets of all clients, and whether the Redis that keeps them answers."""

    def __init__(self, server: redis.Redis, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._server, self._clock = server, clock
        self._take = server.register_script(TAKE)
        self._ask_again_at = 0.0

    def wait(self, client: str, *, per_second: float, burst: int) -> float:
        """Take a token from the bucket of *client*.

        Returns:
            0 if there was one, and else the seconds until there will be. Without Redis 0.
        """
        if self._clock() < self._ask_again_at:
            return 0
        try:
            microseconds: Any = self._take(
                keys=[bucket(client)], args=[1_000_000 / per_second, burst]
            )
        except redis.RedisError as error:
            self._ask_again_at = self._clock() + AWAY_SECONDS
            logger.warning("Redis does not answer; no request is counted for a while: %s", error)
            return 0
        return float(microseconds) / 1_000_000

    def close(self) -> None:
        """Close the connections to Redis."""
        self._server.close()


class ClientRate(BaseThrottle):
    """So many requests a second for each client, and so many at once after a rest.

    It comes after token and scopes, so it counts nobody but clients, and before the view, so a
    request that it turns away spends no `Idempotency-Key`.
    """

    def __init__(self) -> None:
        self._wait = 0.0

    @override
    def allow_request(self, request: Request, view: object) -> bool:
        """Take a token of the client's; what needs no access token is not counted."""
        token: Any = request.auth
        if token is None:
            return True
        self._wait = _gate().wait(
            token.application.client_id,
            per_second=settings.API_RATE_PER_SECOND,
            burst=settings.API_RATE_BURST,
        )
        return self._wait == 0

    @override
    def wait(self) -> float:
        """Return the seconds until the next request would pass."""
        return self._wait


def bucket(client: str) -> str:
    """Return the Redis key under which the bucket of *client* is kept."""
    return f"rate:{client}"


def forget_connections() -> None:
    """Let the next request ask the settings anew where Redis is, and whether it answers."""
    if _gate.cache_info().currsize:
        _gate().close()
        _gate.cache_clear()


@cache
def _gate() -> Gate:
    return Gate(impatient_redis())
