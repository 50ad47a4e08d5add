"""Whoever owns the tables can change them; the chain of seals tells what they changed.

Every test begins with books that verify, changes rows with the guards off, as a superuser would,
and asserts all that is found. Source: ledger.md 1.6, 1.10; table-operations.md 18.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from django.db import connection

from ledger.doctor import examine
from ledger.models import Entry, Inspection, Seal
from ledger.projections import compare
from ledger.services.days import close_shift
from ledger.services.inspections import note_inspection
from ledger.services.sealing import seal_next
from ledger.verify import verify
from tests.ledger.conftest import AT, DAY, NEXT_DAY, PIT_BOSS, close, house, legs, poster
from tests.ledger.tampering import tamper, unguarded

pytestmark = pytest.mark.django_db(transaction=True)


def fill():
    """Return legs whose chips are counted."""
    tray, won = legs(("1120/table:3", 700), ("4010/session:7", -700))
    return [replace(tray, pieces=((100, 2), (500, 1))), won]


@pytest.fixture
def sealed(post, casino):
    """Return six entries under three seals, two under each; the books verify."""
    posted = [post(key=f"{number}", memo="as it was") for number in range(4)]
    posted.append(post(key="fill", legs=fill(), source="round:813"))
    posted.append(post(key="last"))
    while seal_next(property_id=casino.pk, at=AT, at_most=2):
        pass
    assert [len(each.entry_ids) for each in Seal.objects.order_by("number")] == [2, 2, 2]
    assert found(casino) == ()
    return posted


def found(casino, **heads):
    return verify(property_id=casino.pk, at=AT, **heads).findings


def named(entry):
    return f"entry {entry.id} (ent_{entry.public_id})"


def changed(entry, what, seal):
    return f"{named(entry)}: its {what} changed after it was sealed in seal {seal}"


@pytest.mark.parametrize(
    "harm",
    [
        "memo = 'as it never was'",
        "actor = 'employee:13'",
        "approver = 'employee:4'",
        "kind = 'round_voided'",
        "source = 'round:813'",
        "table_ref = 'table:4'",
        "session_ref = 'session:8'",
        "shift = 'day'",
        "effective_at = effective_at + interval '1 microsecond'",
        "recorded_at = recorded_at - interval '1 hour'",
        "public_id = '5f0c7a4e-0000-4000-8000-000000000000'",
        "late_day = gaming_day - 1",
        "rate_sold = 1, rate_bought = 8",
        "corrects_id = 1, approver = 'employee:4'",
        "kind = kind || source, source = 'x'",
    ],
)
def test_changed_head_of_an_entry_is_named(sealed, casino, owner, harm):
    tamper(owner, f"UPDATE ledger_entry SET {harm} WHERE id = %(id)s", id=sealed[2].id)  # noqa: S608
    now = Entry.objects.get(pk=sealed[2].id)
    assert found(casino) == (changed(now, "head was", 2),)


@pytest.mark.parametrize(
    "harm",
    [
        "amount = amount * 2",
        "balance_after = balance_after + 1",
        "event = 'push'",
        "line = 3 - line",
        "account_version = account_version + 1000",
    ],
)
def test_changed_postings_of_an_entry_are_named(sealed, casino, owner, harm):
    tamper(
        owner,
        "ALTER TABLE ledger_posting DROP CONSTRAINT ledger_posting_line",
        f"UPDATE ledger_posting SET {harm} WHERE entry_id = %(id)s",  # noqa: S608
        "ALTER TABLE ledger_posting ADD CONSTRAINT ledger_posting_line UNIQUE (entry_id, line)",
        id=sealed[2].id,
    )
    assert found(casino) == (changed(sealed[2], "postings were", 2),)


def test_leg_moved_to_another_account_is_found(sealed, casino, owner):
    tamper(
        owner,
        "UPDATE ledger_posting SET account_version = 99,"
        " account_id = (SELECT id FROM ledger_account WHERE number = '4010')"
        " WHERE entry_id = %(id)s AND amount > 0",
        id=sealed[0].id,
    )
    assert found(casino) == (changed(sealed[0], "postings were", 1),)


def test_leg_that_was_taken_out_is_found(sealed, casino, owner):
    tamper(
        owner,
        "DELETE FROM ledger_posting WHERE entry_id = %(id)s AND amount > 0",
        id=sealed[1].id,
    )
    assert found(casino) == (changed(sealed[1], "postings were", 1),)


def test_all_legs_taken_out_are_found(sealed, casino, owner):
    tamper(owner, "DELETE FROM ledger_posting WHERE entry_id = %(id)s", id=sealed[1].id)
    assert found(casino) == (changed(sealed[1], "postings were", 1),)


def test_leg_that_was_added_is_found(sealed, casino, owner):
    tamper(
        owner,
        "INSERT INTO ledger_posting (entry_id, account_id, property_id, amount, balance_after,"
        " account_version, gaming_day, line, shard, currency, event)"
        " SELECT entry_id, account_id, property_id, 100, 0, 99, gaming_day, 3, shard, currency,"
        " event FROM ledger_posting WHERE entry_id = %(id)s AND line = 1",
        id=sealed[3].id,
    )
    assert found(casino) == (changed(sealed[3], "postings were", 2),)


def test_pieces_that_were_changed_are_found(sealed, casino, owner):
    tamper(owner, "UPDATE ledger_denom SET pieces = pieces + 1 WHERE denomination = 500")
    assert found(casino) == (changed(sealed[4], "pieces were", 3),)


def test_pieces_that_were_taken_out_or_added_are_found(sealed, casino, owner):
    tamper(
        owner,
        "DELETE FROM ledger_denom WHERE denomination = 500",
        "INSERT INTO ledger_denom SELECT id, 500, property_id, 1 FROM ledger_posting"
        " WHERE entry_id = %(id)s AND line = 1",
        id=sealed[5].id,
    )
    assert found(casino) == (
        changed(sealed[4], "pieces were", 3),
        changed(sealed[5], "pieces were", 3),
    )


def test_entry_that_was_deleted_whole_is_found(sealed, casino, owner):
    tamper(
        owner,
        "DELETE FROM ledger_posting WHERE entry_id = %(id)s",
        "DELETE FROM ledger_key WHERE entry_id = %(id)s",
        "DELETE FROM ledger_entry WHERE id = %(id)s",
        id=sealed[2].id,
    )
    assert found(casino) == (f"entry {sealed[2].id}: it was deleted after it was sealed in seal 2",)


def slip_in(owner, like, *, txid):
    """Insert a copy of an entry of its own number, with a transaction of the past."""
    (number,) = owner.execute("SELECT nextval('ledger_entry_id_seq')").fetchone()
    tamper(
        owner,
        "INSERT INTO ledger_entry OVERRIDING SYSTEM VALUE SELECT forged.* FROM ledger_entry AS e,"
        " jsonb_populate_record(e, jsonb_build_object('id', %(id)s::bigint,"
        " 'public_id', gen_random_uuid(), 'txid', %(txid)s::text)) AS forged WHERE e.id = %(like)s",
        "INSERT INTO ledger_posting (entry_id, account_id, property_id, amount, balance_after,"
        " account_version, gaming_day, line, shard, currency, event)"
        " SELECT %(id)s, account_id, property_id, amount, balance_after, account_version + 1000,"
        " gaming_day, line, shard, currency, event FROM ledger_posting WHERE entry_id = %(like)s",
        "INSERT INTO ledger_key VALUES (%(property)s, 'forged', %(id)s)",
        id=number,
        like=like.id,
        txid=txid,
        property=Entry.objects.get(pk=like.id).property_id,
    )
    return Entry.objects.get(pk=number)


def test_entry_that_was_slipped_in_backdated_is_found(sealed, casino, owner):
    txid = owner.execute(
        "SELECT txid::text FROM ledger_entry WHERE id = %s", [sealed[2].id]
    ).fetchone()[0]
    forged = slip_in(owner, sealed[2], txid=txid)
    assert found(casino) == (
        f"{named(forged)}: it was slipped in among entries that seal 2 had sealed",
    )
    assert seal_next(property_id=casino.pk, at=AT) == 0  # nor does it come under one later


def test_entry_put_in_the_place_of_another_is_found(sealed, casino, owner):
    txid = owner.execute(
        "SELECT txid::text FROM ledger_entry WHERE id = %s", [sealed[2].id]
    ).fetchone()[0]
    forged = slip_in(owner, sealed[2], txid=txid)
    tamper(
        owner,
        "DELETE FROM ledger_posting WHERE entry_id = %(id)s",
        "DELETE FROM ledger_key WHERE entry_id = %(id)s",
        "DELETE FROM ledger_entry WHERE id = %(id)s",
        id=sealed[2].id,
    )
    assert found(casino) == (
        f"entry {sealed[2].id}: it was deleted after it was sealed in seal 2",
        f"{named(forged)}: it was slipped in among entries that seal 2 had sealed",
    )


def test_keys_that_were_swapped_are_found(sealed, casino, owner):
    tamper(
        owner,
        "UPDATE ledger_key SET key = 'kept' WHERE key = '0'",
        "UPDATE ledger_key SET key = '0' WHERE key = '2'",
        "UPDATE ledger_key SET key = '2' WHERE key = 'kept'",
    )
    assert found(casino) == (
        changed(sealed[0], "head was", 1),
        changed(sealed[2], "head was", 2),
    )


def test_key_that_was_taken_out_is_found(sealed, casino, owner):
    tamper(owner, "DELETE FROM ledger_key WHERE key = '3'")
    assert found(casino) == (changed(sealed[3], "head was", 2),)


@pytest.mark.parametrize(
    "harm",
    [
        "code = '1120/table:33'",
        "instrument = 'plaque'",
        "opened_at = opened_at - interval '1 day'",
    ],
)
def test_account_that_was_changed_is_named(sealed, casino, owner, harm):
    tamper(owner, f"UPDATE ledger_account SET {harm} WHERE code = '1120/table:3'")  # noqa: S608
    code = "1120/table:33" if harm.startswith("code") else "1120/table:3"
    assert found(casino) == (
        f"account {code}: it was changed after seal 1 had sealed its first posting",
    )


def test_accounts_that_changed_their_codes_are_both_named(sealed, casino, owner):
    tamper(
        owner,
        "UPDATE ledger_account SET code = '1120/table:9' WHERE code = '1120/table:3'",
        "UPDATE ledger_account SET code = '4010/session:9' WHERE code = '4010/session:7'",
    )
    assert found(casino) == (
        "account 1120/table:9: it was changed after seal 1 had sealed its first posting",
        "account 4010/session:9: it was changed after seal 1 had sealed its first posting",
    )


def test_name_of_an_account_may_change(sealed, casino, owner):
    owner.execute("UPDATE ledger_account SET name = 'Tray of table 3' WHERE number = '1120'")
    assert found(casino) == ()


@pytest.mark.parametrize(
    ("harm", "finding"),
    [
        ("sealed_at = sealed_at + interval '1 s'", "its hash, or what it lists, was changed"),
        ("hash = sha256('x')", "its hash, or what it lists, was changed"),
        ("first_txid = '1'", "its hash, or what it lists, was changed"),
        ("prev_hash = sha256('x')", "it does not follow seal 1"),
        (
            "digests = decode(repeat('00', 96), 'hex')",
            "its digests were changed; its entries are as its hash says",
        ),
    ],
)
def test_seal_that_was_changed_is_named(sealed, casino, owner, harm, finding):
    tamper(owner, f"UPDATE ledger_seal SET {harm} WHERE number = 2")  # noqa: S608
    assert found(casino) == (f"seal 2: {finding}",)


def test_seal_that_was_made_anew_over_a_changed_entry_breaks_the_chain(sealed, casino, owner):
    """Only the chain tells, for the seal is right in itself."""
    tamper(
        owner,
        "UPDATE ledger_entry SET memo = 'as it never was' WHERE id = %(id)s",
        "UPDATE ledger_seal SET digests = ("
        "   SELECT string_agg(substr(head, 1, 16) || substr(postings, 1, 16)"
        "                     || substr(pieces, 1, 16), '' ORDER BY nth)"
        "   FROM ledger_digests(entry_ids)) WHERE number = 2",
        "UPDATE ledger_seal AS its SET hash = ledger_seal_hash(its, '', ("
        "   SELECT string_agg(head || postings || pieces, '' ORDER BY nth)"
        "   FROM ledger_digests(its.entry_ids))) WHERE number = 2",
        id=sealed[2].id,
    )
    assert found(casino) == ("seal 3: it does not follow seal 2",)


def test_seal_missing_in_the_middle_is_found(sealed, casino, owner):
    tamper(owner, "DELETE FROM ledger_seal WHERE number = 2")
    assert found(casino) == ("seal 2 is missing",)


def test_seals_missing_at_the_beginning_are_found(sealed, casino, owner):
    tamper(owner, "DELETE FROM ledger_sealed_account", "DELETE FROM ledger_seal WHERE number < 3")
    assert found(casino) == ("seals 1 to 2 are missing",)


def test_newest_seal_that_was_cut_off_is_found_by_the_close_of_the_day(sealed, casino, owner):
    close(casino)
    tamper(
        owner,
        "DELETE FROM ledger_sealed_account WHERE seal = 3",
        "DELETE FROM ledger_seal WHERE number = 3",
    )
    cut = ("the close of 2026-03-14: it is anchored in seal 3, which was cut off",)
    assert found(casino) == cut

    seal_next(property_id=casino.pk, at=AT.replace(hour=23))
    assert found(casino) == (
        "the close of 2026-03-14: its anchor is not the hash of seal 3; one of the two was changed",
    )


def test_newest_seal_that_was_cut_off_is_found_by_a_head_kept_elsewhere(sealed, casino, owner):
    heads = {each.number: bytes(each.hash) for each in Seal.objects.all()}
    assert found(casino, heads=heads) == ()
    tamper(
        owner,
        "DELETE FROM ledger_sealed_account WHERE seal = 3",
        "DELETE FROM ledger_seal WHERE number = 3",
    )
    assert found(casino) == ()  # nothing in the database tells
    assert found(casino, heads=heads) == (
        "seal 3: a head that was kept elsewhere, and the chain ends at 2: "
        "its newest seals were cut off",
    )


def test_chain_that_was_written_anew_is_found_by_what_is_kept_elsewhere(sealed, casino, owner):
    close(casino)
    heads = {2: bytes(Seal.objects.get(number=2).hash)}
    tamper(
        owner,
        "UPDATE ledger_entry SET memo = 'as it never was' WHERE id = %(id)s",
        "DELETE FROM ledger_sealed_account",
        "DELETE FROM ledger_seal",
        id=sealed[0].id,
    )
    while seal_next(property_id=casino.pk, at=AT, at_most=2):
        pass
    anchor = (
        "the close of 2026-03-14: its anchor is not the hash of seal 3; one of the two was changed"
    )
    assert found(casino) == (anchor,)
    assert found(casino, heads=heads) == (
        anchor,
        "seal 2: it has another hash than the head kept elsewhere",
    )


def test_epoch_that_was_changed_is_found(sealed, casino, owner):
    tamper(owner, "UPDATE ledger_epoch SET begun_by = 'employee:4'")
    assert found(casino) == tuple(
        f"seal {number}: its hash, or what it lists, was changed" for number in (1, 2, 3)
    )


CHANGED = "the {}: it, or the one before it, was changed after it was kept"
CLOSE_CHANGED = CHANGED.format("close of 2026-03-14")


@pytest.fixture
def closed(sealed, casino):
    """Return the six entries; their day is closed."""
    close(casino)
    assert found(casino) == ()
    assert compare(casino.pk) == ()
    return sealed


def test_anchor_that_was_changed_is_found(closed, casino, owner):
    tamper(owner, "UPDATE ledger_period SET anchor_hash = sha256('x') WHERE shift = ''")
    assert found(casino) == (
        "the close of 2026-03-14: its anchor is not the hash of seal 3; one of the two was changed",
        "the close of 2026-03-14: its hashes are not those that its event announced",
        CLOSE_CHANGED,
    )


TOTALS = "UPDATE ledger_period SET totals = jsonb_set(totals, '{0,closing}', '99') WHERE shift = ''"
OF_1120 = (
    "2026-03-14 1120 USD: {} opening 0, debits 3200, credits 0, closing 99"
    "{} opening 0, debits 3200, credits 0, closing 3200"
)


def test_totals_that_were_changed_are_found(closed, casino, owner):
    tamper(owner, TOTALS)
    assert found(casino) == (
        "the close of 2026-03-14: its report hash is not that of its totals",
        "the totals of " + OF_1120.format("they say", ", and the postings"),
    )
    assert [str(each) for each in compare(casino.pk)] == [
        "period 2026-03-14 1120 USD: opening 0, debits 3200, credits 0, closing 99 is kept, "
        "and it should be opening 0, debits 3200, credits 0, closing 3200"
    ]


def test_totals_that_were_changed_with_their_hash_are_found(closed, casino, owner):
    tamper(
        owner,
        TOTALS,
        "UPDATE ledger_period SET report_hash = ledger_report_hash(gaming_day, shift, totals)",
    )
    assert found(casino) == (
        "the close of 2026-03-14: its hashes are not those that its event announced",
        CLOSE_CHANGED,
        "the totals of " + OF_1120.format("they say", ", and the postings"),
    )


def test_balance_that_was_changed_is_found(closed, casino, owner):
    tamper(
        owner,
        "UPDATE ledger_balance SET debit = debit + 7 WHERE account_id ="
        " (SELECT id FROM ledger_account WHERE code = '1120/table:3')",
    )
    assert found(casino) == ()  # the books themselves are as they were sealed
    assert [str(each) for each in compare(casino.pk)] == [
        "balance 1120/table:3: debit 3207, credit 0, version 6 is kept, "
        "and it should be debit 3200, credit 0, version 6"
    ]
    assert any("1120/table:3" in finding for finding in examine().findings)


def test_snapshot_that_was_changed_is_found(closed, casino, owner):
    tamper(
        owner,
        "UPDATE ledger_snapshot SET held_debit = 1 WHERE account_id ="
        " (SELECT id FROM ledger_account WHERE code = '1120/table:3')",
    )
    assert found(casino) == ()
    assert [str(each) for each in compare(casino.pk)] == [
        "snapshot 1120/table:3 on 2026-03-14: debit 3200, credit 0; held 1, 0 at version 6 is "
        "kept, and it should be debit 3200, credit 0; held 3200, 0 at version 6"
    ]


def test_books_of_others_verify_all_the_same(sealed, casino, owner):
    other = house("macau")
    poster(other)()
    seal_next(property_id=other.pk, at=AT)
    tamper(owner, "UPDATE ledger_entry SET memo = 'x' WHERE id = %(id)s", id=sealed[0].id)
    assert len(found(casino)) == 1
    assert found(other) == ()


def test_more_findings_than_anybody_reads_are_counted(sealed, casino, owner, monkeypatch):
    monkeypatch.setattr("ledger.verify.NAMED", 2)
    tamper(owner, "UPDATE ledger_entry SET memo = 'x'")
    assert found(casino) == (
        changed(sealed[0], "head was", 1),
        changed(sealed[1], "head was", 1),
        "and 4 more findings",
    )


def test_close_that_others_are_made_to_have_signed_is_found(closed, casino, owner):
    tamper(owner, "UPDATE ledger_period SET approved_by = 'employee:99' WHERE shift = ''")
    assert found(casino) == (
        "the close of 2026-03-14: who closed it, or when, is not what its event announced",
        CLOSE_CHANGED,
    )


REOPENED = """
UPDATE ledger_period SET status = 'open', closed_at = NULL, closed_by = '', approved_by = '',
    recorded_at = NULL, totals = NULL, report_hash = NULL, anchor_seal = NULL, anchor_hash = NULL,
    close_number = NULL, close_hash = NULL
