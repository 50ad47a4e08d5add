"""What is kept beside the postings is what they say, and can be made so again.

Source: ledger.md 1.7; ADR 26.
"""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TransactionTestCase

from casino.staff.models import AuditRow
from ledger.models import Account, Balance, Inspection, Period, Snapshot
from ledger.projections import Rebuilt, compare, rebuild
from ledger.services.sealing import seal_next
from ledger.services.slips import draw_slip
from tests.ledger.conftest import AT, NEXT_DAY, books, close, house, legs, poster
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = ("ledger_balance", "ledger_snapshot")


@pytest.fixture
def busy(post, casino):
    """Return a property with a closed day, a day that runs, and slips; what is kept is right."""
    post(key="1")
    post(key="2", shift="swing")
    post(key="early", gaming_day=NEXT_DAY)
    close(casino)
    post(key="3", gaming_day=NEXT_DAY, legs=legs(("1120/table:3", -100), ("4010/session:7", 100)))
    for document in ("fill:1", "fill:2"):
        draw_slip(
            property_id=casino.pk,
            series="fill_slip",
            document=document,
            actor="employee:7",
            at=AT,
        )
    seal_next(property_id=casino.pk, at=AT)
    assert compare(casino.pk) == ()
    return casino


def tray():
    """Return the id of the account that every test posts to."""
    return Account.objects.get(code="1120/table:3", property__code="golden-gate").pk


def rows():
    return {table: found for table, found in books().items() if table in KEPT}


def sentences(casino):
    return [str(each) for each in compare(casino.pk)]


@pytest.mark.parametrize(
    ("harm", "finding"),
    [
        (
            "UPDATE ledger_balance SET debit = debit + 7, version = 9 WHERE account_id = %(tray)s",
            "balance 1120/table:3: debit 1507, credit 100, version 9 is kept, "
            "and it should be debit 1500, credit 100, version 4",
        ),
        (
            "UPDATE ledger_snapshot SET debit = 1 WHERE account_id = %(tray)s",
            "snapshot 1120/table:3 on 2026-03-14: debit 1, credit 0; held 1500, 0 at version 3 "
            "is kept, and it should be debit 1000, credit 0; held 1500, 0 at version 3",
        ),
        (
            "UPDATE ledger_snapshot SET held_debit = 2 WHERE account_id = %(tray)s",
            "snapshot 1120/table:3 on 2026-03-14: debit 1000, credit 0; held 2, 0 at version 3 "
            "is kept, and it should be debit 1000, credit 0; held 1500, 0 at version 3",
        ),
        (
            "UPDATE ledger_snapshot SET upto_version = 99 WHERE account_id = %(tray)s",
            "snapshot 1120/table:3 on 2026-03-14: debit 1000, credit 0; held 1500, 0 at version "
            "99 is kept, and it should be debit 1000, credit 0; held 1000, 0 at version 2",
        ),
        (
            "DELETE FROM ledger_snapshot WHERE account_id = %(tray)s",
            "snapshot 1120/table:3 on 2026-03-14: nothing is kept, "
            "and it should be debit 1000, credit 0; held 1000, 0 at version 2",
        ),
        (
            "INSERT INTO ledger_snapshot SELECT account_id, '2026-03-13', property_id, shard, 1,"
            " 0, 1, 0, 1, now() FROM ledger_balance WHERE account_id = %(tray)s",
            "snapshot 1120/table:3 on 2026-03-13: debit 1, credit 0; held 1, 0 at version 1 "
            "is kept, and it should be nothing",
        ),
    ],
)
def test_what_is_wrong_is_told_and_rebuilt(busy, owner, harm, finding):
    right = rows()
    tamper(owner, harm, tray=tray())
    wrong = rows()
    assert sentences(busy) == [finding]
    assert rows() == wrong

    (rebuilt,) = rebuild(property_id=busy.pk)
    assert str(rebuilt) == finding
    assert rebuilt.outcome == ("removed" if finding.endswith("nothing") else "set")
    assert compare(busy.pk) == ()
    if "version 2" not in finding:  # the version of the close is lost, another one is as good
        assert rows() == right
    assert rebuild(property_id=busy.pk) == ()


