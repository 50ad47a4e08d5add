"""Which servers are used: those that the environment names, else those of the state folder."""

from collections.abc import Mapping
from dataclasses import dataclass

from casino.local.errors import BadEnvironmentError
from casino.local.places import Places


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which of the two servers the launcher must run itself."""

    postgres: bool
    valkey: bool

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> "Wanted":
        """Return what the environment leaves to the launcher.

        Raises:
            BadEnvironmentError: an owner's address without the application's.
        """
        postgres = not environ.get("DATABASE_URL")
        if postgres and environ.get("DATABASE_OWNER_URL"):
            raise BadEnvironmentError(
                "DATABASE_OWNER_URL", "is set without DATABASE_URL; set both or neither"
            )
        return cls(postgres=postgres, valkey=not environ.get("REDIS_URL"))


def apply(environ: Mapping[str, str], *, places: Places, wanted: Wanted) -> dict[str, str]:
    """Return the environment with the addresses of the launcher's own servers put in."""
    if not wanted.postgres:
        result = dict(environ)
    else:
        # PGHOST, PGPORT and the like mean another server and would bend our address.
        result = {name: value for name, value in environ.items() if not name.startswith("PG")}
        result["DATABASE_URL"] = places.database_url
        result["DATABASE_OWNER_URL"] = places.database_owner_url
    if wanted.valkey:
        result["REDIS_URL"] = places.redis_url
    return result
