"""Secrets in addresses and cookies are random and stored as hashes alone."""

from __future__ import annotations

import hashlib
import secrets


def make_secret() -> str:
    """Return 256 random bits that may stand in an address."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """Return what is stored of *secret*; being random it needs no slow hash."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