def test_every_balance_and_snapshot_is_rebuilt_from_nothing(busy, owner):
    balances = set(Balance.objects.values_list("account_id", "debit", "credit", "version"))
    snapshots = set(Snapshot.objects.values_list("account_id", "gaming_day", "debit", "credit"))
    tamper(
        owner,
        "UPDATE ledger_balance SET debit = 0, credit = 0, version = 0",
        "DELETE FROM ledger_snapshot",
    )
    rebuild(property_id=busy.pk)
    assert balances == set(Balance.objects.values_list("account_id", "debit", "credit", "version"))
    assert snapshots == set(
        Snapshot.objects.values_list("account_id", "gaming_day", "debit", "credit")
    )
    assert set(Snapshot.objects.values_list("taken_at", flat=True)) == {
        Period.objects.get(status="closed", shift="").recorded_at
    }
    poster(busy)(key="next", gaming_day=NEXT_DAY)
    assert compare(busy.pk) == ()


def test_balance_that_its_limits_forbid_is_left_and_said_to_be_refused(busy, owner):
    tamper(
        owner,
        "UPDATE ledger_balance SET debit = debit + 1, ceiling = side * (debit + 1 - credit)"
        " WHERE account_id = %(tray)s",
        "UPDATE ledger_posting SET amount = amount + 99 WHERE account_id = %(tray)s AND amount > 0",
        tray=tray(),
    )
    before = rows()
    (rebuilt,) = rebuild(property_id=busy.pk, projections=["balance"])
    assert isinstance(rebuilt, Rebuilt)
    assert rebuilt.is_refused
    assert rebuilt.outcome == "refused: it is outside the limits of the account"
    assert rows() == before


def test_closed_totals_are_told_and_never_rebuilt(busy, owner):
    tamper(
        owner,
        "UPDATE ledger_period SET totals = totals - 0 WHERE status = 'closed' AND shift = ''",
    )
    before = Period.objects.get(status="closed", shift="").totals
    finding = (
        "period 2026-03-14 1120 USD: nothing is kept, "
        "and it should be opening 0, debits 1000, credits 0, closing 1000"
    )
    assert sentences(busy) == [finding]
    assert rebuild(property_id=busy.pk) == ()
    assert Period.objects.get(status="closed", shift="").totals == before
    with pytest.raises(DatabaseError, match="no projection"), transaction.atomic():
        rebuild(property_id=busy.pk, projections=["period"])


def test_totals_of_a_shift_are_compared_too(busy, owner):
    tamper(
        owner,
        "UPDATE ledger_period SET totals = jsonb_set(totals, '{0,debits}', '1')"
        " WHERE shift = 'swing'",
    )
    assert sentences(busy) == [
        "period 2026-03-14 swing 1120 USD: opening 0, debits 1, credits 0, closing 500 is kept, "
        "and it should be opening 0, debits 500, credits 0, closing 500"
    ]


def test_later_day_is_compared_with_what_came_before_it(busy):
    close(busy, NEXT_DAY)
    assert compare(busy.pk) == ()


@pytest.mark.parametrize(
    ("harm", "finding"),
    [
        (
            "DELETE FROM ledger_slip WHERE number = 1",
            "series fill_slip: next 3 is kept, and it should be 1 slips, the highest 2",
        ),
        (
            "UPDATE ledger_series SET next = 4",
            "series fill_slip: next 4 is kept, and it should be 2 slips, the highest 2",
        ),
    ],
)
def test_gap_in_slip_numbers_is_told(busy, owner, harm, finding):
    tamper(owner, harm)
    assert sentences(busy) == [finding]


def test_entry_whose_event_is_gone_is_told(busy, owner):
    owner.execute("ALTER TABLE events_outbox DISABLE TRIGGER USER")
    owner.execute("DELETE FROM events_outbox WHERE id = (SELECT max(id) FROM events_outbox)")
    for name in owner.execute(
        "SELECT tgname FROM pg_trigger WHERE tgrelid = 'events_outbox'::regclass"
        " AND NOT tgisinternal"
    ).fetchall():
        owner.execute(f"ALTER TABLE events_outbox ENABLE ALWAYS TRIGGER {name[0]}")
    (finding,) = sentences(busy)
    assert finding.startswith("event entry ")
    assert finding.endswith(": nothing is kept, and it should be ledger.entry_posted")


