"""A guard whose body somebody replaced has its name and its rights still; the doctor names it."""

from __future__ import annotations

import pytest

from ledger.doctor import TRIGGERS
from ledger.doctor_bodies import altered, made, read

pytestmark = pytest.mark.django_db(transaction=True)

SEARCH_PATH = "search_path=pg_catalog, public, pg_temp"


def found():
    return tuple(altered())


def standing(owner, name):
    """Return the statement that makes function *name* as it stands."""
    (statement,) = owner.execute(
        "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = %s", [name]
    ).fetchone()
    return statement


def harmed(owner, harm, cure):
    """Return what is found between *harm* and *cure*."""
    owner.execute(harm)
    try:
        return found()
    finally:
        owner.execute(cure)
        assert found() == ()


def test_database_is_what_the_migrations_made():
    assert found() == ()


@pytest.mark.parametrize(
    "name", ["web_frozen", "ledger_check_postings", "ledger_check_entry", "events_outbox_update"]
)
def test_guard_that_guards_nothing_any_more_is_named(owner, name):
    was = standing(owner, name)
    head, _, _body = was.partition("AS $function$")
    harm = head + "AS $function$ BEGIN RETURN NEW; END $function$"
    assert harmed(owner, harm, was) == (
        f"function {name} is not what the migrations made: its body",
    )


def test_one_word_of_a_body_is_enough(owner):
    was = standing(owner, "ledger_write")
    assert "entry.legs := legs;" in was
    harm = was.replace("entry.legs := legs;", "entry.legs := legs ;")
    assert harmed(owner, harm, was) == (
        "function ledger_write is not what the migrations made: its body",
    )


@pytest.mark.parametrize(
    ("harm", "cure", "finding"),
    [
        (
            "ALTER FUNCTION ledger_check_entry RESET search_path",
            "ALTER FUNCTION ledger_check_entry SET search_path = pg_catalog, public, pg_temp",
            "function ledger_check_entry is not what the migrations made: its settings",
        ),
        (
            "ALTER FUNCTION ledger_write SECURITY DEFINER VOLATILE SET work_mem = '1MB'",
            "ALTER FUNCTION ledger_write SECURITY INVOKER RESET work_mem",
            "function ledger_write is not what the migrations made: its owner's rights, "
            "its settings",
        ),
        (
            "ALTER FUNCTION ledger_day_lock STABLE",
            "ALTER FUNCTION ledger_day_lock IMMUTABLE",
            "function ledger_day_lock is not what the migrations made: its volatility",
        ),
        (
            "ALTER FUNCTION ledger_new_id RENAME TO ledger_old_id",
            "ALTER FUNCTION ledger_old_id RENAME TO ledger_new_id",
            "function ledger_new_id is missing|"
            "function ledger_old_id() is none that the migrations made",
        ),
        (
            "CREATE FUNCTION ledger_seal_next(integer) RETURNS integer LANGUAGE sql AS 'SELECT 0'",
            "DROP FUNCTION ledger_seal_next(integer)",
            "function ledger_seal_next(integer) is none that the migrations made",
        ),
        (
            "CREATE SCHEMA shadow"
            " CREATE TABLE t (); CREATE FUNCTION shadow.ledger_clock() RETURNS integer"
            " LANGUAGE sql AS 'SELECT 0'",
            "DROP SCHEMA shadow CASCADE",
            "function shadow.ledger_clock() is none that the migrations made",
        ),
        (
            "CREATE TRIGGER more BEFORE INSERT ON ledger_posting"
            " FOR EACH ROW EXECUTE FUNCTION events_outbox_update()",
            "DROP TRIGGER more ON ledger_posting",
            "trigger more on ledger_posting is none that the migrations made",
        ),
        (
            "CREATE OR REPLACE TRIGGER ledger_slip_frozen BEFORE UPDATE ON ledger_slip"
            " FOR EACH STATEMENT EXECUTE FUNCTION web_frozen()",
            "CREATE OR REPLACE TRIGGER ledger_slip_frozen BEFORE UPDATE OR DELETE ON ledger_slip"
            " FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();"
            " ALTER TABLE ledger_slip ENABLE ALWAYS TRIGGER ledger_slip_frozen",
            "trigger ledger_slip_frozen on ledger_slip is not what the migrations made",
        ),
        (
            "CREATE OR REPLACE TRIGGER ledger_entry_has_postings AFTER INSERT ON ledger_entry"
            " FOR EACH ROW EXECUTE FUNCTION ledger_check_denoms()",
            None,
            "trigger ledger_entry_has_postings on ledger_entry is not what the migrations made",
        ),
    ],
)
def test_function_or_trigger_that_was_changed_is_named(owner, harm, cure, finding):
    if cure is None:  # a trigger that fires at the commit cannot be replaced in place
        (was,) = owner.execute(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = %s",
            ["ledger_entry_has_postings"],
        ).fetchone()
        drop = "DROP TRIGGER ledger_entry_has_postings ON ledger_entry; "
        always = "; ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_has_postings"
        harm, cure = drop + harm, drop + was + always
    assert harmed(owner, harm, cure) == tuple(finding.split("|"))


def test_every_way_into_the_books_has_a_fixed_search_path(owner):
    triggers = {trigger.calls for trigger in made().triggers.values()}
    for (name, _types), function in made().functions.items():
        if name.startswith("ledger_") and (function.is_definer or name in triggers):
            assert SEARCH_PATH in function.settings, name


def test_every_guard_is_read_out_of_the_migrations():
    names = {name for _table, name in made().triggers}
    assert {f"{table}_{word}" for table, words in TRIGGERS.items() for word in words} <= names


SQL = """
CREATE FUNCTION a(x bigint, OUT y text) LANGUAGE sql AS $$ first $$;
-- CREATE FUNCTION in_a_comment() RETURNS void LANGUAGE sql AS $$ never $$;
DO $$ BEGIN EXECUTE 'DROP FUNCTION a'; END $$;
CREATE FUNCTION a(x timestamptz) RETURNS TABLE (y text) LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
    -- Why it is so.
    SET plan_cache_mode = force_generic_plan AS $$ DROP FUNCTION a; $$;
CREATE FUNCTION b() RETURNS void LANGUAGE sql AS $$ gone $$;
DROP FUNCTION b, c;
CREATE OR REPLACE FUNCTION a(x bigint) RETURNS text LANGUAGE sql AS $$ last $$;
"""


def test_last_definition_wins_and_each_signature_is_a_function_of_its_own():
    functions = read(SQL).functions
    assert set(functions) == {("a", "bigint"), ("a", "timestamp with time zone")}
    assert functions["a", "bigint"].body == " last "
    other = functions["a", "timestamp with time zone"]
    assert (other.language, other.volatility, other.is_definer) == ("plpgsql", "s", True)
    assert other.settings == {SEARCH_PATH, "plan_cache_mode=force_generic_plan"}
