"""Whether this process can serve: the database decides; Redis is reported and never decides."""

from __future__ import annotations

import logging

import redis
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.web.patience import impatient_redis

logger = logging.getLogger(__name__)


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 while the database answers, else 503; a load balancer asks every few seconds."""
    database = _database()
    return JsonResponse(
        {"database": database, "redis": _redis()}, status=200 if database == "up" else 503
    )


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("the database does not answer")
        return "down"
    return "up"


def _redis() -> str:
    try:
        with impatient_redis() as client:
            client.ping()
    except redis.RedisError as error:
        logger.warning("Redis does not answer: %s", error)
        return "down"
    return "up"