def test_books_of_another_property_are_left_alone(busy, owner):
    other = house("macau")
    poster(other)()
    tamper(owner, "UPDATE ledger_balance SET debit = debit + 7 WHERE side = 1")
    assert len(compare(other.pk)) == 1
    rebuild(property_id=busy.pk)
    assert (len(compare(busy.pk)), len(compare(other.pk))) == (0, 1)


def test_rebuild_waits_for_a_poster_and_counts_what_it_wrote(busy, owner, connect, together):
    tamper(
        owner,
        "UPDATE ledger_balance SET debit = debit + 7 WHERE account_id = %(tray)s",
        tray=tray(),
    )
    opened = connect()
    opened.execute(
        "SELECT entry_id FROM ledger_post(%s, 'late', 'round_settled', 'round:9', 'employee:12',"
        " '', %s, %s, '', '', '', '', NULL, NULL, NULL, NULL, NULL,"
        " ARRAY['1120/table:3', '4010/session:7'], ARRAY[500, -500]::bigint[],"
        " ARRAY['main_wager_lost', 'main_wager_lost'], '{}', '{}', '{}')",
        [busy.pk, AT, NEXT_DAY],
    )

    def commit_when_waited_for():
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        while not opened.execute(waiting).fetchone()[0]:
            pass
        opened.commit()
        return "committed"

    rebuilt, committed = together(lambda: rebuild(property_id=busy.pk), commit_when_waited_for)
    assert committed == "committed"
    assert [each.computed for each in rebuilt] == ["debit 2000, credit 100, version 5"]
    assert compare(busy.pk) == ()


def run(*arguments):
    output, errors = StringIO(), StringIO()
    try:
        call_command("ledger_rebuild", *arguments, stdout=output, stderr=errors)
    except CommandError as error:
        return output.getvalue(), errors.getvalue(), str(error)
    return output.getvalue(), errors.getvalue(), None


def test_command_compares_and_changes_nothing_unless_it_is_told_to(busy, owner):
    tamper(
        owner,
        "UPDATE ledger_balance SET debit = debit + 7 WHERE account_id = %(tray)s",
        tray=tray(),
    )
    before = rows()
    finding = (
        "balance 1120/table:3: debit 1507, credit 100, version 4 is kept, "
        "and it should be debit 1500, credit 100, version 4"
    )
    assert run("golden-gate") == ("", f"wrong: {finding}\n", "1 differences")
    assert rows() == before
    assert not AuditRow.objects.filter(action="ledger.rebuilt").exists()

    output, errors, refusal = run("golden-gate", "--apply")
    assert refusal is None
    assert errors == f"wrong: {finding}\n"
    assert output == (
        "balance 1120/table:3: set\ngolden-gate: what is kept is what the postings say\n"
    )
    row = AuditRow.objects.get(action="ledger.rebuilt")
    assert (row.actor, row.subject) == ("system:operator", "balance:1120/table:3")
    kept = Inspection.objects.filter(kind="compare").order_by("pk")
    assert [list(each.findings) for each in kept] == [[finding], [finding], []]


def test_command_of_an_unknown_property_is_refused(db):
    assert run("nowhere")[2] == "property: there is no property 'nowhere'"


class RebuiltFromAnyBooks(TransactionTestCase):
    @settings(max_examples=15, deadline=None)
    @given(
        amounts=st.lists(st.integers(-(10**9), 10**9).filter(bool), min_size=1, max_size=8),
        days=st.data(),
    )
    def test_rebuilding_gives_what_posting_gave(self, amounts, days):
        casino = house("golden-gate")
        for nth, amount in enumerate(amounts):
            day = days.draw(st.sampled_from([AT.date(), NEXT_DAY]))
            poster(casino)(
                key=f"{nth}",
                gaming_day=day,
                legs=legs(("1120/table:3", amount), ("4010/session:7", -amount)),
            )
        close(casino)
        kept = rows()
        assert compare(casino.pk) == ()
        with connection.cursor() as cursor:
            cursor.execute("SET ROLE NONE")
            cursor.execute("UPDATE ledger_balance SET debit = 0, credit = 0, version = 0")
            cursor.execute("UPDATE ledger_snapshot SET debit = 3, credit = 4, held_credit = 5")
            cursor.execute("RESET ROLE")
        connection.close()
        rebuild(property_id=casino.pk)
        assert rows() == kept
