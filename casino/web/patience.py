"""A request asks Redis once and waits for it a moment at most: losing Redis loses no fact."""

from __future__ import annotations

import redis
from django.conf import settings

PATIENCE_SECONDS = 0.25
"""How long a request waits for Redis or the broker."""


def impatient_redis() -> redis.Redis:
    """Return a client of the Redis in the settings that tries once and soon gives up."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=PATIENCE_SECONDS,
        socket_connect_timeout=PATIENCE_SECONDS,
        # One try: a second one would make the request wait twice.
        retry=None,
    )
