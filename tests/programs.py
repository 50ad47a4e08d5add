"""A program that speaks to the API as a cage system does: a token, JSON, keys of its own."""

from __future__ import annotations

import base64
import itertools
from typing import Any

from django.http import HttpResponse
from django.test import Client

from casino.web.clients import create_client

_numbers = itertools.count(1)


class Program:
    """One API client of one property, with a token for all its scopes."""

    def __init__(self, *, scopes: list[str], property_id: int = 1, name: str = "") -> None:
        self.name = name or f"program-{next(_numbers)}"
        self.client_id, self.secret = create_client(
            name=self.name, property_id=property_id, scopes=scopes
        )
        self.http = Client()
        self.token = self.ask_for_token().json()["access_token"]

    def ask_for_token(self, *, secret: str = "", **more: str) -> HttpResponse:
        """Ask for an access token as OAuth 2.0 says."""
        credentials = f"{self.client_id}:{secret or self.secret}".encode()
        return self.http.post(
            "/o/token/",
            {"grant_type": "client_credentials", **more},
            headers={"Authorization": f"Basic {base64.b64encode(credentials).decode()}"},
        )

    def get(self, path: str, query: dict[str, Any] | None = None, **headers: str) -> HttpResponse:
        """GET below `/api/v1`."""
        return self.http.get(f"/api/v1{path}", query or {}, headers=self._headers(headers))

    def post(
        self,
        path: str,
        body: Any,
        *,
        key: str | None = "",
        content_type: str = "application/json",
        **headers: str,
    ) -> HttpResponse:
        """POST below `/api/v1` with a key of its own, the *key* given, or (None) without one."""
        if key is not None:
            headers["Idempotency-Key"] = key or f"key-{next(_numbers)}"
        return self.http.post(
            f"/api/v1{path}", body, content_type=content_type, headers=self._headers(headers)
        )

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **more}
