"""Whoever comes around the ledger's functions is refused by PostgreSQL, the owner included."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest
from psycopg import errors

from casino.local.postgres import SUPERUSER
from ledger.models import Account, Balance, BooksAreReadOnlyError, Currency, Entry, Posting
from ledger.selectors import balance
from ledger.services.accounts import open_account
from ledger.services.posting import Leg
from tests.ledger.conftest import AT, DAY, books, close, house, legs, poster
from tests.ledger.tampering import restore_elsewhere

BOOKS = (
    "ledger_currency",
    "ledger_account",
    "ledger_balance",
    "ledger_entry",
    "ledger_posting",
    "ledger_denom",
    "ledger_key",
    "ledger_period",
    "ledger_snapshot",
    "ledger_series",
    "ledger_slip",
    "ledger_epoch",
    "ledger_seal",
    "ledger_inspection",
)
FROZEN = (
    "ledger_entry",
    "ledger_posting",
    "ledger_denom",
    "ledger_key",
    "ledger_slip",
    "ledger_epoch",
    "ledger_seal",
    "ledger_inspection",
)

NEW_ENTRY = """
INSERT INTO ledger_entry (id, public_id, property_id, gaming_day, effective_at, recorded_at, txid,
    reverses_id, legs, kind, source, actor, approver, table_ref, session_ref, shift, memo,
    restates_id, corrects_id, late_day, rate_sold, rate_bought)
OVERRIDING SYSTEM VALUE
SELECT coalesce(%(id)s, nextval('ledger_entry_id_seq')), gen_random_uuid(), %(property)s,
    '2026-03-14', now(), now(),
    coalesce(%(txid)s::xid8, pg_current_xact_id()), %(reverses)s, %(legs)s, 'forged', 'nobody',
    'owner', %(approver)s, '', '', '', %(memo)s, %(restates)s, %(corrects)s, %(late_day)s,
    %(rate_sold)s, %(rate_bought)s
RETURNING id
"""
NO_MORE = dict.fromkeys(
    ("id", "reverses", "restates", "corrects", "txid", "late_day", "rate_sold", "rate_bought")
) | {"approver": "auditor", "memo": "by hand"}
NEW_POSTINGS = """
INSERT INTO ledger_posting (entry_id, line, account_id, property_id, amount, account_version,
    gaming_day, shard, currency, event)
SELECT entry, written + line, account.id, coalesce(%s, account.property_id), amount,
    1000 * entry + written + line, %s, 0, account.currency, event
FROM (SELECT %s::bigint AS entry) AS target,
     LATERAL (SELECT count(*) AS written FROM ledger_posting WHERE entry_id = entry) AS standing,
     unnest(%s::text[], %s::bigint[], %s::text[]) WITH ORDINALITY
     AS given (code, amount, event, line)
JOIN ledger_account AS account ON account.code = given.code
"""

POST = """
SELECT ledger_post(%(property)s, 'k', 'k', 's', 'a', '', {at}, {day}, '', '', '', '',
    NULL, NULL, NULL, NULL, NULL, '{{1120/table:3,1130/document:F-0001}}', '{{7,-7}}',
    '{{x,x}}', '{{}}', '{{}}', '{{}}')
