"""The only reader of the process environment: what is missing fails at start, by name."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


class MissingVariableError(SystemExit):
    """A variable that this process cannot do without is not set."""

    def __init__(self, name: str, meaning: str) -> None:
        super().__init__(f"{name} is not set: {meaning}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What the surroundings decide, read once."""

    database_url: str
    """The application's login."""
    database_owner_url: str
    """The owner's login, for `migrate` alone; the application's where there is no other."""
    redis_url: str
    """Without a database number: 0 is the broker, 1 the cache, 2 results."""
    secret_key: str
    pin_pepper: str
    """Mixed into every PIN before it is hashed; kept apart from the database."""
    state_dir: Path
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    db_pool: int
    """Connections of a web process; 0 means none is kept."""
    migrating: bool
    """This process changes the schema, so it connects as the owner."""

    @classmethod
    def read(cls, source: Mapping[str, str] = os.environ) -> Environment:
        """Read the process environment.

        Raises:
            MissingVariableError: a variable without a safe default is not set.
        """
        database_url = _required(source, "DATABASE_URL", "the address of PostgreSQL")
        return cls(
            database_url=database_url,
            database_owner_url=source.get("DATABASE_OWNER_URL") or database_url,
            redis_url=_required(source, "REDIS_URL", "the address of Redis or Valkey"),
            secret_key=_required(source, "SECRET_KEY", "a long random text that signs sessions"),
            pin_pepper=_required(source, "PIN_PEPPER", "a long random text mixed into PINs"),
            state_dir=Path(source.get("BAIZE_STATE_DIR", "var")).absolute(),
            allowed_hosts=_list(source.get("ALLOWED_HOSTS", "")),
            csrf_trusted_origins=_list(source.get("CSRF_TRUSTED_ORIGINS", "")),
            db_pool=int(source.get("DB_POOL", "0")),
            migrating=source.get("BAIZE_MIGRATING") == "1" or "migrate" in sys.argv[1:2],
        )


def _required(source: Mapping[str, str], name: str, meaning: str) -> str:
    value = source.get(name)
    if not value:
        raise MissingVariableError(name, meaning)
    return value


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
