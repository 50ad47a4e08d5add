"""pytest plugin: every run has real servers, its own unless the environment names some.

The servers start before pytest-django reads the settings; processes of pytest-xdist inherit
the addresses and start none.
"""

import os
from collections.abc import Iterator
from typing import Final

import pytest

from casino.local.addresses import Wanted
from casino.local.chromium import find_chromium
from casino.local.errors import LauncherError
from casino.local.throw_away import ThrowAwayServers

OWN_SERVERS: Final = pytest.StashKey[Wanted]()
CHROMIUM: Final = pytest.StashKey[str | None]()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start the servers that the environment does not name."""
    try:
        early_config.stash[CHROMIUM] = _chromium()
        wanted = Wanted.read(os.environ)
        if wanted.postgres or wanted.valkey:
            servers = ThrowAwayServers(wanted=wanted, environ=dict(os.environ))
            environ = servers.start()
            # Runs at every end of pytest: after tests, a broken conftest, Ctrl-C.
            early_config.add_cleanup(servers.stop)
            _replace_environment(environ)
    except LauncherError as error:
        raise pytest.UsageError(str(error)) from error
    early_config.stash[OWN_SERVERS] = wanted


def pytest_report_header(config: pytest.Config) -> Iterator[str]:
    """Say which servers and which browser the tests use."""
    wanted = config.stash[OWN_SERVERS]
    yield (
        f"servers: PostgreSQL {_origin(own=wanted.postgres, variable='DATABASE_URL')}, "
        f"Redis {_origin(own=wanted.valkey, variable='REDIS_URL')}"
    )
    yield (
        f"browser: {config.stash[CHROMIUM]}"
        if config.stash[CHROMIUM]
        else "browser: no Chromium found, so the tests marked `browser` are left out; "
        "install chromium or set CHROMIUM"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the browser tests out where there is no browser."""
    if config.stash[CHROMIUM]:
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _chromium() -> str | None:
    found = find_chromium(os.environ)
    if found is None and os.environ.get("BAIZE_BROWSER") == "required":
        raise pytest.UsageError(
            "BAIZE_BROWSER=required, and no Chromium was found; install one or set CHROMIUM"
        )
    return found


def _replace_environment(environ: dict[str, str]) -> None:
    for name in os.environ.keys() - environ.keys():
        del os.environ[name]
    os.environ.update(environ)


def _origin(*, own: bool, variable: str) -> str:
    return "started for this run" if own else f"from {variable}"
