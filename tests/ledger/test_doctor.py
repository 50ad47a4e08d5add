"""The doctor finds what was taken from the guards, and what was changed behind them."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils.timezone import now

from ledger.doctor import CALLABLE, TRIGGERS, examine
from ledger.inspecting import verify_books
from ledger.models import Account, Entry, Inspection
from ledger.services.sealing import seal_next
from tests.ledger.conftest import AT, books, house, poster
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def guarded(owner, truncate_guards):
    """Give the test database back the triggers that it does without."""
    kept = [guard for guard in truncate_guards if guard.table.startswith("ledger_")]
    for guard in kept:
        owner.execute(
            f"CREATE TRIGGER {guard.name} BEFORE TRUNCATE ON {guard.table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION web_frozen()"
        )
        owner.execute(f"ALTER TABLE {guard.table} ENABLE ALWAYS TRIGGER {guard.name}")
    yield owner
    for guard in kept:
        owner.execute(f"DROP TRIGGER {guard.name} ON {guard.table}")


def test_books_as_the_migrations_made_them_are_sound(guarded):
    poster(house("golden-gate"))()
    output = StringIO()
    call_command("ledger_doctor", stdout=output)
    assert output.getvalue().splitlines()[-1] == "the books are guarded and add up"
    assert examine().findings == ()


def test_truncate_is_refused_also_when_it_comes_from_a_parent(guarded):
    poster(house("golden-gate"))()
    before = books()
    for table in (*TRIGGERS, "ledger_currency", "properties_property"):
        with pytest.raises(Exception, match="append-only"):
            guarded.execute(f"TRUNCATE {table} CASCADE")
    assert books() == before


def test_login_that_owns_the_books_is_said_to_be_weaker(guarded):
    (weakness,) = examine().weaknesses
    assert "one login" in weakness


def test_finding_fails_the_command(guarded):
    guarded.execute("GRANT INSERT ON ledger_entry TO baize_app")
    errors = StringIO()
    try:
        with pytest.raises(CommandError, match="1 finding"):
            call_command("ledger_doctor", stdout=StringIO(), stderr=errors)
        assert errors.getvalue() == "wrong: the application may INSERT ledger_entry\n"
    finally:
        guarded.execute("REVOKE INSERT ON ledger_entry FROM baize_app")


@pytest.mark.parametrize(
    ("harm", "cure", "finding"),
    [
        (
            "ALTER TABLE ledger_posting ENABLE TRIGGER ledger_posting_frozen",
            "ALTER TABLE ledger_posting ENABLE ALWAYS TRIGGER ledger_posting_frozen",
            "trigger ledger_posting_frozen is missing, or not enabled ALWAYS",
        ),
        (
            "ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_has_postings",
            "ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_has_postings",
            "trigger ledger_entry_has_postings is missing, or not enabled ALWAYS",
        ),
        (
            "GRANT UPDATE (memo) ON ledger_entry TO baize_app",
            "REVOKE UPDATE (memo) ON ledger_entry FROM baize_app",
            "the application may UPDATE ledger_entry",
        ),
        (
            "GRANT TRUNCATE ON ledger_key TO baize_app",
            "REVOKE TRUNCATE ON ledger_key FROM baize_app",
            "the application may TRUNCATE ledger_key",
        ),
        (
            "ALTER FUNCTION ledger_post RESET search_path",
            "ALTER FUNCTION ledger_post SET search_path = pg_catalog, public, pg_temp",
            "function ledger_post is not what the migrations made: its settings",
        ),
        (
            "ALTER FUNCTION ledger_close_day SECURITY INVOKER",
            "ALTER FUNCTION ledger_close_day SECURITY DEFINER",
            "function ledger_close_day is not what the migrations made: its owner's rights",
        ),
        (
            "GRANT EXECUTE ON FUNCTION ledger_write TO baize_app",
            "REVOKE EXECUTE ON FUNCTION ledger_write FROM baize_app",
            "function ledger_write may be called by the application",
        ),
        (
            "REVOKE EXECUTE ON FUNCTION ledger_reverse FROM baize_app",
            "GRANT EXECUTE ON FUNCTION ledger_reverse TO baize_app",
            "the application may not call function ledger_reverse",
        ),
    ],
)
def test_guard_that_was_taken_away_is_found(guarded, harm, cure, finding):
    guarded.execute(harm)
    try:
        assert examine().findings == (finding,)
    finally:
        guarded.execute(cure)
    assert examine().findings == ()


def test_what_everybody_may_is_found_of_the_application_and_the_auditor(guarded):
    guarded.execute("GRANT TRUNCATE ON ledger_key TO PUBLIC")
    try:
        assert examine().findings == (
            "the application may TRUNCATE ledger_key",
            "the auditor may TRUNCATE ledger_key",
        )
    finally:
        guarded.execute("REVOKE TRUNCATE ON ledger_key FROM PUBLIC")


def test_process_that_works_as_the_owner_is_found(guarded):
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        cursor.execute("SELECT current_user")
        (login,) = cursor.fetchone()
    findings = examine().findings
    connection.close()
    assert findings == (f"this process works as {login}, not as the application's role",)


def test_balance_that_was_changed_behind_the_books_is_found(guarded):
    poster(house("golden-gate"))()
    guarded.execute("UPDATE ledger_balance SET debit = debit + 7 WHERE debit > 0")
    (balance, trial) = examine().findings
    assert balance.startswith("the balance of account 1120/table:3 of property ")
    assert trial.endswith("by 7 USD")


def test_amount_that_was_changed_behind_the_guards_is_found(guarded):
    posted = poster(house("golden-gate"))()
    guarded.execute("ALTER TABLE ledger_posting DISABLE TRIGGER ledger_posting_frozen")
    guarded.execute("UPDATE ledger_posting SET amount = amount + 7 WHERE amount > 0")
    guarded.execute("ALTER TABLE ledger_posting ENABLE ALWAYS TRIGGER ledger_posting_frozen")
    findings = examine().findings
    assert findings[0].startswith("the balance of account 1120/table:3 of property ")
    assert findings[1] == f"entry {posted.id} does not balance, or has other legs than it says"


def test_every_function_that_the_application_may_call_is_known(guarded):
    callable_ = guarded.execute(
        "SELECT proname FROM pg_proc WHERE proname LIKE 'ledger\\_%'"
        " AND has_function_privilege('baize_app', oid, 'EXECUTE') ORDER BY 1"
    ).fetchall()
    assert [name for (name,) in callable_] == list(CALLABLE)


def test_doctor_says_where_every_chain_stands_and_is_kept(guarded):
    casino = house("golden-gate")
    poster(casino)(key="sealed")
    seal_next(property_id=casino.pk, at=AT)
    poster(casino)(key="waits")
    (waits,) = Entry.objects.filter(keys__key="waits")
    verify_books(property_id=casino.pk, actor="system:inspection", at=AT)
    output = StringIO()
    call_command("ledger_doctor", stdout=output)
    assert output.getvalue().splitlines()[0] == (
        "golden-gate: seal 1 of 2026-03-14 20:30 UTC; 1 entries wait for one since "
        f"{waits.recorded_at:%Y-%m-%d %H:%M} UTC; "
        "verified 2026-03-14 20:30 UTC up to seal 1, 0 findings"
    )
    kept = Inspection.objects.latest("pk")
    assert (kept.property_id, kept.kind, kept.findings) == (None, "doctor", [])


def test_books_that_nobody_verified_for_two_days_are_a_weakness(guarded):
    house("macau")  # it has no books
    casino = house("golden-gate")
    poster(casino)()
    assert not any("two days" in weakness for weakness in examine().weaknesses)
    tamper(guarded, "UPDATE ledger_entry SET recorded_at = now() - interval '49 hours'")
    old = "the books of golden-gate were not verified for two days: are worker and beat running?"
    assert old in examine().weaknesses
    moment = now() - timedelta(days=2, minutes=1)
    verify_books(property_id=casino.pk, actor="system:inspection", at=moment)
    assert old in examine().weaknesses
    verify_books(property_id=casino.pk, actor="system:inspection", at=now())
    assert old not in examine().weaknesses


def test_what_the_last_examination_found_is_said_and_not_kept_again(guarded):
    casino = house("golden-gate")
    poster(casino)()
    seal_next(property_id=casino.pk, at=AT)
    usual = {"property_id": casino.pk, "actor": "system:inspection", "at": AT}
    verify_books(**usual, heads={1: bytes(32)})
    said = (
        "the last examination found what must not be: "
        "verify of golden-gate at 2026-03-14 20:30 UTC, 1 findings"
    )
    assert (examine().findings, examine().earlier) == ((), (said,))
    errors = StringIO()
    with pytest.raises(CommandError, match="1 finding"):
        call_command("ledger_doctor", stdout=StringIO(), stderr=errors)
    assert errors.getvalue() == f"wrong: {said}\n"
    assert Inspection.objects.get(kind=Inspection.Kind.DOCTOR).findings == []
    verify_books(**usual)
    assert examine().earlier == ()


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        ("UPDATE ledger_balance SET side = -side", "by its side, is not what the chart says"),
        ("UPDATE ledger_account SET instrument = 'cash'", "by its instrument, is not"),
        ("UPDATE ledger_account SET shards = 2", "by its shards, is not what the chart says"),
        ("UPDATE ledger_balance SET floor = -7000", "by its floor, is not what the chart says"),
        ("UPDATE ledger_account SET closed_at = now()", "takes postings though it is closed"),
        ("UPDATE ledger_balance SET is_open = false", "takes none though it is open"),
        ("UPDATE ledger_account SET code = '1999/table:3'", "is not in the chart"),
    ],
)
def test_account_that_is_not_as_the_chart_says_is_found(guarded, harm, words):
    casino = house("golden-gate")
    poster(casino)()
    tray = Account.objects.get(code="1120/table:3")
    column = "id" if "ledger_account" in harm else "account_id"
    tamper(guarded, f"{harm} WHERE {column} = {tray.pk}")
    (finding,) = examine().findings
    tray.refresh_from_db()
    assert finding.startswith(f"account {tray.code} of property {casino.pk}")
    assert words in finding


def test_account_of_another_type_than_the_charts_is_found_without_its_constraint(guarded):
    poster(house("golden-gate"))()
    (check,) = guarded.execute(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'ledger_account_type'"
    ).fetchone()
    guarded.execute("ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_type")
    set_type = "UPDATE ledger_account SET type = '{}' WHERE code = '1120/table:3'"
    try:
        tamper(guarded, set_type.format("expense"))
        (finding,) = examine().findings
        assert finding.endswith(", by its type, is not what the chart says of it")
    finally:
        tamper(guarded, set_type.format("asset"))
        guarded.execute(f"ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_type {check}")


def test_books_of_another_cluster_are_found(guarded):
    casino = house("golden-gate")
    poster(casino)()
    seal_next(property_id=casino.pk, at=AT)
    tamper(guarded, "UPDATE ledger_epoch SET cluster = 1")
    assert examine().findings == (
        "the books of golden-gate were restored from another cluster: "
        "verify them, then begin an epoch",
    )


def test_entry_that_waits_for_hours_without_a_reason_is_found(guarded):
    casino, played = house("golden-gate"), house("demo", is_sandbox=True)
    poster(casino)()
    poster(played)()
    assert examine().findings == ()
    tamper(guarded, "UPDATE ledger_entry SET recorded_at = now() - interval '61 minutes'")
    assert examine().findings == (
        "entries of golden-gate wait for a seal for more than an hour, and nothing holds them back",
    )
