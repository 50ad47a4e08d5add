"""Asking over HTTP until there is an answer: the same request, with the same key, again and again.

What a tablet and a card reader have in common. Nothing is ever changed between two tries, so a
request that was carried out before its answer was lost is found done.
"""

from __future__ import annotations

import http.client
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar
from typing import Any

TIMEOUT_SECONDS = 10.0
"""How long one try waits for its answer."""
GIVE_UP_SECONDS = 90.0
PAUSE_SECONDS = 0.1
GATEWAY = frozenset({502, 503, 504})
IN_PROGRESS = 409
RATE_LIMITED = 429


class NoAnswerError(Exception):
    """The site was away for longer than any restart takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer."""

    status: int
    body: str
    headers: Any
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """How long an answer took, and how often it was asked for."""

    tries: int
    seconds: float


class Asker:
    """A browser without a screen: it keeps cookies, follows redirects and is patient."""

    def __init__(self) -> None:
        self.answered = Answered(tries=0, seconds=0.0)
        """About the last answer."""
        self.awaited: list[int] = []
        """Statuses that asked for another try; 0 where the connection was lost."""
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
        )

    def ask(
        self,
        address: str,
        *,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Return the answer to one request, sent as often as that takes; with *data* it is a POST.

        Raises:
            NoAnswerError: there was none within GIVE_UP_SECONDS.
        """
        request = urllib.request.Request(  # noqa: S310  the site's own addresses
            address, data=data, headers=dict(headers or {})
        )
        began = time.monotonic()
        pause = threading.Event()
        tries = 0
        while time.monotonic() - began < GIVE_UP_SECONDS:
            tries += 1
            reply = self._try(request)
            if reply is not None and not must_repeat(reply):
                self.answered = Answered(tries=tries, seconds=time.monotonic() - began)
                return reply
            self.awaited.append(reply.status if reply else 0)
            pause.wait(_pause(reply))
        raise NoAnswerError(f"{address}: {self.awaited[-tries:]}")

    def _try(self, request: urllib.request.Request) -> Reply | None:
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                return _reply(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return _reply(refusal)
        except (OSError, http.client.HTTPException):
            return None


def must_repeat(reply: Reply) -> bool:
    """Tell whether an answer says that nothing is decided yet and the same may be sent again."""
    if reply.status in GATEWAY or _is_too_fast(reply):
        return True
    return reply.status == IN_PROGRESS and "still running" in reply.body


def _pause(reply: Reply | None) -> float:
    """Return how long to wait: as long as the site says to one who asks too fast."""
    if reply is not None and _is_too_fast(reply):
        return float(reply.headers["Retry-After"])
    return PAUSE_SECONDS


def _is_too_fast(reply: Reply) -> bool:
    # A locked sign-in is a 429 too, and that one is an answer.
    return reply.status == RATE_LIMITED and '"rate_limited"' in reply.body


def _reply(answer: Any) -> Reply:
    return Reply(
        status=answer.status,
        body=answer.read().decode(),
        headers=answer.headers,
        url=answer.url,
    )
