"""The suite makes, empties and drops its database as the owner and works as the application role.

So a test meets the privileges and guards of production; only the triggers that refuse TRUNCATE
are absent, because tables are emptied after every test that commits.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

import psycopg
import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import TransactionTestCase

from casino.celery import app
from casino.web import live, rates, waking
from tests.emptying import Layout

TRUNCATE_TRIGGERS = """
SELECT tgrelid::regclass::text, tgname, tgenabled = 'A', (tgtype & 28) <> 0
FROM pg_trigger WHERE tgtype & 32 <> 0 AND NOT tgisinternal ORDER BY 1, 2
"""  # 32 is TRUNCATE; 4, 8 and 16 are INSERT, DELETE and UPDATE

SWITCHES = """
SELECT tgrelid::regclass::text, tgname::text, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
"""
ON = {"A": "ENABLE ALWAYS", "O": "ENABLE"}

Done = TypeVar("Done")


class TruncateGuard(NamedTuple):
    """A trigger that refuses TRUNCATE, as the migrations left it."""

    table: str
    name: str
    is_always_on: bool
    guards_more: bool


GUARDS: pytest.StashKey[tuple[TruncateGuard, ...]] = pytest.StashKey()


@pytest.fixture(scope="session")
def truncate_guards(
    django_db_setup: None,
    request: pytest.FixtureRequest,
) -> tuple[TruncateGuard, ...]:
    """Return the guards that this database was made with and does without."""
    return request.config.stash[GUARDS]


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: Any, request: pytest.FixtureRequest
) -> Iterator[None]:
    """Go over from the owner, who has migrated, to the application's role."""
    patch = pytest.MonkeyPatch()
    with django_db_blocker.unblock():
        request.config.stash[GUARDS] = _drop_truncate_guards()
        with connection.cursor() as cursor:
            layout = Layout.read(cursor)
        connection.close()
    patch.setitem(
        connection.settings_dict["OPTIONS"], "options", f"-c role={settings.APPLICATION_ROLE}"
    )
    patch.setattr(TransactionTestCase, "_fixture_teardown", partial(_empty_tables, layout))
    yield
    patch.undo()
    with django_db_blocker.unblock():
        connection.close()
        _end_other_sessions()


def _drop_truncate_guards() -> tuple[TruncateGuard, ...]:
    with connection.cursor() as cursor:
        cursor.execute(TRUNCATE_TRIGGERS)
        guards = tuple(TruncateGuard(*row) for row in cursor.fetchall())
        for guard in guards:
            assert not guard.guards_more, f"{guard.name} must be a trigger for TRUNCATE alone"
            cursor.execute(f"DROP TRIGGER {guard.name} ON {guard.table}")
    return guards


def _end_other_sessions() -> None:
    # Threads in which asynchronous tests ran synchronous code keep their connections, and a
    # database that somebody is connected to cannot be dropped.
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _empty_tables(layout: Layout) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        # A connection that a test left in a transaction shall fail that test, not hang the run.
        cursor.execute("SET lock_timeout = '10s'")
        layout.empty(cursor)
        cursor.execute("RESET lock_timeout")
        cursor.execute("RESET ROLE")


def _parameters(*, as_application: bool) -> dict[str, Any]:
    parameters = connection.get_connection_params()
    for name in ("context", "cursor_factory"):
        parameters.pop(name)
    if not as_application:
        parameters.pop("options")
    return parameters


@pytest.fixture
def owner(transactional_db: None) -> Iterator[psycopg.Connection[Any]]:
    """Return a connection of the owner, outside Django's, that commits each statement.

    Triggers that the test switched off are switched on again behind it.
    """
    with psycopg.connect(**_parameters(as_application=False), autocommit=True) as opened:
        before = _switches(opened)
        yield opened
    with psycopg.connect(**_parameters(as_application=False), autocommit=True) as mender:
        for (table, name), switch in _switches(mender).items():
            stood = before.get((table, name), switch)
            if stood != switch:
                mender.execute(f"ALTER TABLE {table} {ON[stood]} TRIGGER {name}")


def _switches(opened: psycopg.Connection[Any]) -> dict[tuple[str, str], str]:
    rows = opened.execute(SWITCHES).fetchall()
    return {(table, name): switch for table, name, switch in rows}


@pytest.fixture
def connect(transactional_db: None) -> Iterator[Callable[..., psycopg.Connection[Any]]]:
    """Return a factory of connections of the application's role, for races.

    `connect()` opens transactions as it goes, `connect(autocommit=True)` does not. What is open
    at the end of the test is rolled back and closed.
    """
    opened: list[psycopg.Connection[Any]] = []

    def open_one(*, autocommit: bool = False) -> psycopg.Connection[Any]:
        opened.append(psycopg.connect(**_parameters(as_application=True), autocommit=autocommit))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


@pytest.fixture
def together(
    transactional_db: None,
) -> Callable[..., list[Any]]:
    """Return a function that starts acts at one moment, each with a connection of its own.

    It answers what each returned or raised, in the order given.
    """

    def run(*acts: Callable[[], Done]) -> list[Done | Exception]:
        start = threading.Barrier(len(acts), timeout=30)

        def run_one(act: Callable[[], Done]) -> Done | Exception:
            try:
                connection.ensure_connection()
                start.wait()
                return act()
            except Exception as error:
                return error
            finally:
                connections.close_all()

        with ThreadPoolExecutor(max_workers=len(acts)) as threads:
            return list(threads.map(run_one, acts))

    return run


@pytest.fixture
def dead_redis(settings: Any) -> Iterator[None]:
    """Put Redis and the broker behind a socket that takes connections and never answers.

    The worst of the ways to be away: a refused connection is noticed at once, this one is not.
    """
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        settings.REDIS_URL = address
        patch = pytest.MonkeyPatch()
        patch.setitem(app.conf, "broker_write_url", f"{address}/0")
        _forget_connections()
        yield
        patch.undo()
    _forget_connections()


def _forget_connections() -> None:
    for each in (live, rates, waking):
        each.forget_connections()
