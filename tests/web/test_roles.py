"""The application's role meets the guards that `web/0001_roles` and `append_only` made."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import psycopg
import pytest
from django.db import connection

from casino.web.append_only import append_only

roles = import_module("casino.web.migrations.0001_roles")


def test_tests_run_as_the_application(db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, session_user <> current_user")
        assert cursor.fetchone() == ("baize_app", True)


def test_application_may_not_make_tables(connect):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connect().execute("CREATE TABLE mine (id int)")


def test_application_may_use_what_the_owner_makes_later(owner, connect):
    owner.execute("CREATE TABLE later (id bigserial, name text)")
    application = connect(autocommit=True)
    application.execute("INSERT INTO later (name) VALUES ('a')")
    application.execute("UPDATE later SET name = 'b'")
    assert application.execute("SELECT id, name FROM later").fetchall() == [(1, "b")]
    application.execute("DELETE FROM later")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        application.execute("TRUNCATE later")
    owner.execute("DROP TABLE later")


@pytest.fixture
def frozen_table(owner):
    owner.execute("CREATE TABLE slips (id int)")
    for operation in append_only("slips"):
        owner.execute(operation.sql)
    owner.execute("INSERT INTO slips VALUES (1)")
    yield "slips"
    owner.execute("DROP TABLE slips")


@pytest.mark.parametrize(
    "statement", ["UPDATE slips SET id = 2", "DELETE FROM slips", "TRUNCATE slips"]
)
def test_even_the_owner_cannot_change_an_append_only_table(owner, frozen_table, statement):
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="slips is append-only"):
        owner.execute(statement)
    assert owner.execute("SELECT id FROM slips").fetchall() == [(1,)]


def test_guards_fire_whatever_the_replication_role(owner, frozen_table):
    triggers = owner.execute(
        "SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = 'slips'::regclass ORDER BY tgname"
    )
    assert triggers.fetchall() == [("slips_frozen", "A"), ("slips_kept", "A")]


@pytest.mark.parametrize("statement", ["UPDATE slips SET id = 2", "DELETE FROM slips"])
def test_application_has_no_right_to_change_an_append_only_table(connect, frozen_table, statement):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connect().execute(statement)


def test_append_only_can_be_unmade(owner, frozen_table):
    for operation in reversed(append_only("slips")):
        owner.execute(operation.reverse_sql)
    owner.execute("UPDATE slips SET id = 2")
    assert owner.execute("SELECT id FROM slips").fetchall() == [(2,)]


def test_every_truncate_guard_fires_always(truncate_guards):
    assert ("events_outbox", "events_outbox_kept", True, False) in truncate_guards
    assert [guard for guard in truncate_guards if not guard.is_always_on] == []


@pytest.fixture
def make_twin_role(owner):
    """Return the statement that makes the application's role, for a role of this test alone."""
    yield roles.MAKE_ROLE.replace("baize_app", "baize_twin")
    owner.execute("DROP ROLE IF EXISTS baize_twin")


def test_role_is_made_once_by_two_migrations_at_the_same_moment(owner, make_twin_role):
    parameters = owner.info.get_parameters() | {"password": owner.info.password}
    with psycopg.connect(**parameters) as first, psycopg.connect(**parameters) as second:
        first.execute(make_twin_role)
        with ThreadPoolExecutor(1) as threads:
            later = threads.submit(second.execute, make_twin_role)
            is_waiting(owner, second)
            first.commit()
            later.result(timeout=30)
        second.commit()
    assert owner.execute(
        "SELECT pg_has_role('baize_twin', 'MEMBER') FROM pg_roles WHERE rolname = 'baize_twin'"
    ).fetchall() == [(True,)]


def test_making_the_role_twice_changes_nothing(owner, make_twin_role):
    owner.execute(make_twin_role)
    owner.execute(make_twin_role)


def test_owner_who_may_not_make_roles_is_told_what_an_administrator_must_run(
    connect, make_twin_role
):
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as refused:
        connect().execute(make_twin_role)
    assert refused.value.diag.message_primary == "baize_app may not create the role baize_twin"
    assert refused.value.diag.message_hint == (
        "Let an administrator run: CREATE ROLE baize_twin NOLOGIN; GRANT baize_twin TO baize_app;"
    )


def is_waiting(owner, other):
    """Return once *other*'s statement waits for a lock."""
    while not owner.execute(
        "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = %s",
        [other.info.backend_pid],
    ).fetchone()[0]:
        pass
