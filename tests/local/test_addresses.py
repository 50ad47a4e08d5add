from pathlib import Path

import pytest

from casino.local.addresses import Wanted
from casino.local.environment import site_environment
from casino.local.errors import BadEnvironmentError
from casino.local.places import Places
from casino.local.web_address import WebAddress


def site(environ: dict[str, str], state: Path) -> dict[str, str]:
    return site_environment(
        environ,
        places=Places.of(state),
        wanted=Wanted.read(environ),
        web=WebAddress.read(environ),
    )


def test_own_servers_unless_the_environment_names_some(open_folder: Path) -> None:
    environ = {"PGPORT": "5433", "PGHOST": "db.example", "PATH": "/bin", "DB_POOL": "20"}
    found = site(environ, open_folder)
    places = Places.of(open_folder)
    secrets = {name: found.pop(name) for name in ("SECRET_KEY", "PIN_PEPPER")}
    assert all(secrets.values())
    assert found == {
        "DATABASE_URL": places.database_url,
        "DATABASE_OWNER_URL": places.database_owner_url,
        "REDIS_URL": places.redis_url,
        "DJANGO_SETTINGS_MODULE": "casino.settings.development",
        "BAIZE_STATE_DIR": str(open_folder),
        "BAIZE_URL": "http://127.0.0.1:8000",
        "HOST": "127.0.0.1",
        "PORT": "8000",
        "PYTHONUNBUFFERED": "1",
        "PATH": "/bin",
    }


def test_named_servers_settings_and_secrets_are_used(open_folder: Path) -> None:
    environ = {
        "DATABASE_URL": "postgresql://app:word@db/baize",
        "REDIS_URL": "redis://cache:6379",
        "PGSSLMODE": "verify-full",
        "DJANGO_SETTINGS_MODULE": "casino.settings.production",
        "SECRET_KEY": "given",
        "PIN_PEPPER": "",
        "PORT": "8080",
    }
    assert Wanted.read(environ) == Wanted(postgres=False, valkey=False)
    found = site(environ, open_folder)
    assert {name: found[name] for name in environ if name != "PIN_PEPPER"} == {
        name: value for name, value in environ.items() if name != "PIN_PEPPER"
    }
    assert found["PIN_PEPPER"]
    assert "DATABASE_OWNER_URL" not in found


def test_one_named_server_leaves_the_other_to_the_launcher() -> None:
    assert Wanted.read({"REDIS_URL": "redis://cache"}) == Wanted(postgres=True, valkey=False)
    assert Wanted.read({"DATABASE_URL": "postgresql://db/baize"}) == Wanted(
        postgres=False, valkey=True
    )


def test_owner_without_application_is_refused() -> None:
    with pytest.raises(BadEnvironmentError, match="DATABASE_OWNER_URL is set without"):
        Wanted.read({"DATABASE_OWNER_URL": "postgresql://owner@db/baize"})