"""


MIRROR = (("1120/table:3", -500), ("1130/document:F-0001", 500))
"""What takes back the entry that stands."""
DAY_BEFORE = DAY - timedelta(days=1)


@pytest.fixture
def posted(transactional_db, post):
    """Return one entry with counted chips, committed."""
    return post(
        legs=[
            Leg(account="1120/table:3", amount=500, event="fill_received", pieces=((100, 5),)),
            Leg(account="1130/document:F-0001", amount=-500, event="fill_received"),
        ]
    )


@pytest.fixture
def forge(owner, casino, posted):
    """Return a function with which the owner writes an entry and its postings by hand."""

    def write(
        *statements,
        legs=2,
        day=DAY,
        of_property=None,
        lines=(("1120/table:3", 5), ("1130/document:F-0001", -5)),
        event="fill_received",
        by=owner,
        **fields,
    ):
        with by.transaction():
            entry = by.execute(
                NEW_ENTRY, NO_MORE | {"property": casino.pk, "legs": legs} | fields
            ).fetchone()[0]
            for chosen in statements or [lines]:
                codes, amounts = zip(*chosen, strict=True) if chosen else ((), ())
                by.execute(
                    NEW_POSTINGS,
                    [of_property, day, entry, list(codes), list(amounts), [event] * len(codes)],
                )
        return entry

    return write


@pytest.fixture
def replica(owner):
    """Return a connection in replica mode, in which ordinary triggers sleep.

    Only a superuser may enter it; where none can be reached, the owner's comes nearest.
    """
    parameters = owner.info.get_parameters() | {"user": SUPERUSER}
    try:
        opened = psycopg.connect(**parameters, autocommit=True)
    except psycopg.OperationalError:
        yield owner
        return
    with opened:
        opened.execute("SET session_replication_role = replica")
        yield opened


def changes(table):
    return (f"UPDATE {table} SET property_id = 9", f"DELETE FROM {table}")  # noqa: S608


def refused(constraint):
    return pytest.raises(
        errors.CheckViolation, check=lambda e: e.diag.constraint_name == constraint
    )


def test_owner_can_write_a_complete_balanced_entry(forge):
    assert Posting.objects.filter(entry_id=forge()).count() == 2


def test_unbalanced_postings_are_refused(forge):
    before = books()
    with refused("ledger_entry_balanced"):
        forge(lines=(("1120/table:3", 5), ("1130/document:F-0001", -4)))
    assert books() == before


def test_one_statement_with_several_entries_is_checked_entry_by_entry(owner, casino, posted):
    with refused("ledger_entry_balanced"), owner.transaction():
        ids = [
            owner.execute(NEW_ENTRY, NO_MORE | {"property": casino.pk, "legs": 2}).fetchone()[0]
            for _ in range(2)
        ]
        owner.execute(
            "INSERT INTO ledger_posting (entry_id, line, account_id, property_id, amount,"
            " account_version, gaming_day, shard, currency, event)"
            " SELECT entry, 1 + row_number() OVER (), account.id, account.property_id, amount,"
            " 1000 + row_number() OVER (), '2026-03-14', 0, 'USD', 'x'"
            " FROM ledger_account AS account, unnest(%s::bigint[], %s::bigint[])"
            " AS given (entry, amount) WHERE code = '1120/table:3'",
            [[ids[0], ids[0], ids[1], ids[1]], [5, -4, 4, -5]],
        )


def test_entry_without_postings_cannot_commit(forge):
    before = books()
    with refused("ledger_entry_complete"):
        forge(())
    assert books() == before


def test_entry_takes_no_fewer_postings_than_it_says(forge):
    with refused("ledger_entry_complete"):
        forge(legs=3)


def test_entry_takes_its_postings_in_one_statement(forge):
    one = (("1120/table:3", 5), ("1130/document:F-0001", -5))
    with refused("ledger_entry_complete"):
        forge(one, one, legs=2)


def test_old_entry_takes_no_more_postings(owner, posted):
    with refused("ledger_entry_complete"):
        owner.execute(
            NEW_POSTINGS,
            [None, DAY, posted.id, ["1120/table:3", "1120/table:3"], [5, -5], ["x", "x"]],
        )


def test_entry_cannot_pretend_another_transaction(forge):
    with refused("ledger_entry_complete"):
        forge(txid="3")


def test_posting_belongs_to_the_day_and_property_of_its_entry(forge):
    with refused("ledger_entry_complete"):
        forge(day="2026-03-15")
    with pytest.raises(errors.ForeignKeyViolation):
        forge(of_property=404)


def test_reversal_mirrors_its_original(forge, posted):
    with refused("ledger_entry_mirrors"):
        forge(reverses=posted.id)
    reversal = forge(reverses=posted.id, lines=MIRROR)
    with pytest.raises(errors.UniqueViolation):
        forge(reverses=posted.id, lines=MIRROR)
    with refused("ledger_entry_mirrors"):
        forge(reverses=reversal, lines=[(code, -amount) for code, amount in MIRROR])


def test_what_takes_back_or_corrects_is_approved_and_says_why(forge, posted):
    for missing in ("approver", "memo"):
        for reference in ("reverses", "corrects"):
            with refused("ledger_entry_approved"):
                forge(**{reference: posted.id, missing: ""})


def test_entry_refers_to_one_other_that_stood_before_it(forge, posted):
    for pair in (("reverses", "restates"), ("reverses", "corrects"), ("restates", "corrects")):
        with refused("ledger_entry_one_reference"):
            forge(**dict.fromkeys(pair, posted.id))
    for reference in ("reverses", "restates", "corrects"):
        with refused("ledger_entry_refers_back"):
            forge(id=-posted.id, **{reference: posted.id})
        with pytest.raises(errors.ForeignKeyViolation):
            forge(**{reference: 10**9})


def test_only_what_was_taken_back_is_told_anew_and_once(forge, posted):
    before = books()
    with refused("ledger_entry_refers"):
        forge(restates=posted.id)
    assert books() == before
    reversal = forge(reverses=posted.id, lines=MIRROR)
    with refused("ledger_entry_refers"):
        forge(restates=reversal)
    anew = forge(restates=posted.id)
    with pytest.raises(errors.UniqueViolation, match="ledger_entry_restated_once"):
        forge(restates=posted.id)
    forge(reverses=anew, lines=[("1120/table:3", -5), ("1130/document:F-0001", 5)])
    forge(restates=anew)


def test_only_what_stands_is_corrected(forge, posted):
    forge(corrects=posted.id)
    reversal = forge(reverses=posted.id, lines=MIRROR)
    for taken_back in (posted.id, reversal):
        with refused("ledger_entry_refers"):
            forge(corrects=taken_back)


def test_entry_of_another_property_is_not_referred_to(forge, posted, casino):
    poster(house("macau"))(legs=legs(("1120/table:9", 5), ("3000", -5)))
    elsewhere = Entry.objects.exclude(property_id=casino.pk).get().pk
    for reference in ("restates", "corrects"):
        with refused("ledger_entry_refers"):
            forge(**{reference: elsewhere})


def test_references_are_checked_in_a_statement_of_many_entries(owner, casino, posted):
    """The wrong one is neither the first nor the last of them."""
    with refused("ledger_entry_refers"), owner.transaction():
        ids = [
            owner.execute(
                NEW_ENTRY, NO_MORE | {"property": casino.pk, "legs": 2, reference: posted.id}
            ).fetchone()[0]
            for reference in ("corrects", "restates", "corrects")
        ]
        owner.execute(
            "INSERT INTO ledger_posting (entry_id, line, account_id, property_id, amount,"
            " account_version, gaming_day, shard, currency, event)"
            " SELECT entry, line, account.id, account.property_id, 3 - 2 * line,"
            " 10 * entry + line, '2026-03-14', 0, 'USD', 'x'"
            " FROM unnest(%s::bigint[]) AS entry, generate_series(1, 2) AS line,"
            " ledger_account AS account WHERE code = '1120/table:3'",
            [ids],
        )


def test_nothing_is_late_for_a_day_that_is_open(forge, casino):
    with refused("ledger_entry_late"):
        forge(late_day=DAY_BEFORE)
    with refused("ledger_entry_late"):
        forge(late_day=DAY)
    close(casino, DAY_BEFORE)
    assert Entry.objects.get(pk=forge(late_day=DAY_BEFORE)).late_day == DAY_BEFORE


def test_each_currency_adds_up_by_itself_and_a_rate_says_there_are_several(forge, casino):
    open_account(property_id=casino.pk, code="1120/table:3/currency:HKD", at=AT)
    open_account(property_id=casino.pk, code="1130/document:F-0001/currency:HKD", at=AT)
    dollars = (("1120/table:3", 5), ("1130/document:F-0001", -5))
    both = (*dollars, *((f"{code}/currency:HKD", -amount) for code, amount in dollars))
    crossed = (("1120/table:3", 5), ("1130/document:F-0001/currency:HKD", -5))
    for rate in ({}, {"rate_sold": 1, "rate_bought": 1}):
        with refused("ledger_entry_balanced"):
            forge(lines=crossed, **rate)
    with refused("ledger_entry_rated"):
        forge(lines=both, legs=4)
    with refused("ledger_entry_rated"):
        forge(lines=dollars, rate_sold=1, rate_bought=1)
    for half in ("rate_sold", "rate_bought"):
        with refused("ledger_entry_whole_rate"):
            forge(lines=both, legs=4, **{half: 1})
        with refused("ledger_entry_rate_above_zero"):
            forge(lines=both, legs=4, **({"rate_sold": 1, "rate_bought": 1} | {half: 0}))
    assert forge(lines=both, legs=4, rate_sold=1, rate_bought=1)


def test_posting_has_the_currency_of_its_account(owner, posted):
    with pytest.raises(errors.ForeignKeyViolation), owner.transaction():
        owner.execute(
            "INSERT INTO ledger_posting (entry_id, line, account_id, property_id, amount,"
            " account_version, gaming_day, shard, currency, event)"
            " SELECT entry_id, line + 10, account_id, property_id, amount, account_version + 10,"
            " gaming_day, shard, 'EUR', event FROM ledger_posting"
        )


def test_chips_are_counted_when_the_posting_is_written(owner, posted):
    before = books()
    with refused("ledger_denom_total"):
        owner.execute(
            "INSERT INTO ledger_denom SELECT id, 100, property_id, 5 FROM ledger_posting"
            " WHERE amount < 0"
        )
    assert books() == before


def test_chips_add_up_to_their_posting(owner, forge):
    with refused("ledger_denom_total"), owner.transaction():
        entry = forge()
        owner.execute(
            "INSERT INTO ledger_denom SELECT id, 1, property_id, 4 FROM ledger_posting"
            " WHERE entry_id = %s AND amount > 0",
            [entry],
        )


@pytest.mark.parametrize("table", FROZEN)
def test_what_is_written_stays_for_the_owner_too(owner, posted, table):
    before = books()
    for statement in changes(table):
        with pytest.raises(errors.ObjectNotInPrerequisiteState, match="append-only"):
            owner.execute(statement)
    assert books() == before


@pytest.mark.parametrize("table", FROZEN)
def test_what_is_written_stays_in_replica_mode(replica, posted, table):
    before = books()
    for statement in changes(table):
        with pytest.raises(errors.ObjectNotInPrerequisiteState, match="append-only"):
            replica.execute(statement)
    assert books() == before


def test_replica_mode_switches_no_check_off(replica, forge, posted):
    with refused("ledger_entry_balanced"):
        forge(by=replica, lines=(("1120/table:3", 5), ("1130/document:F-0001", -4)))
    with refused("ledger_entry_complete"):
        forge((), by=replica)
    with refused("ledger_entry_rated"):
        forge(by=replica, rate_sold=1, rate_bought=1)
    with refused("ledger_entry_refers"):
        forge(by=replica, restates=posted.id)
    with refused("ledger_entry_late"):
        forge(by=replica, late_day=DAY_BEFORE)


def test_every_book_refuses_truncate_by_a_trigger_of_its_own(truncate_guards):
    guarded = {guard.table for guard in truncate_guards if guard.is_always_on}
    assert set(BOOKS) - {"ledger_currency"} <= guarded


def truncate(owner, statement, guards):
    with owner.transaction():
        for guard in guards:
            owner.execute(
                f"CREATE TRIGGER {guard.name} BEFORE TRUNCATE ON {guard.table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION web_frozen()"
            )
        owner.execute(statement)


def test_books_are_not_emptied_with_the_table_that_they_hang_on(owner, posted, truncate_guards):
    """The suite does without these triggers, so they are put back for one transaction."""
    before = books()
    for statement in (
        "TRUNCATE properties_property CASCADE",
        "TRUNCATE ledger_account CASCADE",
        "TRUNCATE ledger_currency, properties_property CASCADE",
    ):
        with pytest.raises(errors.ObjectNotInPrerequisiteState, match="append-only"):
            truncate(owner, statement, truncate_guards)
    assert books() == before


def test_day_closes_with_two_people_its_totals_and_their_hash(owner, posted):
    whole = {
        "status": "'closed'",
        "closed_at": "now()",
        "closed_by": "'x'",
        "approved_by": "'y'",
        "recorded_at": "now()",
        "totals": "'[]'",
        "report_hash": "'abc'",
    }
    for other, constraint in (
        ({"approved_by": "''"}, "ledger_period_signed"),
        ({"approved_by": "'x'"}, "ledger_period_signed"),
        ({"closed_by": "''"}, "ledger_period_closing"),
        ({"closed_at": "NULL"}, "ledger_period_closing"),
        ({"totals": "NULL"}, "ledger_period_totals"),
        ({"report_hash": "NULL"}, "ledger_period_totals"),
        ({"recorded_at": "NULL"}, "ledger_period_totals"),
        ({"anchor_seal": "1"}, "ledger_period_anchor"),
        ({"anchor_hash": "'abc'"}, "ledger_period_anchor"),
    ):
        changes = ", ".join(f"{column} = {value}" for column, value in (whole | other).items())
        with refused(constraint):
            owner.execute(f"UPDATE ledger_period SET {changes}")  # noqa: S608
    changes = ", ".join(f"{column} = {value}" for column, value in whole.items())
    owner.execute(f"UPDATE ledger_period SET {changes}")  # noqa: S608
    for change in ("totals = '[1]'", "status = 'open'", "approved_by = 'z'"):
        with pytest.raises(errors.ObjectNotInPrerequisiteState, match="append-only"):
            owner.execute(f"UPDATE ledger_period SET {change}")  # noqa: S608


@pytest.mark.parametrize("table", ["ledger_account", "ledger_balance", "ledger_period"])
def test_accounts_balances_and_days_are_not_deleted(owner, posted, table):
    with pytest.raises(errors.ObjectNotInPrerequisiteState, match="append-only"):
        owner.execute(changes(table)[1])


@pytest.mark.parametrize(
    "change",
    [
        "ledger_account SET side = -side",
        "ledger_account SET code = '1100'",
        "ledger_balance SET currency = 'EUR'",
        "ledger_balance SET account_id = 0",
        "ledger_period SET gaming_day = '2026-01-01'",
        "ledger_period SET shift = 'swing'",
    ],
)
def test_what_an_account_or_a_day_is_does_not_change(owner, posted, change):
    with pytest.raises(errors.ObjectNotInPrerequisiteState, match="append-only"):
        owner.execute(f"UPDATE {change}")


@pytest.mark.parametrize(
    "statement", ["UPDATE ledger_currency SET exponent = 0", "DELETE FROM ledger_currency"]
)
def test_what_a_currency_is_does_not_change(owner, transactional_db, statement):
    with pytest.raises(errors.ObjectNotInPrerequisiteState, match="append-only"):
        owner.execute(statement)


@pytest.mark.parametrize("change", ["currency = 'EUR'", "is_sandbox = NOT is_sandbox"])
def test_property_with_books_keeps_what_its_amounts_and_times_mean(connect, posted, change):
    with pytest.raises(errors.ObjectNotInPrerequisiteState, match="keeps books"):
        connect().execute(f"UPDATE properties_property SET {change}")  # noqa: S608
    connect().execute("UPDATE properties_property SET currency = currency, name = 'Another'")


@pytest.mark.parametrize(
    "at", ["infinity", "-infinity", "10000-01-01 00:00Z", "0001-01-01 00:00Z BC"]
)
@pytest.mark.parametrize(
    "statement",
    [
        POST.format(at="%(at)s", day="'2026-03-14'"),
        POST.format(at="now()", day="%(at)s::timestamptz::date"),
        "SELECT ledger_open_account(%(property)s, '1100', 'x', 'asset', 1, 'value_chip', '', 1,"
        " NULL, NULL, %(at)s)",
        "SELECT ledger_close_day(%(property)s, '2026-03-14', 'x', 'y', %(at)s, '{}')",
    ],
)
def test_what_no_reader_could_be_shown_is_not_written(connect, posted, casino, statement, at):
    before = books()
    with pytest.raises(
        (errors.CheckViolation, errors.DatetimeFieldOverflow, errors.FeatureNotSupported)
    ):
        connect(autocommit=True).execute(statement, {"property": casino.pk, "at": at})
    assert books() == before


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT ledger_open_day(404, '2026-03-15', 'x', now())",
        "SELECT ledger_open_day(%(property)s, '2026-03-15', '', now())",
        "SELECT ledger_close_day(%(property)s, '2026-03-14', '', 'y', now(), '{}')",
        "SELECT ledger_close_day(%(property)s, '2026-03-14', 'x', '', now(), '{}')",
        "SELECT ledger_close_day(%(property)s, '2026-03-14', 'x', 'x', now(), '{}')",
    ],
)
def test_day_is_somebodys_of_a_property_that_there_is(connect, posted, casino, statement):
    before = books()
    with pytest.raises((errors.CheckViolation, errors.ForeignKeyViolation)):
        connect(autocommit=True).execute(statement, {"property": casino.pk})
    assert books() == before


@pytest.mark.parametrize(
    "counted",  # lines, denominations, pieces
    [
        ("{3}", "{100}", "{5}"),
        ("{0}", "{100}", "{5}"),
        ("{NULL}", "{100}", "{5}"),
        ("{1}", "{100,100}", "{5,5}"),
        ("{}", "{100}", "{5}"),
        ("{}", "{}", "{5}"),
    ],
)
def test_pieces_lie_beside_a_line_of_the_entry(connect, posted, casino, counted):
    before = books()
    with refused("ledger_denom_line"):
        connect(autocommit=True).execute(
            "SELECT * FROM ledger_post(%s, 'k', 'k', 's', 'a', '', now(), '2026-03-14', '', '',"
            " '', '', NULL, NULL, NULL, NULL, NULL,"
            " '{1120/table:3,1130/document:F-0001}', '{500,-500}', '{x,x}', %s, %s, %s)",
            [casino.pk, *counted],
        )
    assert books() == before


def test_floor_is_a_constraint_of_the_row(owner, casino, transactional_db):
    open_account(property_id=casino.pk, code="1100", at=AT)
    with refused("ledger_balance_floor"):
        owner.execute("UPDATE ledger_balance SET credit = 1")


@pytest.mark.parametrize("table", BOOKS)
def test_application_only_reads(connect, posted, table):
    before = books()
    application = connect(autocommit=True)
    column = "exponent" if table == "ledger_currency" else "property_id"
    for statement in (
        f"INSERT INTO {table} DEFAULT VALUES",
        f"UPDATE {table} SET {column} = 1",  # noqa: S608
        f"DELETE FROM {table}",  # noqa: S608
        f"TRUNCATE {table} CASCADE",
        f"ALTER TABLE {table} DISABLE TRIGGER ALL",
        f"DROP TABLE {table}",
    ):
        with pytest.raises(errors.InsufficientPrivilege):
            application.execute(statement)
    assert books() == before


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT ledger_write(NULL, '', '{}', '{}', '{}', '{}', '{}', '{}')",
        "SELECT ledger_enter_day(1, '2026-03-14', '', 'x', now())",
        "SELECT ledger_begin_day(1, '2026-03-14', '', 'x', now())",
        "SELECT nextval('ledger_entry_id_seq')",
        "SET session_replication_role = replica",
        "CREATE FUNCTION ledger_more() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    ],
)
def test_application_reaches_nothing_behind_the_functions(connect, posted, statement):
    with pytest.raises(errors.InsufficientPrivilege):
        connect(autocommit=True).execute(statement)


def test_function_looks_for_its_tables_where_the_owner_made_them(connect, posted, casino):
    application = connect()
    application.execute("CREATE TEMP TABLE ledger_balance (LIKE public.ledger_balance)")
    application.execute("SET search_path = pg_temp, public")
    application.execute(
        "SELECT * FROM public.ledger_post(%s, 'k', 'k', 's', 'a', '', now(), '2026-03-14', '', '',"
        " '', '', NULL, NULL, NULL, NULL, NULL,"
        " '{1120/table:3,1130/document:F-0001}', '{7,-7}', '{x,x}', '{}', '{}', '{}')",
        [casino.pk],
    )
    application.commit()
    assert balance(casino.pk, "1120/table:3") == 507


def test_function_refuses_what_does_not_balance_whoever_calls_it(connect, posted, casino):
    before = books()
    application = connect(autocommit=True)
    with refused("ledger_entry_balanced"):
        application.execute(
            "SELECT * FROM ledger_post(%s, 'k', 'k', 's', 'a', '', now(), '2026-03-14', '', '',"
            " '', '', NULL, NULL, NULL, NULL, NULL,"
            " '{1120/table:3,1130/document:F-0001}', '{7,-6}', '{x,x}', '{}', '{}', '{}')",
            [casino.pk],
        )
    assert books() == before


def test_models_only_read(posted):
    entry = Entry.objects.get(pk=posted.id)
    account = Account.objects.first()
    for act in (
        entry.save,
        entry.delete,
        account.save,
        Entry.objects.all().delete,
        lambda: Balance.objects.update(debit=0),
        lambda: Posting.objects.create(amount=1),
        lambda: Posting.objects.bulk_create([]),
        lambda: Currency.objects.get_or_create(code="USD"),
    ):
        with pytest.raises(BooksAreReadOnlyError):
            act()


def test_connection_of_the_tests_is_the_application(connect, transactional_db):
    assert isinstance(application := connect(), psycopg.Connection)
    assert application.execute("SELECT current_user").fetchone() == ("baize_app",)


@pytest.mark.parametrize("shift", ["''", "NULL"])
def test_shift_without_a_name_does_not_close_a_day(connect, posted, casino, shift):
    before = books()
    statement = f"SELECT ledger_close_shift(%s, '2026-12-30', {shift}, 'a', 'b', now())"
    with pytest.raises(errors.InvalidParameterValue):
        connect(autocommit=True).execute(statement, [casino.pk])
    assert books() == before


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT ledger_seal_next(%s, 10, 'infinity')",
        "SELECT ledger_note_inspection(%s, 'verify', 'a', 'infinity', 0, '{}')",
        "SELECT ledger_note_inspection(%s, 'verify', 'a', now(), 0, '{NULL}')",
        "SELECT ledger_note_inspection(%s, 'verify', 'a', now(), 999, '{}')",
        "SELECT ledger_open_account(%s, '9999', 'n', 'asset', 1, 'cash', 'USD', 1, NULL, NULL,"
        " now())",
        "SELECT ledger_open_account(%s, '1120/table:88', 'n', 'liability', -1, 'book', 'USD', 1,"
        " NULL, NULL, now())",
    ],
)
def test_what_no_page_could_show_is_not_written(connect, posted, casino, statement):
    before = books()
    with pytest.raises((errors.CheckViolation, errors.InvalidParameterValue)):
        connect(autocommit=True).execute(statement, [casino.pk])
    assert books() == before


def test_epoch_begins_at_a_moment_that_a_page_can_show(connect, posted, casino, owner):
    restore_elsewhere(owner, posted.id)
    before = books()
    with pytest.raises(errors.CheckViolation):
        connect(autocommit=True).execute(
            "SELECT ledger_begin_epoch(%s, 'a', 'b', 'infinity')", [casino.pk]
        )
    assert books() == before


@pytest.mark.parametrize(
    ("denom_legs", "leg_entries"),
    [("{}", "{1,1}"), ("{NULL}", "{1,1}"), ("{3}", "{1,1}"), ("{1}", "{1,2}"), ("{1}", "{1}")],
)
def test_legs_and_pieces_of_a_batch_belong_to_something(
    connect, posted, casino, denom_legs, leg_entries
):
    before = books()
    drafts = (
        '[{"key":"k","kind":"k","source":"s","actor":"a","approver":"","at":"2026-03-14T20:00Z",'
        '"gaming_day":"2026-03-14","table":"","session":"","shift":"","memo":""}]'
    )
    with pytest.raises(errors.InvalidParameterValue):
        connect(autocommit=True).execute(
            "SELECT * FROM ledger_post_many(%s, %s, %s, '{1120/table:3,4010/session:7}',"
            " '{500,-500}', '{e,e}', %s, '{100}', '{5}')",
            [casino.pk, drafts, leg_entries, denom_legs],
        )
    assert books() == before
