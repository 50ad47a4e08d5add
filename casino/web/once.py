"""One request key has one outcome: the act, its answer and the key commit together or not at all.

Source: cage-integration.md 4.

| outcome                                          | the key is                     |
|--------------------------------------------------|--------------------------------|
| an answer, or a refusal by the state of things   | spent for 30 days              |
| 400, 422 validation_failed                       | spent for 10 minutes           |
| 401, 403, 412, 428, 429, 5xx, in progress        | free: the same may be sent again |
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from casino.web.errors import Refusal
from casino.web.models import RequestKey
from casino.web.problems import Problem, find_problem

KEPT = timedelta(days=30)
KEPT_WHEN_MALFORMED = timedelta(minutes=10)
NEVER_KEPT = frozenset({401, 403, 412, 428, 429})

JSON = Any
"""What `json.loads` returns."""


class IdempotencyKeyReusedError(Refusal):
    """The key stands for another request."""

    code = "idempotency_key_reused"
    status = 422
    title = "The key was used for another request"


class IdempotencyInProgressError(Refusal):
    """The first request with this key has not ended."""

    code = "idempotency_in_progress"
    status = 409
    title = "The first request with this key is still running"
    retryable = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An HTTP status and the JSON body under it."""

    status: int
    body: JSON
    replayed: bool = False
    """The act did not run now: this is what its first run answered."""


def fingerprint(method: str, path: str, body: JSON | bytes) -> bytes:
    """Return the SHA-256 of method, path and canonical *body*.

    Two spellings of one JSON value are the same request. Bytes stand for themselves: a body that
    could not be read as JSON.
    """
    canonical = (
        body
        if isinstance(body, bytes)
        else json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    )
    head = f"{method} {path}\n".encode("utf-8", "surrogateescape")
    return hashlib.sha256(head + canonical).digest()


def once(
    *,
    client: str,
    key: str,
    fingerprint: bytes,
    act: Callable[[], Answer],
    at: datetime,
    path: str = "",
    request_id: str = "",
) -> Answer:
    """Run *act* unless *key* has an outcome, and keep its outcome with what it changed.

    Args:
        client: who the key belongs to, as an actor string.
        path: of the request; kept with the key, and the `instance` of a stored refusal.
        request_id: named in a stored refusal.

    Returns:
        The act's answer; a refusal by the state of things is an answer too, with its problem
        document as body and nothing of the act kept.

    Raises:
        IdempotencyInProgressError: the first request with this key has not ended.
        IdempotencyKeyReusedError: the key stands for another request.
        Exception: what is never kept (see the table above), with nothing changed.
    """
    with transaction.atomic(durable=True):
        _claim(client, key)
        stored = RequestKey.objects.filter(client=client, key=key).first()
        if stored is not None and stored.expires_at > at:
            return _replay(stored, fingerprint)
        if stored is not None:
            stored.delete()
        answer, kept = _outcome(act, path=path, request_id=request_id)
        RequestKey.objects.create(
            client=client,
            key=key,
            fingerprint=fingerprint,
            path=path,
            status=answer.status,
            body=answer.body,
            created_at=at,
            expires_at=at + kept,
        )
    return answer


def _claim(client: str, key: str) -> None:
    # Held until the commit is visible, so whoever gets it next finds the first one's outcome. A
    # twin is told at once instead of holding a connection while the first one runs.
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))",
            [f"web_requestkey {client} {key}"],
        )
        if not cursor.fetchone()[0]:
            raise IdempotencyInProgressError(
                "The first request with this key is still running; send the same again."
            )


def _replay(stored: RequestKey, fingerprint: bytes) -> Answer:
    if bytes(stored.fingerprint) != fingerprint:
        raise IdempotencyKeyReusedError(
            f"This key was used for another request to {stored.path or 'this service'}; "
            "a new request needs a new key.",
            used_at=stored.created_at.isoformat(),
        )
    return Answer(status=stored.status, body=stored.body, replayed=True)


def _outcome(act: Callable[[], Answer], *, path: str, request_id: str) -> tuple[Answer, timedelta]:
    try:
        with transaction.atomic():
            return replace(act(), replayed=False), KEPT
    except Exception as error:
        refused = find_problem(error)
        if refused is None or refused.status in NEVER_KEPT or refused.status >= 500:
            raise
        body = refused.body(instance=path, request_id=request_id)
        return Answer(status=refused.status, body=body), _kept(refused)


def _kept(refused: Problem) -> timedelta:
    is_malformed = refused.status == 400 or refused.code == "validation_failed"
    return KEPT_WHEN_MALFORMED if is_malformed else KEPT