WHERE shift = ''
"""


def test_day_that_was_opened_again_is_found(closed, casino, owner):
    tamper(owner, REOPENED)
    assert "gaming day 2026-03-14: its close was announced, and it is not closed" in found(casino)


def test_day_that_was_closed_by_hand_is_found(sealed, casino, owner):
    tamper(
        owner,
        "INSERT INTO ledger_period (property_id, gaming_day, status, opened_at, opened_by,"
        " closed_at, closed_by, approved_by, recorded_at, totals, report_hash)"
        " SELECT property_id, gaming_day + 1, 'closed', opened_at, 'a', opened_at, 'a', 'b',"
        " now(), '[]', ledger_report_hash(gaming_day + 1, '', '[]') FROM ledger_period"
        " WHERE shift = '' AND gaming_day = '2026-03-14'",
    )
    told = found(casino)
    assert "the close of 2026-03-15: its event is gone" in told
    assert "the close of 2026-03-15: an earlier gaming day, or a shift of one, is open" in told


def test_event_that_tells_of_another_entry_is_found(sealed, casino, owner):
    owner.execute("ALTER TABLE events_outbox DISABLE TRIGGER USER")
    owner.execute(
        "UPDATE events_outbox SET payload = jsonb_set(payload, '{kind}', '\"other\"')"
        " WHERE id = (SELECT min(id) FROM events_outbox WHERE topic = 'ledger.entry_posted')"
    )
    told = [str(each) for each in compare(casino.pk)]
    assert len(told) == 1
    assert told[0].startswith("event entry ")


# --- what is kept beside the entries and is evidence too


@pytest.fixture
def kept(sealed, post, casino):
    """Return books with two closes and two inspections of each sort, all told in a seal."""
    close_shift(property_id=casino.pk, gaming_day=DAY, shift="swing", actor=PIT_BOSS, at=AT)
    close(casino)
    for property_id in (casino.pk, casino.pk, None, None):
        note_inspection(
            property_id=property_id,
            kind=Inspection.Kind.DOCTOR,
            findings=["seal 1 is not what it was", "x"],
            actor="system:operator",
            at=AT,
        )
    post(key="tomorrow", gaming_day=NEXT_DAY)
    assert seal_next(property_id=casino.pk, at=AT) == 1
    assert found(casino) == ()


INSPECTED = CHANGED.format("inspection of 2026-03-14 20:30 UTC (doctor)")


@pytest.mark.parametrize(
    ("harm", "findings"),
    [
        (
            "DELETE FROM ledger_period WHERE shift = 'swing'",
            ["of the closes number 1 is missing"],
        ),
        (
            "DELETE FROM ledger_period WHERE status = 'closed'",
            [
                "of the closes that seal 4 tells of numbers 1 to 2 are missing",
                "gaming day 2026-03-14: its close was announced, and it is not closed",
            ],
        ),
        (
            "UPDATE ledger_period SET closed_by = 'employee:99' WHERE shift = 'swing'",
            [CHANGED.format("close of 2026-03-14 swing")],
        ),
        (
            "DELETE FROM ledger_inspection WHERE number = 1 AND property_id IS NOT NULL",
            ["of the inspections number 1 is missing"],
        ),
        (
            "DELETE FROM ledger_inspection WHERE number = 2 AND property_id IS NOT NULL",
            ["of the inspections that seal 4 tells of number 2 is missing"],
        ),
        (
            "DELETE FROM ledger_inspection WHERE property_id IS NULL",
            ["of the examinations that seal 4 tells of numbers 1 to 2 are missing"],
        ),
        (
            "UPDATE ledger_inspection SET findings = '{}'"
            " WHERE number = 2 AND property_id IS NOT NULL",
            [INSPECTED],
        ),
        (
            "UPDATE ledger_inspection SET at = at - interval '1 s'"
            " WHERE number = 2 AND property_id IS NULL",
            [INSPECTED.replace("20:30", "20:29")],
        ),
        (
            "UPDATE ledger_inspection SET hash = sha256('x')"
            " WHERE number = 2 AND property_id IS NOT NULL",
            [
                INSPECTED,
                "seal 4: closes or inspections that it tells of were written anew",
            ],
        ),
        (
            "UPDATE ledger_seal SET closes = 1 WHERE number = 4",
            [
                "seal 4: its hash, or what it lists, was changed",
                "seal 4: closes or inspections that it tells of were written anew",
            ],
        ),
        (
            "UPDATE ledger_inspection SET number = NULL WHERE number = 2 AND property_id IS NULL",
            [
                INSPECTED,
                "of the examinations that seal 4 tells of number 2 is missing",
            ],
        ),
    ],
)
def test_close_or_inspection_that_was_changed_or_deleted_is_told(
    kept, casino, owner, harm, findings
):
    tamper(owner, harm)
    assert sorted(found(casino)) == sorted(findings)


def test_event_and_close_that_are_gone_together_are_told(kept, casino, owner):
    """Then only the seal tells."""
    owner.execute("ALTER TABLE events_outbox DISABLE TRIGGER USER")
    owner.execute("DELETE FROM events_outbox WHERE topic = 'gaming_day.closed'")
    tamper(owner, "DELETE FROM ledger_period WHERE status = 'closed' AND shift = ''")
    assert found(casino) == ("of the closes that seal 4 tells of number 2 is missing",)


def test_inspections_that_were_written_anew_are_told_by_the_seal(kept, casino, owner):
    tamper(
        owner,
        "UPDATE ledger_inspection SET findings = '{}' WHERE property_id IS NOT NULL",
        "UPDATE ledger_inspection AS its SET hash = sha256(ledger_inspection_digest(its))"
        " WHERE property_id IS NOT NULL AND number = 1",
        "UPDATE ledger_inspection AS its SET hash = sha256((SELECT hash FROM ledger_inspection"
        " WHERE property_id IS NOT NULL AND number = 1) || ledger_inspection_digest(its))"
        " WHERE property_id IS NOT NULL AND number = 2",
    )
    assert found(casino) == ("seal 4: closes or inspections that it tells of were written anew",)


def test_property_that_was_made_a_sandbox_is_told(kept, casino, owner):
    with unguarded(owner):
        owner.execute("ALTER TABLE properties_property DISABLE TRIGGER properties_property_books")
        owner.execute("UPDATE properties_property SET is_sandbox = true")
        owner.execute(
            "ALTER TABLE properties_property ENABLE ALWAYS TRIGGER properties_property_books"
        )
    told = ("the property is said to be a sandbox now, and was none when it was sealed",)
    assert found(casino) == told
    tamper(owner, "UPDATE ledger_epoch SET is_sandbox = true")
    assert found(casino) == tuple(
        f"seal {number}: its hash, or what it lists, was changed" for number in (1, 2, 3, 4)
    )


@pytest.fixture
def revalued(owner):
    """Give the dollar a third decimal, for one test."""
    tamper(owner, "UPDATE ledger_currency SET exponent = 3 WHERE code = 'USD'")
    yield owner
    tamper(owner, "UPDATE ledger_currency SET exponent = 2 WHERE code = 'USD'")


def test_currency_whose_amounts_are_worth_something_else_is_told(kept, casino, revalued):
    assert found(casino) == ("currency USD: it has 3 decimals, and had 2 when it was sealed",)
    tamper(revalued, "UPDATE ledger_sealed_account SET exponent = 3")
    assert found(casino) == (
        "account 1120/table:3: it was changed after seal 1 had sealed its first posting",
        "account 4010/session:7: it was changed after seal 1 had sealed its first posting",
    )


def test_many_who_inspect_at_once_are_numbered_without_a_gap(casino, together):
    act = partial(
        note_inspection,
        property_id=casino.pk,
        kind=Inspection.Kind.DOCTOR,
        findings=[],
        actor="system:operator",
        at=AT,
    )
    together(*[act] * 8)
    assert sorted(numbers()) == list(range(1, 9))
    assert found(casino) == ()


def numbers():
    with connection.cursor() as cursor:
        cursor.execute("SELECT number FROM ledger_inspection")
        return [number for (number,) in cursor.fetchall()]
