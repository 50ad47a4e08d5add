import dataclasses
import os
from pathlib import Path

import psycopg
import pytest

from casino.local.children import OsUser, identity
from casino.local.errors import OtherMajorError, StateFolderError
from casino.local.places import Places
from casino.local.postgres import stop_left_over
from casino.local.programs import find_postgres
from tests.local.conftest import Started, postgres_server

INSTALLED = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
EVERY_POSTGRES = ["", *(str(program.parent) for program in INSTALLED)]
"""The wheel's and those of the distribution, where there are any."""


def write_row(places: Places) -> None:
    with psycopg.connect(places.database_owner_url) as connection:
        connection.execute("CREATE TABLE kept (chips bigint)")
        connection.execute("INSERT INTO kept VALUES (812)")


def rows(places: Places) -> list[tuple[int]]:
    with psycopg.connect(places.database_owner_url) as connection:
        return connection.execute("SELECT chips FROM kept").fetchall()


@pytest.mark.parametrize("folder", EVERY_POSTGRES)
def test_two_logins_on_every_postgresql(places: Places, started: Started, folder: str) -> None:
    started.postgres(places, programs=folder)
    with psycopg.connect(places.database_owner_url, autocommit=True) as owner:
        assert owner.execute("SELECT session_user::text, current_database()::text").fetchall() == [
            ("baize_owner", "baize")
        ]
        owner.execute("CREATE DATABASE test_baize")
        owner.execute("SET ROLE baize_app")
        assert owner.execute("SELECT current_user::text").fetchone() == ("baize_app",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            owner.execute("CREATE TABLE public.mine ()")
        locale = "SELECT datcollate, pg_encoding_to_char(encoding) FROM pg_database"
        assert set(owner.execute(locale).fetchall()) <= {("C.UTF-8", "UTF8"), ("C", "UTF8")}
    with psycopg.connect(places.database_url) as application:
        attributes = application.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = session_user"
        )
        assert attributes.fetchone() == (False, False, False)


def test_no_network_port(places: Places, started: Started) -> None:
    started.postgres(places)
    with psycopg.connect(places.database_url) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    assert places.postgres_socket.parent.stat().st_mode & 0o077 == 0


def test_state_is_kept_over_a_clean_stop(places: Places, started: Started) -> None:
    first = started.postgres(places)
    write_row(places)
    first.stop()
    assert first.status() == 0
    started.postgres(places)
    assert rows(places) == [(812,)]


def test_killed_server_starts_again_with_what_was_committed(
    places: Places, started: Started
) -> None:
    first = started.postgres(places, durable=True)
    write_row(places)
    with psycopg.connect(places.database_url):  # its session outlives the server for a moment
        first.process.kill()
        first.process.wait()
        assert (places.postgres_data / "postmaster.pid").exists()
        started.postgres(places, durable=True)
    assert rows(places) == [(812,)]


def test_left_over_server_is_stopped(places: Places, started: Started) -> None:
    left_over = started.postgres(places)
    told: list[str] = []
    stop_left_over(places, tell=told.append)
    assert identity(left_over.pid) is None
    assert told == [
        f"Stopping postgres, left over from a run that was killed (process {left_over.pid})."
    ]
    stop_left_over(places, tell=told.append)
    assert len(told) == 1


def test_number_of_a_dead_server_that_another_program_got(places: Places, started: Started) -> None:
    started.postgres(places).stop()
    (places.postgres_data / "postmaster.pid").write_text(f"{os.getpid()}\n")
    told: list[str] = []
    stop_left_over(places, tell=told.append)
    assert told == []
    started.postgres(places)


def test_cluster_cut_short_is_made_anew(places: Places, started: Started) -> None:
    places.make()
    unfinished = places.base / "postgres.unfinished"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("18\n")
    started.postgres(places)
    assert not unfinished.exists()


def test_cluster_of_another_major_is_refused(places: Places, started: Started) -> None:
    started.postgres(places).stop()
    version = places.postgres_data / "PG_VERSION"
    version.write_text("14\n")
    before = {path: path.stat().st_mtime_ns for path in places.postgres_data.rglob("*")}
    found = find_postgres(os.environ, for_other_user=places.postgres_user is not None).major
    with pytest.raises(OtherMajorError, match=f"by PostgreSQL 14, .* are of {found};"):
        started.postgres(places)
    assert {path: path.stat().st_mtime_ns for path in places.postgres_data.rglob("*")} == before


def test_cluster_of_another_account_is_refused(places: Places, started: Started) -> None:
    started.postgres(places).stop()
    owner = places.postgres_data.stat()
    other = OsUser("somebody", owner.st_uid + 1, owner.st_gid)
    server = postgres_server(places)
    server.places = dataclasses.replace(places, postgres_user=other)
    with pytest.raises(StateFolderError, match="as the user who made it"):
        server.start()


def test_long_path_under_a_closed_parent(tmp_path: Path, started: Started) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    places = Places.of(closed / ("long" * 20))
    try:
        started.postgres(places)
        write_row(places)
        assert rows(places) == [(812,)]
    finally:
        started.children.pop().stop()
        places.remove()
