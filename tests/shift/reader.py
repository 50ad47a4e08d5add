"""A card reader and a reader of the books: a program at the API, with a token and request keys."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from tables.demo import house
from tests.shift.asking import Asker, Reply

CREATED = 201
UNAUTHORISED = 401
PACE_SECONDS = 0.05
"""A client may send twenty requests a second."""


class Reader:
    """One client of the API."""

    def __init__(self, site: str) -> None:
        self.asker = Asker()
        self._site = site
        self._next_turn = 0.0
        self._token = self._new_token()

    def record(self, session: str, given: Mapping[str, Any], *, at: datetime) -> dict[str, Any]:
        """Record a round and return it settled; the key stays the same until there is an answer."""
        body = {"table_session": session, "occurred_at": at.isoformat(), "round": given}
        headers = {"Idempotency-Key": uuid4().hex, "Content-Type": "application/json"}
        reply = self._ask("rounds", data=json.dumps(body).encode(), headers=headers)
        assert reply.status == CREATED, reply.body
        settled: dict[str, Any] = json.loads(reply.body)
        return settled

    def read(self, path: str, **parameters: Any) -> dict[str, Any]:
        """Return one resource."""
        reply = self._ask(f"{path}?{urlencode(parameters)}" if parameters else path)
        assert reply.status == 200, reply.body
        found: dict[str, Any] = json.loads(reply.body)
        return found

    def find(self, path: str) -> dict[str, Any] | None:
        """Return one resource, or None where there is none yet."""
        reply = self._ask(path)
        assert reply.status in {200, 404}, reply.body
        return json.loads(reply.body) if reply.status == 200 else None

    def list(self, path: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        """Yield every row of a list, page after page."""
        asked = {"limit": 200, **parameters}
        while True:
            page = self.read(path, **asked)
            yield from page["data"]
            if not page["has_more"]:
                return
            asked["cursor"] = page["next_cursor"]

    def balance(self, account: str) -> int:
        """Return what an account holds, debit above zero; nothing where none was opened."""
        found = self.find(f"ledger/accounts/{account}/balance")
        return signed(found["balance"]) if found else 0

    def _ask(
        self, path: str, *, data: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        reply = self._asked(path, data, headers)
        if reply.status != UNAUTHORISED:
            return reply
        self._token = self._new_token()
        return self._asked(path, data, headers)

    def _asked(self, path: str, data: bytes | None, headers: Mapping[str, str] | None) -> Reply:
        self._await_turn()
        return self.asker.ask(
            f"{self._site}/api/v1/{path}",
            data=data,
            headers={**(headers or {}), "Authorization": f"Bearer {self._token}"},
        )

    def _await_turn(self) -> None:
        """Keep to the pace that a client is allowed."""
        threading.Event().wait(max(0.0, self._next_turn - time.monotonic()))
        self._next_turn = time.monotonic() + PACE_SECONDS

    def _new_token(self) -> str:
        secret = base64.b64encode(f"{house.API_CLIENT}:{house.API_SECRET}".encode()).decode()
        reply = self.asker.ask(
            f"{self._site}/o/token/",
            data=b"grant_type=client_credentials",
            headers={"Authorization": f"Basic {secret}"},
        )
        assert reply.status == 200, reply.body
        token: str = json.loads(reply.body)["access_token"]
        return token


def signed(money: Mapping[str, Any]) -> int:
    """Return minor units, debit above zero."""
    amount: int = money["amount"]
    return -amount if money["side"] == "credit" else amount
