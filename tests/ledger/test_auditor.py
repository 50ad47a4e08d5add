"""An inspector's login reads the books and what explains them: no secret, no write, no function."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import psycopg
import pytest
from psycopg import sql

from casino.web.auditor import auditor_reads, auditor_reads_all
from ledger.doctor import answers
from ledger.doctor_roles import AUDITOR
from tests.architecture.papers import ROOT, blocks
from tests.ledger.conftest import house, poster

pytestmark = pytest.mark.django_db(transaction=True)

role = import_module("casino.web.migrations.0005_auditor")

TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1
"""
SECRETS = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = 'public'
  AND (column_name ~ 'password|pin|token|secret'
       OR column_name ~ '(key|session).*(hash|data)'
       OR table_name ~ '^(django_session|web_requestkey|oauth2_provider|axes)')
ORDER BY 1, 2
"""
READABLE = ("ledger_", "tables_", "properties_", "events_")
EXPLAINED_BY = {
    "staff_auditrow",
    "staff_employeerole",
    "staff_rolechoice",
    "staff_signature",
    "web_apiclient",
}


@pytest.fixture
def inspector(owner):
    """Return a connection of a login that was made as the runbook says."""
    name, password = f"inspector_{os.getpid()}", "a password of this test"
    owner.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{password}' IN ROLE baize_auditor")
    owner.execute(f"ALTER ROLE {name} SET default_transaction_read_only = on")
    address = owner.info.get_parameters() | {"user": name, "password": password}
    with psycopg.connect(**address, autocommit=True) as opened:
        yield opened
    owner.execute(f"DROP ROLE {name}")


@pytest.fixture
def careless(inspector):
    """Return the login after it has put off its own caution: the grants alone refuse."""
    inspector.execute("SET default_transaction_read_only = off")
    return inspector


def tables(connection):
    return [name for (name,) in connection.execute(TABLES)]


def readable(inspector):
    """Return the tables of which every column can be read."""
    return {
        name
        for name in tables(inspector)
        if inspector.execute("SELECT has_table_privilege(%s, 'SELECT')", [name]).fetchone()
        == (True,)
    }


def test_login_reads_every_table_of_the_books_and_of_what_explains_them(inspector):
    poster(house("golden-gate"))()
    wanted = {name for name in tables(inspector) if name.startswith(READABLE)} | EXPLAINED_BY
    assert {"ledger_posting", "tables_round", "properties_setting", "events_outbox"} <= wanted
    assert readable(inspector) == wanted
    for name in wanted:
        inspector.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(name))).fetchall()
    assert inspector.execute(
        "SELECT source, amount FROM ledger_entry JOIN ledger_posting ON entry_id = ledger_entry.id"
        " ORDER BY line"
    ).fetchall() == [("round:812", 500), ("round:812", -500)]


def test_the_query_of_the_runbook_is_answered(inspector):
    poster(house("jade-harbour"))()
    (asked,) = [block for block in blocks(ROOT / "docs" / "runbook.md", "sql") if "FROM" in block]
    assert [(code, amount) for code, *_entry, amount, _, _ in inspector.execute(asked)] == [
        ("1120/table:3", 500),
        ("4010/session:7", -500),
    ]


def test_login_starts_in_transactions_that_only_read(inspector):
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        inspector.execute("CREATE TEMPORARY TABLE notes (line text)")


def test_no_table_of_the_database_can_be_written(careless):
    for name in map(sql.Identifier, tables(careless)):
        for statement in (
            "INSERT INTO {} DEFAULT VALUES",
            "DELETE FROM {}",
            "TRUNCATE {}",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                careless.execute(sql.SQL(statement).format(name))


def test_no_column_of_the_database_can_be_changed(careless):
    columns = careless.execute(
        "SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid"
        " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0"
        " AND NOT attisdropped ORDER BY 1, 2"
    ).fetchall()
    assert ("ledger_entry", "memo") in columns
    for table, column in columns:
        change = sql.SQL("UPDATE {} SET {} = DEFAULT").format(*map(sql.Identifier, (table, column)))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            careless.execute(change)


def test_no_secret_can_be_read(owner, inspector):
    secrets = owner.execute(SECRETS).fetchall()
    assert {
        ("staff_employee", "password"),
        ("staff_employee", "pin_hash"),
        ("staff_device", "token_hash"),
        ("staff_enrolment", "token_hash"),
        ("django_session", "session_data"),
        ("web_requestkey", "key"),
        ("oauth2_provider_application", "client_secret"),
        ("oauth2_provider_accesstoken", "token_checksum"),
    } <= set(secrets)
    for table, column in secrets:
        read = sql.SQL("SELECT {} FROM {}").format(*map(sql.Identifier, (column, table)))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            inspector.execute(read)


def test_people_and_tablets_are_known_by_all_but_their_secrets(owner, inspector):
    hidden = {
        (table, column)
        for table in ("staff_employee", "staff_device", "staff_enrolment")
        for (column,) in owner.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
            " AND NOT has_column_privilege('baize_auditor', attrelid, attnum, 'SELECT')",
            [table],
        )
    }
    assert hidden == {
        ("staff_employee", "password"),
        ("staff_employee", "pin_hash"),
        ("staff_device", "token_hash"),
        ("staff_enrolment", "token_hash"),
    }
    assert inspector.execute("SELECT number, name FROM staff_employee").fetchall() == []


def test_no_function_of_the_product_can_be_called(owner, careless):
    functions = owner.execute(
        "SELECT oid::regprocedure::text, has_function_privilege('baize_auditor', oid, 'EXECUTE')"
        " FROM pg_proc WHERE proname ~ '^(ledger|events)_'"
        " AND prorettype <> 'trigger'::regtype ORDER BY 1"
    ).fetchall()
    assert len(functions) > 10
    assert [name for name, may_call in functions if may_call] == []
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        careless.execute("SELECT ledger_open_day(1, '2026-03-14', 'inspector', now())")


def test_login_cannot_step_up(careless):
    for name in ("baize_app", "baize_owner"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            careless.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(name)))


def test_sound_roles_leave_the_doctor_nothing_to_say():
    assert list(answers(AUDITOR)) == []


@pytest.mark.parametrize(
    ("harm", "cure", "finding"),
    [
        (
            "GRANT DELETE ON tables_count TO baize_auditor",
            "REVOKE DELETE ON tables_count FROM baize_auditor",
            "the auditor may DELETE tables_count",
        ),
        (
            "GRANT UPDATE (memo) ON ledger_entry TO baize_auditor",
            "REVOKE UPDATE (memo) ON ledger_entry FROM baize_auditor",
            "the auditor may UPDATE ledger_entry",
        ),
        (
            "GRANT USAGE ON SEQUENCE events_outbox_id_seq TO baize_auditor",
            "REVOKE USAGE ON SEQUENCE events_outbox_id_seq FROM baize_auditor",
            "the auditor may USAGE sequence events_outbox_id_seq",
        ),
        (
            "GRANT CREATE ON SCHEMA public TO baize_auditor",
            "REVOKE CREATE ON SCHEMA public FROM baize_auditor",
            "the auditor may CREATE in the schema public",
        ),
        (
            "CREATE TABLE ledger_forgotten (id int)",
            "DROP TABLE ledger_forgotten",
            "the auditor cannot read ledger_forgotten",
        ),
        (
            "CREATE TABLE tables_forgotten (id int)",
            "DROP TABLE tables_forgotten",
            "the auditor cannot read tables_forgotten",
        ),
        (
            "REVOKE SELECT ON staff_auditrow FROM baize_auditor",
            "GRANT SELECT ON staff_auditrow TO baize_auditor",
            "the auditor cannot read staff_auditrow",
        ),
        (
            "GRANT SELECT (pin_hash) ON staff_employee TO baize_auditor",
            "REVOKE SELECT (pin_hash) ON staff_employee FROM baize_auditor",
            "the auditor may read the secret pin_hash of staff_employee",
        ),
        (
            "GRANT SELECT (body) ON web_requestkey TO baize_auditor",
            "REVOKE SELECT (body) ON web_requestkey FROM baize_auditor",
            "the auditor may read the secret body of web_requestkey",
        ),
        (
            "GRANT EXECUTE ON FUNCTION ledger_open_day TO baize_auditor",
            "REVOKE EXECUTE ON FUNCTION ledger_open_day FROM baize_auditor",
            "the auditor may call function ledger_open_day",
        ),
        (
            "CREATE FUNCTION public_by_default() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "DROP FUNCTION public_by_default",
            "the auditor may call function public_by_default",
        ),
    ],
)
def test_doctor_names_what_the_auditor_may_too_much_or_too_little(owner, harm, cure, finding):
    owner.execute(harm)
    try:
        assert list(answers(AUDITOR)) == [finding]
    finally:
        owner.execute(cure)


def test_table_that_is_made_later_is_read_once_its_migration_says_so(owner, inspector):
    owner.execute("CREATE TABLE later_book (id int, note text)")
    try:
        for reading in (auditor_reads_all("later"), auditor_reads("later_book", "note")):
            owner.execute(reading.sql)
            inspector.execute("SELECT note FROM later_book")
            owner.execute(reading.reverse_sql)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                inspector.execute("SELECT note FROM later_book")
    finally:
        owner.execute("DROP TABLE later_book")


@pytest.fixture
def make_twin_role(owner):
    """Return the statement that makes the auditor's role, for a role of this test alone."""
    yield role.MAKE_ROLE.replace("baize_auditor", "baize_second_auditor")
    owner.execute("DROP ROLE IF EXISTS baize_second_auditor")


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
    owner.execute(make_twin_role)
    assert owner.execute(
        "SELECT rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles"
        " WHERE rolname = 'baize_second_auditor'"
    ).fetchall() == [(False, False, False, False, False)]


def test_owner_who_may_not_make_roles_is_told_what_an_administrator_must_run(
    connect, make_twin_role
):
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as refused:
        connect().execute(make_twin_role)
    assert (
        refused.value.diag.message_primary
        == "baize_app may not create the role baize_second_auditor"
    )
    assert refused.value.diag.message_hint == (
        "Let an administrator run: CREATE ROLE baize_second_auditor NOLOGIN;"
    )


def is_waiting(owner, other):
    """Return once *other*'s statement waits for a lock."""
    while not owner.execute(
        "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = %s",
        [other.info.backend_pid],
    ).fetchone()[0]:
        pass
